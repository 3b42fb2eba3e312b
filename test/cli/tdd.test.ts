import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openCli, reportOf } from '../support/cli.ts';
import { challenge, jsonIn, RIGHT, recording, STUB } from './challenge.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RECORDING = join(ROOT, 'recordings/lru-cache-mistral-7b.json');
const LRU = join(ROOT, 'challenges/04_lru_cache');

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
