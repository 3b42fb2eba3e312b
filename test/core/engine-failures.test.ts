import { describe, expect, test } from 'vitest';
import { LoopgenError } from '../../src/core/error.ts';
import type { Ports } from '../../src/core/ports.ts';
import { type Judge, memoryWorkspace, type Scripted } from '../../src/testing/index.ts';
import { play } from './play.ts';

const done: Judge = async (read) => ({ passed: (await read('a.txt')) === 'done', feedback: 'not yet' });
const steps: Scripted[] = [{ write: { 'a.txt': 'x' } }, { write: { 'a.txt': 'done' } }];
const bang = () => {
  throw new Error('bang');
};

describe('what breaks below the loop ends the run as an error, never as a rejection', () => {
  const table: [string, Partial<Ports>][] = [
    ['preflight', { preflight: async () => bang() }],
    ['the obstacle', { obstacle: bang }],
    ['a turn', { drive: async () => bang() }],
    ['the checks', { evaluate: async () => bang() }],
    ['the folder of the records', { recordFile: bang }],
  ];
  test.each(table)('%s', async (_, ports) => {
    const { report, exitCode } = await play({ checks: { done }, steps, ports });
    expect(report).toMatchObject({ outcome: 'error', reason: 'bang' });
    expect(exitCode).toBe(70);
  });

  test('with what to do about it, where that is known', async () => {
    const snapshot = async () => {
      throw new LoopgenError('gone', 'it is gone', { hint: 'put it back' });
    };
    const workspace = { ...memoryWorkspace({ 'a.txt': 'todo' }), snapshot };
    const { report } = await play({ workspace, checks: { done }, steps });
    expect(report).toMatchObject({ outcome: 'error', reason: 'it is gone: put it back' });
  });

  test.each(['snapshot', 'restore', 'savePatch', 'diff', 'whileChecking'] as const)(
    '%s of the workspace',
    async (method) => {
      const workspace = {
        ...memoryWorkspace({ 'a.txt': 'todo', 'judge.txt': '1' }),
        [method]: async () => bang(),
      };
      const { report } = await play({
        workspace,
        checks: { c: () => false },
        rules: [
          {
            name: 'evaluator',
            reaction: 'revert',
            because: '',
            paths: [],
            matches: (path) => path === 'judge.txt',
          },
        ],
        kind: 'agent',
        steps: [
          () => {
            workspace.files.set('judge.txt', '2').set('a.txt', 'x');
            return {};
          },
        ],
      });
      expect(report).toMatchObject({ outcome: 'error', reason: 'bang' });
    },
  );

  test('a stop policy of the user', async () => {
    const { report } = await play({ checks: { done }, steps, policy: bang });
    expect(report).toMatchObject({ outcome: 'error', reason: 'bang' });
  });
});

test('records that fail in the middle end the run after that iteration', async () => {
  let asked = 0;
  const failure = () => (asked++ > 1 ? 'disk full' : undefined);
  const { report } = await play({ checks: { done: () => false }, steps, ports: { failure } });
  expect(report).toMatchObject({ outcome: 'error', reason: 'disk full' });
  expect(report.iterations).toHaveLength(1);
});

test('known secrets are taken out of every event', async () => {
  const { report, events } = await play({
    files: { 'a.txt': 'todo' },
    checks: { done: async (read) => ({ passed: false, feedback: `says ${await read('a.txt')}` }) },
    steps: [{ write: { 'a.txt': 'key-1234' }, result: { summary: 'used key-1234' } }],
    limits: { maxIterations: 1 },
    ports: { redact: (value) => JSON.parse(JSON.stringify(value).replaceAll('key-1234', '<redacted>')) },
  });
  expect(JSON.stringify(events)).not.toContain('key-1234');
  expect(JSON.stringify(report)).toContain('says <redacted>');
});

test('what the workspace has to say is among the warnings', async () => {
  const workspace = memoryWorkspace({ 'a.txt': 'todo' }, { notices: ['big.bin is too large to keep'] });
  const { report } = await play({ workspace, checks: { done }, steps });
  expect(report.warnings).toContain('big.bin is too large to keep');
});
