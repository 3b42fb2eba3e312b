import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ollamaDriver } from '../../src/drivers/ollama.ts';
import { tempDir } from '../support/temp-dir.ts';
import {
  answers,
  breaksAfter,
  drips,
  hangsAfter,
  ollamaServer,
  type Play,
  replies,
  repliesCode,
  token,
} from './ollama-server.ts';
import { until } from './processes.ts';
import { optionsOf, type TurnParts, turnIn } from './turn.ts';

const TARGET = 'solution.py';

async function turn(
  dir: string,
  options: Record<string, unknown>,
  more: TurnParts & { protect?: string[] } = {},
) {
  return await turnIn(dir, await optionsOf(ollamaDriver, { target: TARGET, ...options }), more);
}

/** One turn against a server that plays this; nothing was written unless told. */
async function play(plays: readonly Play[], options: Record<string, unknown> = {}, more: TurnParts = {}) {
  await using dir = await tempDir();
  await using server = await ollamaServer(plays);
  const t = await turn(dir.path, { host: server.host, ...options }, more);
  const result = await ollamaDriver.run(t);
  const written = await readFile(join(t.workdir, TARGET), 'utf8').catch(() => undefined);
  return { result, written, told: t.told, asked: server.asked, host: server.host };
}

describe('a turn', () => {
  test('writes the code of the reply into the target, and tells usage and progress', async () => {
    const { result, written, told } = await play([repliesCode('x = 1\n', 'x is missing')]);
    expect(written).toBe('x = 1\n');
    expect(result).toEqual({
      stopReason: 'completed',
      summary: 'x is missing — wrote solution.py',
      usage: { inputTokens: 120, outputTokens: 40, costUsd: 0 },
      proposal: { reasoning: 'x is missing', files: [{ path: TARGET, content: 'x = 1\n' }] },
    });
    expect(told.waiting[0]).toBe('waiting for mistral:7b-instruct');
    expect(told.waiting).toContain('generating, 1 token');
    expect(told.waiting.at(-1)).toMatch(/^generating, \d+ tokens$/);
    expect(told.output).toBe(JSON.stringify({ reasoning: 'x is missing', code: 'x = 1\n' }));
    expect(told.acted).toEqual(['generate mistral:7b-instruct', 'write solution.py']);
  });

  test('asks with its options, a JSON schema, the context files and the present target', async () => {
    await using dir = await tempDir();
    await using server = await ollamaServer([repliesCode('x = 2\n')]);
    await mkdir(join(dir.path, 'work/tests'), { recursive: true });
    await writeFile(join(dir.path, 'work/tests/test_a.py'), 'assert x == 2\n');
    await writeFile(join(dir.path, 'work', TARGET), 'x = 1\n');
    const options = {
      host: server.host,
      model: 'm:1b',
      temperature: 0,
      numCtx: 4096,
      context: ['tests/*.py', 'gone.md'],
    };
    await ollamaDriver.run(await turn(dir.path, options, { system: 'you write Python' }));
    expect(server.asked[0]).toMatchObject({
      model: 'm:1b',
      system: 'you write Python',
      stream: true,
      format: { required: ['reasoning', 'code'] },
      options: { temperature: 0, num_ctx: 4096 },
    });
    const prompt = String(server.asked[0]?.['prompt']);
    expect(prompt).toMatch(/^make it work\n/);
    expect(prompt).toMatch(/--- file tests\/test_a.py (\S+) ---\nassert x == 2\n--- end \1 ---/);
    expect(prompt).toMatch(/--- file solution.py \S+ ---\nx = 1\n/);
    expect(prompt).toContain('The file gone.md: does not exist yet.');
  });

  test('without a target takes files by path', async () => {
    const files = [
      { path: 'a/b.txt', content: 'b\n' },
      { path: TARGET, content: 'x\n' },
    ];
    const { result, written, asked } = await play([replies(JSON.stringify({ reasoning: 'r', files }))], {
      target: undefined,
    });
    expect(written).toBe('x\n');
    expect(result).toMatchObject({ summary: 'r — wrote a/b.txt, solution.py', proposal: { files } });
    expect(asked[0]).toMatchObject({ format: { required: ['reasoning', 'files'] } });
  });

  test('writes through the guard: what is refused or lies outside is told, the rest is written', async () => {
    await using dir = await tempDir();
    const reply = {
      reasoning: '',
      files: ['test_a.py', '../out.txt', TARGET].map((path) => ({ path, content: 'x' })),
    };
    await using server = await ollamaServer([replies(JSON.stringify(reply))]);
    const options = { host: server.host, target: undefined };
    const t = await turn(dir.path, options, { protect: ['test_a.py'] });
    const result = await ollamaDriver.run(t);
    expect(result.problem).toMatch(
      /^test_a.py was not written: it is protected\n\.\.\/out.txt was not written: /,
    );
    expect(result.summary).toMatch(/^wrote solution.py; test_a.py was not written/);
    await expect(readFile(join(t.workdir, 'test_a.py'))).rejects.toThrow();
    await expect(readFile(join(dir.path, 'out.txt'))).rejects.toThrow();
  });

  test('cuts a prompt that would not fit the window, and says so', async () => {
    const prompt = `requirements\n${'E   assert 1 == 2\n'.repeat(3000)}`;
    const { result, asked } = await play([repliesCode('x\n')], { numCtx: 2048 }, { prompt });
    expect(String(asked[0]?.['prompt']).length).toBeLessThan(2048 * 3);
    expect(String(asked[0]?.['prompt'])).toMatch(/^requirements\n/);
    expect(result.summary).toMatch(
      /\d+ characters of the prompt were left out to fit the model's window \(driver.options.numCtx: 2048\)/,
    );
  });
});

