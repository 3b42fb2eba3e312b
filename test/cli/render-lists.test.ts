import { describe, expect, test } from 'vitest';
import { renderCheck } from '../../src/cli/render-check.ts';
import { renderDryRun } from '../../src/cli/render-dry-run.ts';
import { renderList } from '../../src/cli/render-list.ts';
import { isLive, styleFor } from '../../src/cli/style.ts';
import { PLAIN } from '../../src/observers/style.ts';
import { checkLines } from '../../src/observers/transcript-lines.ts';
import { check, limits, test as result, verdict } from '../observers/story.ts';

describe('check on screen', () => {
  test('each check and each of its tests is shown', () => {
    const text = renderCheck(
      {
        spec: 'add-retry',
        workdir: '/project',
        verdict: verdict('fail', 'tests fails, lint is unusable (not-found)'),
        checks: [
          check({
            results: [result('t.py::a', 'failed'), result('t.py::b', 'passed'), result('t.py::c', 'skipped')],
          }),
          check({ name: 'size', status: 'pass', score: { value: 12, better: 'down' } }),
          check({ name: 'build', exitCode: 2, feedback: 'make: *** failed\n', judgedBy: 'exit-code' }),
          check({
            name: 'lint',
            status: 'unusable',
            cause: 'not-found',
            feedback: 'no eslint',
            caveats: ['exit code alone'],
          }),
        ],
      },
      PLAIN,
    );
    expect(text).toBe(
      [
        'add-retry',
        '  ✗ tests  1 of 3 passed, 1 failed, 1 skipped · 0.4 s',
        '      ✗ t.py::a  AssertionError: assert None == 1',
        '          at t.py:8',
        '      ✓ t.py::b',
        '      · t.py::c  skipped',
        '  ✓ size  score 12 · 0.4 s',
        '  ✗ build  exit 2 · 0.4 s',
        '      make: *** failed',
        '  ? lint  could not run (not-found) · 0.4 s',
        '      no eslint',
        '      caveat: exit code alone',
        '',
        'red  tests fails, lint is unusable (not-found)',
      ].join('\n'),
    );
  });

  test('of what a check said the end is shown, and how much is left out', () => {
    const plain = check({ status: 'fail', judgedBy: 'exit-code', feedback: 'a\nb\nc\nd\ne\nf\n' });
    expect(checkLines(plain, PLAIN).slice(1)).toEqual([
      '      … 3 more lines',
      '      d',
      '      e',
      '      f',
    ]);
    expect(checkLines({ ...plain, feedback: 'a\nb\n' }, PLAIN).slice(1)).toEqual(['      a', '      b']);
  });

  test('a suite that does not load is told with its error and the place of it', () => {
    const feedback = [
      'the suite does not load: 1 file with errors, no test ran',
      '- tests/test_a.py',
      'output:',
      'E     File "/w/calc.py", line 3',
      'E       def f(',
      'E            ^',
      "E   SyntaxError: '(' was never closed",
      '=== short test summary info ===',
      'ERROR tests/test_a.py',
      '=== 1 error ===',
    ].join('\n');
    const broken = check({ status: 'unusable', cause: 'collection', feedback });
    const shown = checkLines(broken, PLAIN);
    expect(shown[1]).toContain('the suite does not load');
    expect(shown[2]).toBe("      SyntaxError: '(' was never closed: /w/calc.py:3");
    expect(shown.slice(-1)).toEqual(['      === 1 error ===']);
  });

  test('a suite that is red though no test of it fails is told with its reason', () => {
    const feedback = '1 passed\nat least 2 tests must pass\n\noutput:\n=== 1 passed ===\n';
    const few = check({ results: [result('t.py::b', 'passed')], feedback });
    const once = { spec: 's', workdir: '/p', verdict: verdict('fail', 'tests fails'), checks: [few] };
    const lines = ['      ✓ t.py::b', '      at least 2 tests must pass', '', 'red  tests fails'];
    expect(renderCheck(once, PLAIN).split('\n').slice(2)).toEqual(lines);
    expect(checkLines(few, PLAIN).slice(1)).toEqual(['      at least 2 tests must pass']);
  });

  test('of a large suite the failing tests are all shown, of the others the first 200', () => {
    const results = Array.from({ length: 500 }, (_, n) =>
      result(`t::${n}`, n % 100 === 99 ? 'failed' : 'passed'),
    );
    const round = {
      spec: 's',
      workdir: '/',
      verdict: verdict('fail', 'tests fails'),
      checks: [check({ results })],
    };
    const lines = renderCheck(round, PLAIN).split('\n');
    expect(lines.filter((line) => line.includes('✗ t::'))).toHaveLength(5);
    expect(lines.filter((line) => line.includes('✓ t::'))).toHaveLength(200);
    expect(lines).toContain('      … 295 more that did not fail');
  });

  test('of long output without ids the end is shown', () => {
    const feedback = Array.from({ length: 50 }, (_, n) => `line ${n}`).join('\n');
    const round = { spec: 's', workdir: '/', verdict: verdict('fail', 'x'), checks: [check({ feedback })] };
    const text = renderCheck(round, PLAIN);
    expect(text).toContain('      … 30 lines before\n      line 30\n');
  });
});

