import { describe, expect, test } from 'vitest';
import {
  type BenchmarkRow,
  renderBenchmarkHead,
  renderBenchmarkMarkdown,
  renderBenchmarkRow,
} from '../../src/cli/render-benchmark.ts';
import { attemptStatus, renderTddEnd, replyPanels, tracebackPanel } from '../../src/cli/render-tdd.ts';
import { benchmarkScreen, tddObserver, tddScreen } from '../../src/cli/tdd-screen.ts';
import type { Happening } from '../../src/core/event.ts';
import type { Screen } from '../../src/observers/status-line.ts';
import { PLAIN } from '../../src/observers/style.ts';
import { displayWidth } from '../../src/observers/text-width.ts';
import { challengeStory, check, completed, stamped, verdict } from '../observers/story.ts';
import { reported } from './reported.ts';

function screen(): Screen & { readonly text: () => string } {
  let all = '';
  return {
    write: (text) => {
      all += text;
    },
    text: () => all,
  };
}

async function play(story: readonly Happening[], width = 80, live = false) {
  const [out, err] = [screen(), screen()];
  const style = { ...PLAIN, width };
  const observer = tddObserver({
    out,
    style,
    err,
    statusStyle: style,
    live,
    model: 'mistral:7b-instruct',
    verbose: true,
    now: () => 65_000,
  });
  for (const event of stamped(story)) {
    await observer.onEvent(event);
    if (event.type === 'iteration.started') {
      observer.onProgress?.({ type: 'waiting', what: 'generating, 212 tokens' });
      observer.onProgress?.({ type: 'agent.output', text: '{"reasoning": ' });
    }
  }
  await observer.close?.();
  return { out: out.text(), err: err.text() };
}

