import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answers, drips, hangsAfter, ollamaServer, repliesCode } from '../drivers/ollama-server.ts';
import { openCli, reportOf, until } from '../support/cli.ts';
import { challenge, jsonIn, RIGHT, recording, WRONG } from './challenge.ts';

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
      // The summary is the last of what an attempt writes.
      await until(() => server.asked.length === 2 || undefined);
      await until(async () => (await jsonIn(out, 'summary.json')).attempts.length === 1 || undefined);
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
