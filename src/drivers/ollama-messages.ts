import { count } from '../core/outcome.ts';

/**
 * What can go wrong with an Ollama server, each with the command or option
 * that mends it. Pure.
 */

export function refusedMessage(host: string): string {
  return (
    `no Ollama server answers at ${host}: start one with "ollama serve", or ` +
    '"docker run -d --name ollama -p 11434:11434 -v ollama:/root/.ollama ollama/ollama"; ' +
    'another place is set by --host or driver.options.host'
  );
}

export function notPulledMessage(model: string, pulled: readonly string[] = []): string {
  const others = pulled.length > 0 ? `; it has ${pulled.join(', ')}` : '';
  return `the server has no model "${model}": ollama pull ${model}  (in Docker: docker exec ollama ollama pull ${model})${others}`;
}

export function timedOutMessage(model: string, timeoutMs: number): string {
  return (
    `${model} gave no whole reply within ${timeoutMs / 1000} s: raise --model-timeout (seconds) or ` +
    'driver.options.modelTimeoutMs, or take a smaller model'
  );
}

export function stalledMessage(model: string, idleTimeoutMs: number): string {
  return `${model} sent nothing for ${idleTimeoutMs / 1000} s: raise limits.idleTimeoutMs; a model that is still being loaded is silent too`;
}

export function busyMessage(host: string, status: number): string {
  return `the server at ${host} is busy (${status}): OLLAMA_NUM_PARALLEL and OLLAMA_MAX_QUEUE of the server let it take more`;
}

export function serverErrorMessage(host: string, status: number | undefined, detail: string): string {
  const head = `the server at ${host} failed${status === undefined ? '' : ` (${status})`}`;
  const said = detail === '' ? '' : `: ${detail}`;
  return `${head}${said}; its log says more: "docker logs ollama" or "journalctl -u ollama"`;
}

export function badReplyMessage(host: string, detail: string): string {
  return `what ${host} answered is no reply of an Ollama server (${detail}): check driver.options.host with "curl ${host}/api/tags"`;
}

export function cutStreamMessage(model: string, tokens: number): string {
  return `the connection ended before the reply of ${model} was whole (${count(tokens, 'token')} came): see "docker logs ollama" or "journalctl -u ollama"`;
}
