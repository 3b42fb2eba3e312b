import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Proposer } from '../../src/core/plugin.ts';
import { proposerDriver } from '../../src/drivers/proposer.ts';
import { tempDir } from '../support/temp-dir.ts';
import { turnIn } from './turn.ts';

const oneFile: Proposer = () => ({ reasoning: 'why', files: [{ path: 'a.txt', content: 'a\n' }] });

test('a proposal is written through the guard', async () => {
  await using dir = await tempDir();
  const files = ['a.txt', 'test_a.py', '../out.txt'].map((path) => ({ path, content: 'x' }));
  const driver = proposerDriver('mine', async () => ({ reasoning: '', files }));
  const t = await turnIn(dir.path, {}, { protect: ['test_a.py'] });
  const result = await driver.run(t);
  expect(result).toMatchObject({ stopReason: 'completed', proposal: { files } });
  expect(result.summary).toMatch(
    /^wrote a.txt; test_a.py was not written: it is protected; \.\.\/out.txt was not written/,
  );
  expect(result.problem).toMatch(/test_a.py was not written/);
  expect(await readFile(join(t.workdir, 'a.txt'), 'utf8')).toBe('x');
  await expect(readFile(join(t.workdir, 'test_a.py'))).rejects.toThrow();
});

test('is a one-shot driver under its own name, whose usage is unknown', async () => {
  await using dir = await tempDir();
  const driver = proposerDriver('mine', oneFile);
  expect(driver).toMatchObject({ name: 'mine', kind: 'one-shot', reportsUsage: false });
  expect(await driver.run(await turnIn(dir.path, {}))).toEqual({
    stopReason: 'completed',
    summary: 'why — wrote a.txt',
    proposal: { reasoning: 'why', files: [{ path: 'a.txt', content: 'a\n' }] },
  });
});

test('null is giving up; no file is a turn in which nothing was proposed', async () => {
  await using dir = await tempDir();
  expect(await proposerDriver('p', () => null).run(await turnIn(dir.path, {}))).toMatchObject({
    stopReason: 'gave-up',
  });
  const empty = proposerDriver('p', () => ({ reasoning: '', files: [] }));
  expect(await empty.run(await turnIn(dir.path, {}))).toMatchObject({
    stopReason: 'completed',
    summary: 'proposed no file',
  });
});

test('what it throws is the failure of the driver', async () => {
  await using dir = await tempDir();
  const driver = proposerDriver('p', () => {
    throw new Error('out of ideas');
  });
  await expect(driver.run(await turnIn(dir.path, {}))).rejects.toThrow('out of ideas');
});

test('one that never answers does not outlast an abort, and a late proposal is not written', async () => {
  await using dir = await tempDir();
  const controller = new AbortController();
  let answer = (_: null) => {};
  const driver = proposerDriver('p', () => new Promise<null>((resolve) => (answer = resolve)));
  const running = driver.run(await turnIn(dir.path, {}, { signal: controller.signal }));
  controller.abort('timed-out');
  expect(await running).toMatchObject({ stopReason: 'timed-out' });
  answer(null);

  const t = await turnIn(dir.path, {}, { signal: AbortSignal.abort() });
  expect(await proposerDriver('p', oneFile).run(t)).toMatchObject({ stopReason: 'aborted' });
  await expect(readFile(join(t.workdir, 'a.txt'))).rejects.toThrow();
});
