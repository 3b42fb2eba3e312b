import { expect, test } from 'vitest';
import { caveatsOf } from '../../src/core/caveats.ts';
import type { History } from '../../src/core/history.ts';
import { checkAgainstLedger } from '../../src/core/ledger.ts';
import { check, green, red } from './checks.ts';
import { historyOf, type Sketch } from './histories.ts';

const won = (sketch: Sketch, more: Parameters<typeof historyOf>[1] = {}) =>
  caveatsOf(historyOf([sketch], { outcome: { kind: 'success' }, ...more }));

test('a plain green has no caveat', () => {
  expect(won({ checks: [green('c')] })).toEqual([]);
});

test('a green in a tree that did not change is told', () => {
  expect(won({ checks: [green('c')] }, { changed: [] })).toEqual([
    'green, but nothing in the workspace changed',
  ]);
});

test('a green after a turn that did not end well is told', () => {
  expect(won({ checks: [green('c')], agent: { stopReason: 'max-turns' } })[0]).toContain('max-turns');
  expect(won({ checks: [green('c')], agent: { stopReason: 'error' } })[0]).toContain('error');
});

test('refused edits are counted, and those that stand are named', () => {
  const caveats = won({ checks: [green('c')], refused: [{}, {}, { reaction: 'warn', path: 'check.sh' }] });
  expect(caveats).toEqual([
    '2 edits of what judges the work were refused',
    'the agent edited what judges the work: check.sh',
  ]);
  expect(won({ checks: [green('c')], refused: [{}] })).toEqual([
    '1 edit of what judges the work was refused',
  ]);
});

test('a verdict by exit code alone and the caveats of a check are told with its name', () => {
  const lint = check('lint', { passed: true, judgedBy: 'exit-code', caveats: ['runs with a pipe'] });
  expect(won({ checks: [lint] })).toEqual([
    '"lint" is judged by its exit code alone',
    '"lint": runs with a pipe',
  ]);
});

test('what a confirmation stands on is told', () => {
  const [last] = historyOf([{ checks: [green('c')] }]).iterations;
  const confirmation = {
    how: 'room',
    checks: [],
    room: { kind: 'workspace' },
    allowed: ['conftest.py'],
    caveats: ['test_b.py was green and was edited'],
  } as const;
  const history = historyOf([], { outcome: { kind: 'success' }, before: [red('c')] });
  const told = caveatsOf({
    ...history,
    baseline: { checks: [], room: { kind: 'workspace', because: 'the checks differ elsewhere' } },
    ...(last && { iterations: [{ ...last, confirmation }] }),
  });
  expect(told).toEqual([
    'confirmed by a rerun in the workspace, not in a room: the checks differ elsewhere',
    'let in by "allow": conftest.py',
    'test_b.py was green and was edited',
  ]);
});

test('what the patch holds is told with its place, ten at most', () => {
  const [last] = historyOf([{ checks: [green('c')] }]).iterations;
  const suspicions = Array.from({ length: 12 }, (_, line) => ({
    path: 'a.py',
    line: line + 1,
    name: 'patched-clock',
    because: 'it replaces the clock',
  }));
  const history = historyOf([], { outcome: { kind: 'success' } });
  const told = caveatsOf({ ...history, ...(last && { iterations: [{ ...last, suspicions }] }) });
  expect(told).toHaveLength(11);
  expect(told[0]).toBe('in the patch, a.py:1: it replaces the clock');
  expect(told[10]).toBe('in the patch, 2 more constructs of this kind');
});

test('red tests that were found under another id are told', () => {
  const one = (id: string, passed: boolean) =>
    check('s', { passed, judgedBy: 'test-ids', tests: [{ id, status: passed ? 'passed' : 'failed' }] });
  const held = checkAgainstLedger(one('a.py::B::t', true), one('a.py::A::t', false));
  expect(won({ checks: [held] })).toEqual([
    '"s": tests that were red were found under another id: a.py::A::t → a.py::B::t',
  ]);
});

test('what of the work the checks did not see is told, whatever the run came to', () => {
  const history = historyOf([{ checks: [red('c')] }]);
  const [last] = history.iterations;
  const keptOut = [{ path: 'conftest.py', because: 'pytest reads it', allow: 'allow: ["conftest.py"]' }];
  const told = (outcome: History['outcome']) =>
    caveatsOf({
      ...history,
      ...(outcome && { outcome }),
      ...(last && { iterations: [{ ...last, keptOut }] }),
    });
  const line =
    'conftest.py: the agent’s version did not count where the checks ran (pytest reads it); to accept it, write in the spec: allow: ["conftest.py"]';
  expect(told({ kind: 'success' })).toEqual([line]);
  expect(told({ kind: 'max-iterations', limit: 1 })).toEqual([line]);
});

test('a run that is not green has no other', () => {
  expect(caveatsOf(historyOf([{ checks: [red('c')], refused: [{}] }], { changed: [] }))).toEqual([]);
});
