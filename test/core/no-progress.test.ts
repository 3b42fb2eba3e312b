import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/core/check.ts';
import { gotBetter, repeatsOf, stuck } from '../../src/core/no-progress.ts';
import { turnFailed } from '../../src/core/stop.ts';
import { verdictOf } from '../../src/core/verdict.ts';
import { green, red, suite, unusable } from './checks.ts';
import { historyOf, type Sketch } from './histories.ts';

const silent = [red('todo', '')];
const loud = [red('c', 'expected 1')];
const other = [red('c', 'expected 2')];
const times = (n: number, sketch: Sketch): Sketch[] => Array.from({ length: n }, () => sketch);
const causeOf = (sketches: readonly Sketch[], patience = 3, before: readonly Check[] = loud) =>
  stuck(historyOf(sketches, { before }), patience, turnFailed)?.cause;

const scored = (value: number, better: 'up' | 'down' = 'up') => [
  red('c', 'not enough', { score: { value, better } }),
];

describe('what leads nowhere', () => {
  const table: [string, Sketch[], string][] = [
    ['the same failure each time', times(3, { checks: loud }), 'same-failure'],
    [
      'the same failing tests, whatever else differs',
      times(3, { checks: [suite('s', ['t1'])] }),
      'same-failure',
    ],
    ['a check that cannot run for the same reason', times(3, { checks: [unusable('c')] }), 'same-failure'],
    ['nothing changes', times(3, { tree: 'start', checks: silent }), 'nothing-changed'],
    ['only refused edits', times(3, { tree: 'start', checks: silent, refused: [{}] }), 'only-refused-edits'],
    [
      'refused edits once and nothing later',
      [{ tree: 'start', checks: silent, refused: [{}] }, ...times(2, { tree: 'start', checks: silent })],
      'nothing-changed',
    ],
    [
      'A-B-A',
      [
        { tree: 'A', checks: silent },
        { tree: 'B', checks: silent },
        { tree: 'A', checks: silent },
      ],
      'tree-seen-before',
    ],
    [
      'back to the start after some turns',
      [
        { tree: 'A', checks: silent },
        { tree: 'B', checks: silent },
        { tree: 'start', checks: silent },
      ],
      'tree-seen-before',
    ],
    [
      'the same undone edit again and again',
      times(3, { tree: 'A', changed: true, checks: silent, reverted: 'regression' }),
      'tree-seen-before',
    ],
    [
      'a green that is never confirmed, with the same failure',
      times(3, { checks: [green('c')], confirm: loud }),
      'same-failure',
    ],
  ];
  test.each(table)('%s', (_, sketches, cause) => {
    expect(causeOf(sketches)).toBe(cause);
    expect(causeOf(sketches.slice(0, 2)), 'within patience').toBeUndefined();
  });

  test('a patience of one ends after the first turn that changes nothing', () => {
    expect(causeOf([{ tree: 'start', checks: silent }], 1)).toBe('nothing-changed');
    expect(causeOf([{ tree: 'A', checks: silent }], 1)).toBeUndefined();
  });
});

describe('what is progress', () => {
  const table: [string, Sketch[], Check[]?][] = [
    ['a silent check over a tree that is new each time', times(20, { checks: silent })],
    ['other failures', [{ checks: loud }, { checks: other }, { checks: loud }, { checks: other }]],
    [
      'other failing tests',
      [
        ['a', 'b'],
        ['b', 'c'],
        ['a', 'c'],
      ].map((ids) => ({ checks: [suite('s', ids)] })),
    ],
    [
      'fewer failing tests',
      [['a', 'b', 'c'], ['a', 'b'], ['a']].map((ids) => ({ checks: [suite('s', ids)] })),
    ],
    ['a better score with the same words', [1, 2, 3].map((n) => ({ checks: scored(n) }))],
    ['a smaller score where smaller is better', [3, 2, 1].map((n) => ({ checks: scored(n, 'down') }))],
    ['a better number without a changed file', [1, 2, 3].map((n) => ({ tree: 'start', checks: scored(n) }))],
    [
      'other failing tests without a changed file',
      [['a'], ['b'], ['c']].map((ids) => ({ tree: 'start', checks: [suite('s', ids)] })),
      [suite('s', ['x'])],
    ],
    [
      'turns in which the agent could not be run',
      times(5, { tree: 'start', checks: silent, agent: { stopReason: 'error' } }),
    ],
    [
      'a turn without a change after turns that the engine undid',
      [
        { tree: 'A', checks: silent, reverted: 'regression' },
        { tree: 'B', checks: silent, reverted: 'regression' },
        { tree: 'start', changed: false, checks: silent },
      ],
    ],
  ];
  test.each(table)('%s', (_, sketches, before = scored(0)) => {
    expect(causeOf(sketches, 3, before)).toBeUndefined();
  });

  test('a worse score with the same words is none', () => {
    expect(causeOf([3, 2, 1].map((n) => ({ checks: scored(n) })))).toBe('same-failure');
  });

  test('turns that failed are left out between others', () => {
    const broken: Sketch = { tree: 'start', checks: loud, agent: { stopReason: 'stalled' } };
    const idle: Sketch = { tree: 'start', checks: silent };
    expect(causeOf([idle, broken, idle, broken])).toBeUndefined();
    expect(causeOf([idle, broken, idle, broken, idle])).toBe('nothing-changed');
  });

  test('an agent that failed after it changed something did work', () => {
    const crashed: Sketch = { checks: loud, agent: { stopReason: 'error' } };
    expect(causeOf([crashed, crashed, crashed])).toBe('same-failure');
  });
});

test('how long it went nowhere is counted', () => {
  const history = historyOf(times(7, { checks: loud }), { before: loud });
  expect(stuck(history, 3, turnFailed)).toEqual({ cause: 'same-failure', times: 7 });
});

test('an iteration that was not judged is no evidence', () => {
  expect(causeOf([...times(3, { checks: loud }), {}])).toBeUndefined();
});

test('repeats count only a failure that says something', () => {
  const count = (sketches: Sketch[]) => repeatsOf(historyOf(sketches).iterations);
  expect(count([{ checks: other }, ...times(2, { checks: loud })])).toBe(2);
  expect(count(times(4, { checks: silent }))).toBe(0);
  expect(count(times(2, { checks: [green('c')] }))).toBe(0);
  expect(count([])).toBe(0);
});

describe('one round is better than another with', () => {
  const round = (...checks: Check[]) => ({ checks, verdict: verdictOf({ type: 'all-pass' }, checks) });
  const table: [string, Check[], Check[], boolean][] = [
    ['more passing checks', [red('a'), red('b')], [green('a'), red('b')], true],
    ['more passing tests', [suite('s', ['t'], 1)], [suite('s', ['t'], 2)], true],
    ['fewer failing tests', [suite('s', ['t', 'u'], 1)], [suite('s', ['t'], 1)], true],
    ['fewer failing tests because fewer ran', [suite('s', ['t'], 2)], [suite('s', [], 1)], true],
    ['fewer failing tests because it broke', [suite('s', ['t', 'u'], 1)], [unusable('s')], false],
    ['fewer failing and fewer passing tests', [suite('s', ['t', 'u'], 5)], [suite('s', ['t'], 2)], false],
    ['a better score', scored(1), scored(2), true],
    ['a worse score', scored(2), scored(1), false],
    ['the same', [red('a')], [red('a')], false],
  ];
  test.each(table)('%s', (_, then, now, better) => {
    expect(gotBetter(round(...then), round(...now))).toBe(better);
  });
});