describe('screen of a challenge', () => {
  test('each attempt is shown with its reasoning, code, first traceback and status', async () => {
    const { out } = await play(challengeStory);
    const lines = out.split('\n');
    expect(lines.filter((line) => line.startsWith('── attempt'))).toEqual([
      expect.stringMatching(/^── attempt 1 of 4 · mistral:7b-instruct ─+$/),
      expect.stringMatching(/^── attempt 2 of 4 · mistral:7b-instruct ─+$/),
      expect.stringMatching(/^── attempt 3 of 4 · mistral:7b-instruct ─+$/),
    ]);
    expect(lines.filter((line) => line === 'reasoning')).toHaveLength(3);
    expect(lines.filter((line) => line === 'first traceback')).toHaveLength(2);
    expect(out).toContain('   7 │ nclass LRUCache:\n');
    expect(out).toContain('  E   SyntaxError: invalid syntax\n');
    expect(lines.filter((line) => / model, .* tests$/.test(line))).toEqual([
      '? does not load · 3:10 model, 0.7 s tests',
      '✗ 0/8 passed · 3:10 model, 0.6 s tests',
      '✓ 8/8 passed · 3:10 model, 0.5 s tests',
    ]);
  });

  test.each([40, 80])('no panel is wider than %i columns', async (width) => {
    const { out } = await play(challengeStory, width);
    for (const line of out.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  test('on a terminal the status line shows the generation as it goes', async () => {
    const { err } = await play(challengeStory, 80, true);
    expect(err).toContain('generating · 0:00 · mistral:7b-instruct');
    expect(err).toContain('check tests · 0:00');
    expect(err.endsWith('\r\u001b[K')).toBe(true);
  });

  test('without a terminal the only thing told beside the panels is what the model writes', async () => {
    const { err } = await play(challengeStory);
    expect(err).toBe('  │ {"reasoning":\n'.replace(':\n', ': \n').repeat(3));
  });

  test('refused edits, undone attempts and a green that does not hold are told', async () => {
    const { out } = await play([
      ...challengeStory.slice(0, -1),
      {
        type: 'edit.refused',
        iteration: 2,
        violation: { rule: 'protected', reaction: 'revert', path: 'conftest.py', because: 'it judges' },
        putBack: true,
      },
      { type: 'confirmation.judged', iteration: 2, how: 'rerun', verdict: verdict('fail', 'tests fails') },
      { type: 'workspace.reverted', iteration: 2, because: 'unusable', tree: 't', total: [], totalStat: '' },
    ]);
    expect(out).toContain('refused   conftest.py (protected): it judges; put back');
    expect(out).toContain('red       not confirmed in a rerun: tests fails');
    expect(out).toContain('undone    after it the checks could not run');
  });

  test('a reply that could not be used is shown as that', () => {
    const problem = 'the reply is no JSON: it begins with "Sure"';
    expect(replyPanels({ stopReason: 'completed', summary: '', problem }, PLAIN)).toEqual([
      'no usable reply',
      `  ${problem}`,
    ]);
    expect(replyPanels({ stopReason: 'gave-up', summary: 'nothing left' }, PLAIN)).toEqual([
      'no usable reply',
      '  nothing left',
    ]);
  });

  test('what is to be said of a reply that was written is no verdict on it', () => {
    const result = {
      ...completed,
      proposal: { reasoning: 'r', files: [] },
      problem: 'newlines escaped twice',
    };
    expect(replyPanels(result, PLAIN)).toContain('about the reply');
    expect(replyPanels({ ...completed, problem: 'no JSON' }, PLAIN)).toContain('no usable reply');
  });

  test('a long line of code goes on below, without a number of its own', () => {
    const proposal = {
      reasoning: 'r',
      files: [{ path: 'solution.py', content: `x = "${'a'.repeat(80)}"\n` }],
    };
    const lines = replyPanels({ stopReason: 'completed', summary: '', proposal }, PLAIN);
    expect(lines.slice(2)).toEqual([
      'solution.py',
      `  1 │ x = "${'a'.repeat(68)}`,
      `    │ ${'a'.repeat(12)}"`,
    ]);
  });

  test('the middle of a long traceback is left out, and that is said', () => {
    const detail = Array.from({ length: 60 }, (_, i) => `line ${i}`).join('\n');
    const failing = [{ id: 'a', status: 'failed' as const, detail }];
    const lines = tracebackPanel([check({ results: failing })], PLAIN);
    expect(lines).toHaveLength(1 + 8 + 1 + 22);
    expect(lines[9]).toBe('  … 30 lines left out');
    expect(lines.at(-1)).toBe('  line 59');
  });

  test.each([
    [check({ status: 'unusable', cause: 'timeout' }), '? could not run (timeout)'],
    [check({ status: 'fail' }), '✗ tests fail'],
    [check({ status: 'pass' }), '✓ tests pass'],
  ])('a suite without ids has a status too', (suite, expected) => {
    expect(attemptStatus([suite], 1000, PLAIN)).toBe(`${expected} · 1.0 s model, 0.4 s tests`);
  });

  test('an attempt that was not judged says so', () => {
    expect(attemptStatus([], 0, PLAIN)).toBe('? not judged');
  });

  test('the end names the verdict, the trust and where the attempts lie', () => {
    const text = renderTddEnd(reported(challengeStory), PLAIN, 'runs/x');
    expect(text).toContain('solved      at attempt 3: every success criterion is met');
    expect(text).toContain('trust       ');
    expect(text).toContain('attempts    runs/x');
  });

  test('quiet has no screen; json leaves standard output to the report', () => {
    const [stdout, stderr] = [screen(), screen()];
    const context = { stdout, stderr, env: {}, cwd: '/', signal: new AbortController().signal };
    const of = (flags: Record<string, unknown>) => tddScreen(context as never, { model: 'm', ...flags });
    expect(of({ logLevel: 'quiet' })).toEqual([]);
    const [observer] = of({ json: true });
    for (const event of stamped(challengeStory)) void observer?.onEvent(event);
    expect(stdout.text()).toBe('');
    expect(stderr.text()).toContain('attempt 1 of 4 - m');
  });
});

describe('screen of a benchmark', () => {
  const play = async (isTTY: boolean) => {
    const err = screen();
    const stderr = Object.assign(err, { isTTY, columns: 80 });
    const env = { LANG: 'C.UTF-8', TERM: 'xterm' };
    const context = { stdout: screen(), stderr, env, cwd: '/', signal: new AbortController().signal };
    for (const observer of benchmarkScreen(context as never, {}, 'challenges/04_lru_cache')) {
      for (const event of stamped(challengeStory)) {
        await observer.onEvent(event);
        if (event.type === 'iteration.started')
          observer.onProgress?.({ type: 'waiting', what: 'generating, 212 tokens' });
      }
      await observer.close?.();
    }
    return err.text();
  };

  test('on a terminal the status line names the challenge and what it waits for, and nothing stays', async () => {
    const text = await play(true);
    expect(text).toContain('challenges/04_lru_cache · generating · 0:00 · ollama');
    expect(text).toContain('challenges/04_lru_cache · check tests · 0:00');
    expect(text.endsWith('\r\u001b[K')).toBe(true);
    expect(text).not.toContain('\n');
  });

  test('without a terminal there is none', async () => {
    expect(await play(false)).toBe('');
  });
});

describe('benchmark table', () => {
  const rows: BenchmarkRow[] = [
    { challenge: '01_fizzbuzz', status: 'solved', attempts: 1, maxAttempts: 4, durationMs: 154_700 },
    { challenge: '04_lru_cache', status: 'solved', attempts: 3, maxAttempts: 4, durationMs: 523_500 },
    { challenge: '05_word_frequency|odd', status: 'error', attempts: 3, maxAttempts: 4, durationMs: 329_400 },
  ];

  test('as markdown it has the five columns and the sum', () => {
    expect(renderBenchmarkMarkdown(rows)).toBe(
      [
        '| Challenge | Status | Attempts used | First-pass? | Total time (s) |',
        '| --- | --- | --- | --- | ---: |',
        '| 01_fizzbuzz | solved | 1/4 | yes | 154.7 |',
        '| 04_lru_cache | solved | 3/4 | no | 523.5 |',
        '| 05_word_frequency\\|odd | error | 3/4 | no | 329.4 |',
        '',
        '2/3 solved',
      ].join('\n'),
    );
  });

  test('the live table has straight columns within 80', () => {
    const lines = [renderBenchmarkHead(PLAIN), ...rows.map((row) => renderBenchmarkRow(row, PLAIN))];
    expect(lines).toEqual([
      'Challenge                  Status     Attempts used  First-pass?  Total time (s)',
      '01_fizzbuzz                solved     1/4            yes                   154.7',
      '04_lru_cache               solved     3/4            no                    523.5',
      '05_word_frequency|odd      error      3/4            no                    329.4',
    ]);
  });
});