describe('a reply that cannot be used is never written, and the next prompt is told why', () => {
  test.each([
    ['prose', 'I would write a class.', /not one JSON object/],
    ['an unclosed fence', '```json\n{"reasoning": "r", "code": "x"}', /does not close/],
    ['nothing', '', /was empty/],
  ])('%s', async (_, text, problem) => {
    const { result, written } = await play([replies(text)]);
    expect(result).toMatchObject({ stopReason: 'completed', problem: expect.stringMatching(problem) });
    expect(result.usage).toMatchObject({ outputTokens: 40 });
    expect(written).toBeUndefined();
  });

  test('one that the token limit cut, even where it happens to be whole JSON', async () => {
    const whole = JSON.stringify({ reasoning: 'r', code: 'x = 1\n' });
    const { result, written } = await play([replies(whole, 'length')]);
    expect(result).toMatchObject({
      stopReason: 'truncated',
      summary: expect.stringContaining('raise driver.options.numCtx (now 8192)'),
      problem: expect.stringContaining('cut off by the token limit'),
      usage: { outputTokens: 40 },
    });
    expect(written).toBeUndefined();
    expect((await play([replies(whole)])).written).toBe('x = 1\n');
  });

  test('double-escaped newlines are written as they stand, with a word to the model', async () => {
    const { result, written } = await play([
      replies('{"reasoning": "r", "code": "import x\\\\nclass A: pass"}'),
    ]);
    expect(written).toBe('import x\\nclass A: pass');
    expect(result.problem).toContain('escape it once');
  });
});

