import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { answers, drips, hangsAfter, ollamaServer, repliesCode } from '../drivers/ollama-server.ts';
import { type Cli, openCli, reportOf, until } from '../support/cli.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RECORDING = join(ROOT, 'recordings/lru-cache-mistral-7b.json');
const LRU = join(ROOT, 'challenges/04_lru_cache');

/** A challenge whose answer is `def two(): return 2`. */
async function challenge(cli: Cli, name = 'c'): Promise<void> {
  await cli.write({
    [`${name}/spec.md`]: '# Two\n\nWrite `two()`, which gives 2.\n',
    [`${name}/test_solution.py`]:
      'from solution import two\n\n\ndef test_two():\n    assert two() == 2\n\n\ndef test_type():\n    assert isinstance(two(), int)\n',
  });
}

const STUB = 'def two(): ...\n';
const WRONG = 'def two():\n    return 3\n';
const RIGHT = 'def two():\n    return 2\n';

const recording = (...codes: readonly string[]) =>
  JSON.stringify({ attempts: codes.map((code, i) => ({ n: i + 1, reasoning: `thought ${i + 1}`, code })) });

const jsonIn = async (dir: string, name: string) => JSON.parse(await readFile(join(dir, name), 'utf8'));

describe('a recording in place of the model', () => {
  test('the recorded run of a real model is judged anew: it does not load, fails 8 of 8, passes 8 of 8', async () => {
    await using cli = await openCli();
    const ended = await cli.run(['tdd', 'run', LRU, '--replay', RECORDING, '--out-dir', 'out']);
    expect(ended.code).toBe(0);
    const marks = [/attempt 1 of 5/, /SyntaxError/, /does not load/, /attempt 2 of 5/, /0\/8 passed/];
    for (const mark of [...marks, /attempt 3 of 5/, /8\/8 passed/, /solved +at attempt 3/])
      expect(ended.stdout).toMatch(mark);
    expect(ended.stdout).toContain('nclass LRUCache:');

    const out = join(cli.dir, 'out');
    const numbered = ['01', '02', '03'].flatMap((n) => [`attempt_${n}.json`, `attempt_${n}.py`]);
    expect((await readdir(out)).sort()).toEqual([...numbered, 'summary.json']);
    const summary = await jsonIn(out, 'summary.json');
    expect(summary).toMatchObject({ final_status: 'solved', max_attempts: 5 });
    const results = summary.attempts.map((attempt: Record<string, unknown>) => attempt['result']);
    expect(results).toMatchObject([
      { passed: 0, failed: 1, total: 1 },
      { passed: 0, failed: 8, total: 8 },
      { passed: 8, failed: 0, total: 8 },
    ]);
    expect(summary.attempts[0]).toMatchObject({ status: 'unusable', cause: 'collection' });
    expect(summary.attempts[1].result.first_traceback).toContain('assert None');
    expect(await readFile(join(out, 'attempt_01.py'), 'utf8')).toContain('nclass LRUCache:');

    const again = await cli.run(['tdd', 'run', LRU, '--replay', 'out/summary.json', '--json']);
    expect(reportOf(again)).toMatchObject({ outcome: 'success', face: 'tdd' });
  });

  test('one that is used up ends exhausted, with exit code 1', async () => {
    await using cli = await openCli();
    await challenge(cli);
    await cli.write({ 'r.json': recording(STUB) });
    const ended = await cli.run(['tdd', 'run', 'c', '--replay', 'r.json', '--out-dir', 'out']);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/exhausted +the agent gave up/);
    expect(await jsonIn(join(cli.dir, 'out'), 'summary.json')).toMatchObject({
      final_status: 'exhausted',
      attempts: [{ n: 1, result: { passed: 0, failed: 2, total: 2 } }],
    });
  });

  test('--max-attempts ends it before', async () => {
    await using cli = await openCli();
    await challenge(cli);
    await cli.write({ 'r.json': recording(STUB, RIGHT) });
    const ended = await cli.run(['tdd', 'run', 'c', '--replay', 'r.json', '--max-attempts', '1', '--json']);
    expect([ended.code, reportOf(ended).outcome]).toEqual([1, 'max-iterations']);
  });

  test('the default folder is named by the time and the challenge, and the challenge stays as it was', async () => {
    await using cli = await openCli();
    await challenge(cli);
    await cli.write({ 'r.json': recording(RIGHT) });
    expect((await cli.run(['tdd', 'run', 'c/', '--replay', 'r.json'])).code).toBe(0);
    expect(await readdir(join(cli.dir, 'runs'))).toEqual([expect.stringMatching(/^\d{8}T\d{6}Z-c$/)]);
    expect((await readdir(join(cli.dir, 'c'))).sort()).toEqual(['spec.md', 'test_solution.py']);
  });

  test('one that is not there is missed before any attempt', async () => {
    await using cli = await openCli();
    await challenge(cli);
    const ended = await cli.run(['tdd', 'run', 'c', '--replay', 'none.json', '--json']);
    expect([ended.code, reportOf(ended).outcome]).toEqual([3, 'preflight-failed']);
    expect(reportOf(ended).reason).toContain('none.json cannot be replayed');
  });

  test('a folder that cannot hold the attempts is missed before any attempt', async () => {
    await using cli = await openCli();
    await challenge(cli);
    await cli.write({ 'r.json': recording(RIGHT), taken: 'a file' });
    const ended = await cli.run(['tdd', 'run', 'c', '--replay', 'r.json', '--out-dir', 'taken/x', '--json']);
    expect([ended.code, reportOf(ended).outcome]).toEqual([3, 'preflight-failed']);
    expect(reportOf(ended).reason).toContain(`attempts cannot be written to ${join(cli.dir, 'taken/x')}`);
  });

  test('a solution that hangs fails by the id of its test after --timeout', async () => {
    await using cli = await openCli();
    await challenge(cli);
    await cli.write({ 'r.json': recording('def two():\n    while True:\n        pass\n') });
    const args = ['--replay', 'r.json', '--timeout', '6', '--max-attempts', '1', '--json'];
    const report = reportOf(await cli.run(['tdd', 'run', 'c', ...args]));
    expect(report.iterations[0]?.evaluations[0]?.tests?.failing[0]?.id).toBe('test_solution.py::test_two');
  });

  test.each([
    ['the tests', 'import pathlib\npathlib.Path("test_solution.py").write_text("def test_two(): pass\\n")\n'],
    ['the runner', 'import os\nos._exit(0)\n'],
  ])('a solution that goes for %s instead of the task is not solved', async (_, code) => {
    await using cli = await openCli();
    await challenge(cli);
    await cli.write({ 'r.json': recording(code, code, code) });
    const ended = await cli.run(['tdd', 'run', 'c', '--replay', 'r.json', '--json']);
    expect([ended.code, reportOf(ended).success]).toEqual([1, false]);
  });
});