describe('list on screen', () => {
  test('kinds are blocks, and what is missing is said', () => {
    const text = renderList(
      [
        { kind: 'drivers', name: 'mock', description: 'plays steps', available: true },
        {
          kind: 'drivers',
          name: 'opencode',
          description: 'runs opencode',
          available: false,
          notes: ['needs opencode, not found on PATH'],
        },
        { kind: 'tasks', name: 'generic', description: `${'d'.repeat(60)} and more`, available: true },
      ],
      PLAIN,
    );
    expect(text).toBe(
      [
        'drivers',
        '  ✓ mock      plays steps',
        '  ✗ opencode  runs opencode',
        '              needs opencode, not found on PATH',
        '',
        'tasks',
        `  ✓ generic   ${'d'.repeat(60)} and`,
        '              more',
      ].join('\n'),
    );
  });
});

describe('dry run on screen', () => {
  test('it shows places, checks, guards, caps, the resolved spec and the whole first prompt', () => {
    const text = renderDryRun(
      {
        spec: {
          version: 1,
          name: 'add-retry',
          requirements: 'Add three retries.',
          task: { type: 'function' },
          stack: {},
          workspace: { dir: './target', mode: 'in-place', snapshot: 'none', ignore: [] },
          setup: [],
          driver: { uses: 'mock', options: {}, session: 'resume' },
          escalate: [
            {
              after: ['no-progress', 'gave-up'],
              driver: { uses: 'command', options: { command: 'agent' }, session: 'resume' },
            },
          ],
          evaluators: [
            {
              uses: 'command',
              name: 'tests',
              options: { command: 'sh check.sh' },
              guard: [],
              timeoutMs: 600_000,
            },
          ],
          success: { type: 'all-pass' },
          protect: [],
          allow: [],
          limits: { ...limits, maxCostUsd: 5, maxTokens: 2_000_000, maxDurationMs: 3_600_000 },
          evaluation: { concurrency: 1, network: 'on' },
          env: { pass: [] },
          observability: { observers: [] },
          prompts: {},
        },
        workdir: '/project/target',
        stateDir: '/project/.loopgen',
        firstPrompt: { system: 'You are careful.', prompt: `Add three retries.\n${'long '.repeat(40)}` },
        rules: [
          { name: 'evaluator', reaction: 'error', because: 'the check "tests" runs it', paths: ['check.sh'] },
          { name: 'spec', reaction: 'off', because: 'it is the spec', paths: ['a.loop.yaml'] },
        ],
        commands: [{ check: 'tests', command: 'sh check.sh' }],
        notices: ['snapshot: git is not written'],
      },
      PLAIN,
    );
    expect(text).toContain('add-retry: nothing runs, nothing is written\nworks in    /project/target\n');
    expect(text).toContain('then        command, after no-progress or gave-up\n');
    expect(text).toContain('check       tests: sh check.sh\ndone when   every check passes\n');
    expect(text).toContain('guard       evaluator (error): check.sh; the check "tests" runs it\n');
    expect(text).not.toContain('it is the spec');
    expect(text).toContain('5 iterations · patience 3 · the whole run 1:00:00 · cost $5 · tokens');
    expect(text).toContain('no cap on a turn, silence');
    expect(text).toContain('notice      snapshot: git is not written');
    expect(text).toContain('── spec, resolved ──\nversion: 1\nname: add-retry\n');
    expect(text).toContain('── first prompt, system part ──\nYou are careful.\n');
    expect(text).toContain('long '.repeat(39));
  });
});

describe('style', () => {
  const pipe = { write: () => {} };
  const terminal = { write: () => {}, isTTY: true, columns: 132 };
  const utf8 = { LANG: 'en_GB.UTF-8', TERM: 'xterm' };
  const coloured = (stream: typeof pipe, env: Record<string, string>) =>
    styleFor(stream, env).colours.red('x') !== 'x';

  test.each([
    ['a pipe', pipe, {}, false],
    ['a terminal', terminal, {}, true],
    ['a terminal with NO_COLOR', terminal, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', terminal, { NO_COLOR: '' }, true],
    ['a dumb terminal', terminal, { TERM: 'dumb' }, false],
    ['a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, true],
    ['a terminal with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
    ['a pipe with both', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('colour on %s', (_, stream, env, expected) => {
    expect(coloured(stream, { ...utf8, ...env })).toBe(expected);
  });

  test.each([
    [{ LANG: 'C' }, '+'],
    [{ LANG: 'en_GB.UTF-8' }, '✓'],
    [{ LANG: 'en_GB.utf8' }, '✓'],
    [{ LANG: 'en_GB.UTF-8', LC_ALL: 'POSIX' }, '+'],
    [{ LANG: 'de_DE.ISO-8859-1' }, '+'],
  ])('with the locale %j a pass is %s', (env, symbol) => {
    expect(styleFor(pipe, env).symbols.pass).toBe(symbol);
  });

  test.each([
    [undefined, 80],
    [0, 80],
    [20, 40],
    [132, 120],
    [100, 100],
  ])('%s columns give a width of %i', (columns, width) => {
    expect(
      styleFor({ write: () => {}, isTTY: true, ...(columns !== undefined && { columns }) }, utf8).width,
    ).toBe(width);
  });

  test('a pipe is 80 columns wide whatever it says', () => {
    expect(styleFor({ write: () => {}, columns: 200 }, utf8).width).toBe(80);
  });

  test('only a terminal that is not dumb is live', () => {
    expect([isLive(terminal, utf8), isLive(terminal, { TERM: 'dumb' }), isLive(pipe, utf8)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