describe('each fault of the server has its own message with what mends it', () => {
  test('no server', async () => {
    await using dir = await tempDir();
    const server = await ollamaServer([]);
    await server[Symbol.asyncDispose]();
    const result = await ollamaDriver.run(await turn(dir.path, { host: server.host }));
    expect(result).toMatchObject({ stopReason: 'error' });
    expect(result.summary).toMatch(
      /^no Ollama server answers at http:\/\/127.*"ollama serve".*docker run.*ECONNREFUSED/,
    );
  });

  test.each<[string, Play, string, RegExp]>([
    [
      'a model that is not pulled',
      answers(404, '{"error":"model \\"mistral:7b-instruct\\" not found, try pulling it first"}'),
      'error',
      /has no model "mistral:7b-instruct": ollama pull mistral:7b-instruct/,
    ],
    [
      'another server',
      answers(404, '<html>not found'),
      'error',
      /no reply of an Ollama server \(404.*curl .*\/api\/tags/,
    ],
    [
      'a failure with its reason',
      answers(500, '{"error":"model requires more system memory (5 GiB) than is available"}'),
      'error',
      /failed \(500\): model requires more system memory.*docker logs ollama/,
    ],
    [
      'a failure of a proxy',
      answers(502, '<html>\n<b>Bad Gateway</b>'),
      'error',
      /failed \(502\): <html> <b>Bad Gateway/,
    ],
    ['a reply that is no JSON', answers(200, 'hello\n'), 'error', /no reply of an Ollama server \(hello\)/],
    [
      'an error, then a broken connection',
      breaksAfter(`${token('{')}{"error":"runner died"}\n`),
      'error',
      /failed: runner died/,
    ],
    [
      'an error that ends the stream',
      answers(200, `${token('{')}{"error":"llama runner process has terminated"}\n`),
      'error',
      /failed: llama runner process has terminated/,
    ],
    [
      'a stream that is cut',
      breaksAfter(token('{"rea') + token('soning"')),
      'error',
      /before the reply .* was whole \(2 tokens came\)/,
    ],
    [
      'a stream that ends early',
      answers(200, token('{"rea')),
      'error',
      /before the reply .* was whole \(1 token came\)/,
    ],
  ])('%s', async (_, fault, stopReason, message) => {
    const { result, written } = await play([fault]);
    expect(result.stopReason).toBe(stopReason);
    expect(result.summary).toMatch(message);
    expect(written).toBeUndefined();
  });

  test.each<[string, Play]>([
    ['hangs before its first byte', hangsAfter('')],
    ['hangs in the middle', hangsAfter(token('{'))],
    ['drips for ever', drips],
  ])('a generation that %s ends with the clock of the model', async (_, fault) => {
    const { result } = await play([fault], { modelTimeoutMs: 400 });
    expect(result).toMatchObject({
      stopReason: 'stalled',
      summary: expect.stringMatching(/no whole reply within 0.4 s: raise --model-timeout/),
    });
  });

  test('silence ends the turn as stalled, dripping does not', async () => {
    const stalled = await play([hangsAfter(token('{'))], {}, { idleTimeoutMs: 300 });
    expect(stalled.result).toMatchObject({
      stopReason: 'stalled',
      summary: expect.stringContaining('0.3 s'),
    });
    const dripping = await play([drips], { modelTimeoutMs: 1500 }, { idleTimeoutMs: 1000 });
    expect(dripping.result.summary).toMatch(/no whole reply within 1.5 s/);
  });

  test.each([
    ['timed-out', 'timed-out'],
    [undefined, 'aborted'],
  ])('an abort because of %s ends the turn at once, and nothing is written', async (reason, stopReason) => {
    await using dir = await tempDir();
    await using server = await ollamaServer([drips]);
    const controller = new AbortController();
    const t = await turn(dir.path, { host: server.host }, { signal: controller.signal });
    const running = ollamaDriver.run(t);
    await until(() => (t.told.output.length > 2 ? true : undefined));
    controller.abort(reason);
    expect(await running).toMatchObject({ stopReason });
    await expect(readFile(join(t.workdir, TARGET))).rejects.toThrow();
  });
});

describe('a busy server', () => {
  test('is waited for inside the turn, as long as it asks', async () => {
    const busy = answers(429, '{"error":"too many requests"}', { 'retry-after': '0' });
    const { result, written, told, asked } = await play([
      busy,
      answers(503, '', { 'retry-after': '0' }),
      repliesCode('x\n'),
    ]);
    expect(result.stopReason).toBe('completed');
    expect(written).toBe('x\n');
    expect(asked).toHaveLength(3);
    expect(told.waiting).toContain('rate limit of mistral:7b-instruct: asking again in 0 s');
  });

  test('that names no time is given up on once the wait would pass maxWaitMs', async () => {
    const { result } = await play([answers(429, '')], { maxWaitMs: 0 });
    expect(result).toMatchObject({
      stopReason: 'rate-limited',
      summary: expect.stringMatching(/busy \(429\).*driver.options.maxWaitMs/),
    });
  });
});

describe('preflight', () => {
  async function errors(options: Record<string, unknown>) {
    const read = await optionsOf(ollamaDriver, options);
    const signal = new AbortController().signal;
    return (await ollamaDriver.preflight?.({ workdir: '/', options: read, env: {}, signal })) ?? [];
  }

  test('is content with a server that has the model', async () => {
    await using server = await ollamaServer([], ['mistral:7b-instruct', 'qwen:latest']);
    expect(await errors({ host: server.host })).toEqual([]);
    expect(await errors({ host: server.host, model: 'qwen' })).toEqual([]);
    expect(await errors({ host: server.host.replace('http://', ''), model: 'qwen' })).toEqual([]);
    expect(await errors({ host: `${server.host}/`, model: 'qwen' })).toEqual([]);
  });

  test('names the command that pulls a missing model, and what there is', async () => {
    await using server = await ollamaServer([], ['qwen:latest']);
    expect(await errors({ host: server.host })).toEqual([
      expect.stringMatching(/ollama pull mistral:7b-instruct .*it has qwen:latest/),
    ]);
  });

  test.each<[string, Play, readonly unknown[]]>([
    ['a busy server, which the turn waits for', answers(503, ''), []],
    ['a failing server', answers(500, ''), [expect.stringMatching(/failed \(500\).*docker logs/)]],
    ['another server', answers(404, ''), [expect.stringMatching(/404 for \/api\/tags.*curl/)]],
    ['a page', answers(200, '<html>'), [expect.stringMatching(/no JSON.*curl/)]],
    ['other JSON', answers(200, '{"data": []}'), [expect.stringMatching(/no list of models.*curl/)]],
  ])('of %s', async (_, onTags, expected) => {
    await using server = await ollamaServer([], [], onTags);
    expect(await errors({ host: server.host })).toEqual(expected);
  });

  test('names the commands that start a server', async () => {
    const server = await ollamaServer([]);
    await server[Symbol.asyncDispose]();
    expect(await errors({ host: server.host })).toEqual([
      expect.stringMatching(/"ollama serve".*docker run/),
    ]);
    expect(await errors({ host: 'not a host' })).toEqual([
      expect.stringMatching(/no Ollama server answers at not a host/),
    ]);
  });
});

test.each([
  [{ modle: 'm' }, /unknown option "modle" \(did you mean "model"\?\)/],
  [{ temperature: 3 }, /temperature/],
  [{ modelTimeoutMs: -1 }, /modelTimeoutMs/],
  [{ context: 'a.py' }, /context/],
])('options %j are refused', async (options, expected) => {
  await expect(optionsOf(ollamaDriver, options)).rejects.toThrow(expected);
});