describe('a model behind a server', () => {
  test('the whole loop: the refine prompt holds specification, tests, last code and failure', async () => {
    await using cli = await openCli();
    await challenge(cli);
    await using server = await ollamaServer([
      repliesCode(WRONG, 'a first guess'),
      repliesCode(RIGHT, 'now 2'),
    ]);
    const options = ['--host', server.host, '--temperature', '0.2', '--out-dir', 'out'];
    const ended = await cli.run(['tdd', 'run', 'c', ...options]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('a first guess');
    const [first, refine] = server.asked;
    expect(first).toMatchObject({ model: 'mistral:7b-instruct', options: { temperature: 0.2 } });
    expect(first?.['format']).toMatchObject({ required: ['reasoning', 'code'] });
    expect(first?.['prompt']).toContain('Write `two()`, which gives 2.');
    expect(first?.['prompt']).toContain('def test_two()');
    for (const part of ['which gives 2', 'def test_two()', 'return 3', 'assert 3 == 2', '::test_two'])
      expect(refine?.['prompt']).toContain(part);
    const summary = await jsonIn(join(cli.dir, 'out'), 'summary.json');
    expect(summary).toMatchObject({ model: 'mistral:7b-instruct', final_status: 'solved' });
    expect(summary.attempts).toMatchObject([{ reasoning: 'a first guess' }, { reasoning: 'now 2' }]);
  });

  test('none that answers is missed before any attempt, with the command that mends it', async () => {
    await using cli = await openCli();
    await challenge(cli);
    const ended = await cli.run(['tdd', 'run', 'c', '--host', 'http://127.0.0.1:1', '--json']);
    expect([ended.code, reportOf(ended).outcome]).toEqual([3, 'preflight-failed']);
    expect(reportOf(ended).reason).toContain('no Ollama server answers at http://127.0.0.1:1');
    expect(reportOf(ended).reason).toContain('ollama serve');
  });

  test('a model that is not pulled is missed too, with the command that pulls it', async () => {
    await using cli = await openCli();
    await challenge(cli);
    await using server = await ollamaServer([repliesCode(RIGHT)], ['other:1b']);
    const ended = await cli.run(['tdd', 'run', 'c', '--host', server.host, '--model', 'qwen:7b', '--json']);
    expect([ended.code, reportOf(ended).outcome]).toEqual([3, 'preflight-failed']);
    expect(reportOf(ended).reason).toContain('ollama pull qwen:7b');
    expect(server.asked).toEqual([]);
  });

  test('a server that fails three times running ends it as an error, with exit code 5', async () => {
    await using cli = await openCli();
    await challenge(cli);
    await using server = await ollamaServer([answers(500, '{"error": "out of memory"}')]);
    const ended = await cli.run(['tdd', 'run', 'c', '--host', server.host, '--json']);
    expect([ended.code, reportOf(ended).outcome]).toEqual([5, 'driver-failed']);
    expect(reportOf(ended).reason).toContain('out of memory');
  });

  test('--model-timeout ends a generation that does not come to an end', async () => {
    await using cli = await openCli();
    await challenge(cli);
    await using server = await ollamaServer([drips]);
    const options = ['--host', server.host, '--model-timeout', '0.3', '--json'];
    const ended = await cli.run(['tdd', 'run', 'c', ...options]);
    expect(ended.code).toBe(5);
    expect(reportOf(ended).reason).toMatch(/--model-timeout|modelTimeoutMs/);
  });

  test('what was tried is whole when it is killed in the middle, and Ctrl-C closes it', async () => {
    await using cli = await openCli();
    await challenge(cli);
    for (const [signal, status] of [
      ['SIGKILL', null],
      ['SIGINT', 'error'],
    ] as const) {
      await using server = await ollamaServer([repliesCode(WRONG), hangsAfter('')]);
      const out = join(cli.dir, signal);
      const run = cli.start(['tdd', 'run', 'c', '--host', server.host, '--out-dir', signal]);
      await until(() => (server.asked.length === 2 && existsSync(join(out, 'attempt_01.json'))) || undefined);
      run.kill(signal);
      expect((await run.ended).code).toBe(signal === 'SIGINT' ? 130 : null);
      expect(await readFile(join(out, 'attempt_01.py'), 'utf8')).toBe(WRONG);
      const summary = await jsonIn(out, 'summary.json');
      expect(summary.final_status).toBe(status);
      expect(summary.attempts).toMatchObject([{ n: 1, code: WRONG, result: { failed: 1, passed: 1 } }]);
      expect(await jsonIn(out, 'attempt_01.json')).toEqual(summary.attempts[0]);
    }
  });
});

describe('tdd benchmark', () => {
  test('two challenges give a live table, a markdown table, and 1 unless all are solved', async () => {
    await using cli = await openCli();
    await challenge(cli, 'challenges/01_two');
    await challenge(cli, 'challenges/02_never');
    await cli.write({ 'challenges/02_never/test_solution.py': 'def test_never():\n    assert False\n' });
    await cli.write({ 'r.json': recording(WRONG, RIGHT) });
    const ended = await cli.run(['tdd', 'benchmark', '--all', '--replay', 'r.json', '--runs-dir', 'out']);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(
      /^\| Challenge +\| Status +\| Attempts used +\| First-pass\? +\| Total time \(s\) +\|\n/,
    );
    expect(ended.stdout).toMatch(/\| 01_two +\| solved +\| 2\/5 +\| no +\| +\d+\.\d +\|/);
    expect(ended.stdout).toMatch(/\| 02_never +\| exhausted +\| \d\/5 +\| no +\|/);
    expect(ended.stderr).toMatch(/01_two +solved +2\/5/);
    const dirs = (await readdir(join(cli.dir, 'out'))).map((name) => name.replace(/^\d{8}T\d{6}Z-/, ''));
    expect(dirs.sort()).toEqual(['01_two', '02_never']);

    const one = await cli.run(['tdd', 'benchmark', 'challenges/01_two', '--replay', 'r.json', '--json']);
    expect(one.code).toBe(0);
    expect(JSON.parse(one.stdout)).toMatchObject([{ challenge: '01_two', status: 'solved', attempts: 2 }]);
  });
});

test('a benchmark says once why challenges end in an error', async () => {
  await using cli = await openCli();
  await challenge(cli, 'one');
  await challenge(cli, 'two');
  const ended = await cli.run(['tdd', 'benchmark', 'one', 'two', '--host', 'http://127.0.0.1:1', '--json']);
  expect(ended.code).toBe(1);
  expect(ended.stderr.match(/no Ollama server answers/g)).toHaveLength(1);
  const reason = expect.stringContaining('ollama serve');
  expect(JSON.parse(ended.stdout)).toMatchObject([
    { challenge: 'one', status: 'error', reason },
    { challenge: 'two', status: 'error', reason },
  ]);
});

test('a run leaves nothing in the folder for temporary files', async () => {
  await using cli = await openCli();
  await challenge(cli);
  await cli.write({ 'r.json': recording(RIGHT), 'tmp/.keep': '' });
  await cli.run(['tdd', 'run', 'c', '--replay', 'r.json'], { env: { TMPDIR: join(cli.dir, 'tmp') } });
  const left = await readdir(join(cli.dir, 'tmp'));
  expect(left.filter((name) => name.startsWith('loopgen'))).toEqual([]);
  expect(tmpdir()).not.toBe(join(cli.dir, 'tmp'));
});
