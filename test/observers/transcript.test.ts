import { describe, expect, test } from 'vitest';
import type { ChosenRoom, Happening } from '../../src/core/event.ts';
import type { Screen } from '../../src/observers/status-line.ts';
import { PLAIN, type Style } from '../../src/observers/style.ts';
import { displayWidth } from '../../src/observers/text-width.ts';
import { type TranscriptOptions, transcriptObserver } from '../../src/observers/transcript.ts';
import { agentStory, challengeStory, check, test as result, runStarted, stamped, verdict } from './story.ts';

const CLEAR = '\r\u001b[K';

function screen(): Screen & { readonly text: () => string } {
  let all = '';
  return {
    write: (text) => {
      all += text;
    },
    text: () => all,
  };
}

async function play(story: readonly Happening[], change: Partial<TranscriptOptions> = {}): Promise<string> {
  const on = screen();
  const observer = transcriptObserver({ screen: on, style: PLAIN, live: false, now: () => 0, ...change });
  for (const event of stamped(story)) await observer.onEvent(event);
  await observer.close?.();
  return on.text();
}

describe('transcript', () => {
  test('a run is told line by line', async () => {
    expect(await play(agentStory)).toMatchInlineSnapshot(`
      "add-retry
        with      claude · in /project/target

      baseline
        ✗ tests  0 of 1 passed, 1 failed · 0.4 s
            test_a.py::test_one  AssertionError: assert None == 1
        red       tests fails

      iteration 1 of 5 · claude
        agent     done · 42.0 s · 1,200 tokens in, 340 out · $0.02
                  added the retries
        refused   test_a.py (evaluator): the check "tests" runs it; put back
        changed   M src/fetch.py  (+3 -1)
        ✗ tests  0 of 1 passed, 1 failed · 0.4 s
            test_a.py::test_one  AssertionError: assert None == 1
        red       tests fails
        warning   the agent touched a test

      iteration 2 of 5 · claude
        agent     done · 30.0 s · 1,200 tokens in, 340 out · $0.02
                  added the retries
        changed   M src/fetch.py, A src/wait.py  (+10 -1)
        ✓ tests  1 of 1 passed · 0.4 s
        green     tests passes
        confirmed green again in a rerun
      "
    `);
  });

  test('it says where the checks run, and why in no better place', async () => {
    const told = async (room: ChosenRoom) => {
      const text = await play([
        { type: 'baseline.judged', verdict: verdict('fail', 'tests fails', 0, 1), room },
      ]);
      return text.split('\n').slice(1, -1);
    };
    expect(await told({ kind: 'bound' })).toEqual([
      '  room      checks run in a tree of their own, at the path of the workspace',
    ]);
    expect(await told({ kind: 'folder', because: 'bubblewrap (bwrap) is not installed' })).toEqual([
      '  room      checks run in a folder of their own: bubblewrap (bwrap) is not',
      '            installed',
    ]);
    expect(await told({ kind: 'workspace', because: 'other tests of "tests" fail' })).toEqual([
      '  room      checks run in the workspace itself: other tests of "tests" fail',
    ]);
  });

  test('what of the work the checks do not see is told when it is new', async () => {
    const kept = (path: string) => ({
      path,
      because: 'pytest reads it by itself',
      ...(path === 'pytest.ini' && { allow: 'allow: ["pytest.ini"]' }),
    });
    const judged = (iteration: number, ...paths: string[]): Happening[] => [
      { type: 'iteration.started', iteration, driver: 'mock' },
      {
        type: 'iteration.judged',
        iteration,
        verdict: verdict('fail', 'tests fails', 0, 1),
        keptOut: paths.map(kept),
      },
    ];
    const text = await play([
      runStarted(),
      ...judged(0, 'conftest.py'),
      ...judged(1, 'conftest.py', 'pytest.ini'),
    ]);
    expect(text.replaceAll(/\n {12}/g, ' ').match(/^ {2}kept out.*$/gm)).toEqual([
      '  kept out  conftest.py: pytest reads it by itself',
      '  kept out  pytest.ini: pytest reads it by itself; to accept it, allow: ["pytest.ini"]',
    ]);
  });

  test.each([40, 80, 120])('no line is wider than %i columns', async (width) => {
    const style: Style = { ...PLAIN, width };
    const long = 'x'.repeat(300);
    const story: Happening[] = [
      ...agentStory.slice(0, -1),
      ...challengeStory.slice(2, -1),
      { type: 'warned', message: `${long} and more` },
      {
        type: 'check.finished',
        phase: 'iteration',
        check: check({ name: long, results: [result(`${long}::日本語`, 'failed')] }),
      },
      { type: 'run.finished', outcome: { kind: 'max-iterations', limit: 5 } },
    ];
    const lines = (await play(story, { style })).split('\n');
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  test('without a terminal there is no spinner, no colour and nothing is drawn over', async () => {
    const text = await play(challengeStory);
    expect(text).not.toMatch(/[\r\u001b]/);
  });

  test('on a terminal the status line says what the run waits for and leaves nothing behind', async () => {
    const on = screen();
    let ms = 0;
    const observer = transcriptObserver({ screen: on, style: PLAIN, live: true, now: () => ms });
    const events = stamped(agentStory);
    for (const event of events.slice(0, 7)) await observer.onEvent(event);
    expect(on.text()).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] agent working · 0:00 · claude$/);
    ms = 42_000;
    observer.onProgress?.({ type: 'waiting', what: 'generating, 212 tokens' });
    await expect.poll(on.text).toContain('generating, 212 tokens · 0:42 · claude');
    for (const event of events.slice(7)) await observer.onEvent(event);
    expect(on.text()).toContain('check tests · 0:00');
    expect(on.text()).toContain('trying the green again: check tests · 0:00');
    await observer.close?.();
    expect(on.text().split('\n').at(-1)?.endsWith(CLEAR)).toBe(true);
  });

  test('a wait is told once of its kind where there is no status line', async () => {
    const on = screen();
    const observer = transcriptObserver({ screen: on, style: PLAIN, live: false });
    for (let n = 1; n < 50; n++) observer.onProgress?.({ type: 'waiting', what: `generating, ${n} tokens` });
    expect(on.text()).toBe('  waiting   generating, 1 tokens\n');
  });

  test('the output of the agent is shown in whole lines, only where asked for', async () => {
    const output = async (verbose: boolean) => {
      const on = screen();
      const observer = transcriptObserver({ screen: on, style: PLAIN, live: false, verbose });
      for (const text of ['one\u001b[31m\ntw', 'o\nthree'])
        observer.onProgress?.({ type: 'agent.output', text });
      await observer.close?.();
      return on.text();
    };
    expect(await output(true)).toBe('  │ one\n  │ two\n  │ three\n');
    expect(await output(false)).toBe('');
  });

  test('a step of the agent is shown where asked for', async () => {
    expect(await play(agentStory, { verbose: true })).toContain('  · edit src/fetch.py\n');
    expect(await play(agentStory)).not.toContain('edit src/fetch.py');
  });

  test('undone work, a failed confirmation, a stop and an error are told', async () => {
    const text = await play([
      runStarted({ origin: '/project', workdir: '/copy' }),
      { type: 'iteration.started', iteration: 0, driver: 'mock' },
      {
        type: 'agent.finished',
        iteration: 0,
        durationMs: 5,
        result: { stopReason: 'error', summary: '', problem: 'the reply is no JSON' },
      },
      { type: 'confirmation.judged', iteration: 0, how: 'rerun', verdict: verdict('fail', 'tests fails') },
      {
        type: 'workspace.reverted',
        iteration: 0,
        because: 'regression',
        tree: 't0',
        total: [],
        totalStat: '',
      },
      { type: 'run.aborted' },
      { type: 'run.failed', message: 'the disk is full' },
    ]);
    expect(text).toContain('on a copy at /copy');
    expect(text).toContain('problem   the reply is no JSON');
    expect(text).toContain('red       not confirmed in a rerun: tests fails');
    expect(text).toContain('undone    after it fewer tests passed than before');
    expect(text).toContain('stopping');
    expect(text).toContain('error     the disk is full');
  });
});
