/** What can go wrong with a server that speaks OpenAI's chat completions, each with what mends it. Pure. */

export function refusedMessage(url: string): string {
  return (
    `no server answers at ${url}: start it (LM Studio: "lms server start"; llama.cpp: "llama-server -m MODEL.gguf"; ` +
    'vLLM: "vllm serve MODEL"), or correct driver.options.baseUrl'
  );
}

export function notListedMessage(url: string, model: string, listed: readonly string[] = []): string {
  const has = listed.length > 0 ? `; it has ${listed.slice(0, 8).join(', ')}` : '';
  return `the server at ${url} has no model "${model}": load it (LM Studio: "lms load ${model}"), or correct driver.options.model${has}`;
}

export function keyMessage(url: string, status: number, apiKeyEnv: string | undefined): string {
  const mend =
    apiKeyEnv === undefined
      ? 'put the name of the variable that holds its key into driver.options.apiKeyEnv'
      : `check the key in ${apiKeyEnv}`;
  return `the server at ${url} refused the key (${status}): ${mend}`;
}

export function noKeyMessage(apiKeyEnv: string): string {
  return `${apiKeyEnv} is not set, where driver.options.apiKeyEnv says that the key is: export ${apiKeyEnv}=…`;
}

export function timedOutMessage(model: string, timeoutMs: number): string {
  return `${model} gave no whole reply within ${timeoutMs / 1000} s: raise driver.options.modelTimeoutMs, or take a smaller model`;
}

export function stalledMessage(model: string, idleTimeoutMs: number): string {
  return `${model} sent nothing for ${idleTimeoutMs / 1000} s: raise limits.idleTimeoutMs; a model that is still being loaded is silent too`;
}

export function busyMessage(url: string, status: number): string {
  return `the server at ${url} is busy (${status})`;
}

export function serverErrorMessage(url: string, status: number | undefined, detail: string): string {
  const head = `the server at ${url} failed${status === undefined ? '' : ` (${status})`}`;
  return `${head}${detail === '' ? '' : `: ${detail}`}; its log may say more`;
}

export function badReplyMessage(url: string, detail: string): string {
  return `what ${url} answered is no reply of chat completions (${detail}): check driver.options.baseUrl, which mostly ends in /v1, with "curl ${url}/models"`;
}

export function cutStreamMessage(model: string, characters: number): string {
  return `the connection ended before the reply of ${model} was whole (${characters} characters came): see the log of the server`;
}

export function filteredMessage(model: string): string {
  return `a content filter of the server kept back the reply of ${model}`;
}
