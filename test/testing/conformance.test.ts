import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDefaultRegistries } from '../../src/compose/registries.ts';
import type { AgentResult } from '../../src/core/event.ts';
import type { AgentDriver, Turn } from '../../src/core/plugin.ts';
import { known } from '../../src/drivers/fields.ts';
import { type ConformanceOptions, runDriverConformance } from '../../src/testing/conformance/conformance.ts';
import { formatConformanceReport } from '../../src/testing/conformance/format.ts';
import {
  type ConformanceReport,
  SCENARIO_IDS,
  type ScenarioBrief,
  type ScenarioId,
} from '../../src/testing/conformance/scenario.ts';
import { scriptedOptions } from '../../src/testing/conformance/scripted-options.ts';
import { wiredOptions, wiringOf } from '../../src/testing/conformance/wiring.ts';
import { startModelServer } from '../../src/testing/model-server/server.ts';

const driverOf = (name: string) => createDefaultRegistries().drivers.get(name);

const told = ({ scenarios }: ConformanceReport) =>
  Object.fromEntries(
    scenarios.map(({ id, status, because }) => [id, because ? `${status}: ${because}` : status]),
  );

describe('drivers that need no model', () => {
  test('the mock driver does all that it can have', async () => {
    const optionsFor = scriptedOptions('mock');
    const report = await runDriverConformance({
      makeDriver: () => driverOf('mock'),
      ...(optionsFor && { optionsFor }),
    });
    expect(told(report)).toMatchObject({
      'creates-a-file': 'passed',
      'handles-an-abort': 'passed',
      'ends-on-time': 'passed',
      'leaves-no-process': 'passed',
      'resumes-a-session': 'skipped: its turns tell no session',
      'tells-a-rate-limit': 'passed',
      'tells-a-denied-permission': expect.stringMatching(/^skipped/),
    });
    expect(report).toMatchObject({ driver: 'mock', passed: true, missing: [] });
  });

  test('the command driver does so with a shell line in place of an agent', async () => {
    const optionsFor = scriptedOptions('command');
    const report = await runDriverConformance({
      makeDriver: () => driverOf('command'),
      ...(optionsFor && { optionsFor }),
    });
    expect(report.scenarios.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(told(report)).toMatchObject({
      'reports-usage': 'skipped: it says itself that it reports none',
      'leaves-no-process': 'passed',
    });
  });
});

test('a one-shot driver is led by a scripted model', async () => {
  await using model = await startModelServer();
  const wiring = wiringOf('ollama', { url: model.url, home: '/nowhere' });
  if (!wiring) throw new Error('ollama is not wired');
  const report = await runDriverConformance({
    makeDriver: () => driverOf('ollama'),
    optionsFor: wiredOptions(wiring, { numCtx: 1_000_000 }),
    model,
  });
  expect(told(report)).toMatchObject({
    'creates-a-file': 'passed',
    'applies-feedback': 'passed',
    'handles-an-abort': 'passed',
    'reports-usage': 'passed',
    'ends-on-time': 'passed',
    'survives-a-long-prompt': 'passed',
    'tells-a-rate-limit': 'passed',
    'streams-events-in-order': 'passed',
  });
  expect(report.passed).toBe(true);
});

type Options = { readonly brief: ScenarioBrief };

/** A driver in a few lines that keeps the contract, but for what `change` does. */
function fake(
  change: (turn: Turn<Options>) => Partial<AgentResult> | Promise<Partial<AgentResult>>,
): AgentDriver<Options> {
  return {
    name: 'fake',
    async run(turn) {
      const { assignments, turn: n } = turn.options.brief;
      for (const call of assignments[n]?.does ?? []) {
        if (!('op' in call) || call.op !== 'write') continue;
        const file = join(turn.workdir, call.path);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, call.content);
        turn.acted('write', call.path);
      }
      const usage = { inputTokens: 1, outputTokens: 1 };
      const { sessionId = 's' } = turn;
      const isKnown = sessionId === 's' || /^s\d$/.test(sessionId);
      const told = isKnown
        ? { summary: 'done', sessionId }
        : { summary: 'a new session was begun', sessionId: 's' };
      return { stopReason: 'completed', usage, ...told, ...(await change(turn)) };
    },
  };
}

async function only(
  id: ScenarioId,
  driver: AgentDriver<Options>,
  more: Pick<ConformanceOptions, 'model'> = {},
): Promise<string | undefined> {
  const report = await runDriverConformance({
    makeDriver: () => driver,
    optionsFor: (brief) => ({ brief }),
    skip: SCENARIO_IDS.filter((other) => other !== id),
    ...more,
  });
  return told(report)[id];
}

describe('a driver that breaks the contract is found out:', () => {
  test('none is where nothing is broken', async () => {
    for (const id of [
      'creates-a-file',
      'applies-feedback',
      'resumes-a-session',
      'begins-a-lost-session-anew',
      'reports-usage',
      'streams-events-in-order',
    ] as const)
      expect(
        await only(
          id,
          fake(() => ({})),
        ),
      ).toBe('passed');
  });

  test.each<[ScenarioId, string, AgentDriver<Options>, RegExp]>([
    ['reports-a-name', 'no name', { ...fake(() => ({})), name: '' }, /name is no plain word/],
    [
      'creates-a-file',
      'an error that is none',
      fake(() => ({ stopReason: 'error' })),
      /stop reason is error/,
    ],
    [
      'creates-a-file',
      'a throw',
      fake(() => {
        throw new Error('boom');
      }),
      /it failed: boom/,
    ],
    [
      'applies-feedback',
      'the same again',
      {
        ...fake(() => ({})),
        run: (turn) =>
          fake(() => ({})).run({ ...turn, options: { brief: { ...turn.options.brief, turn: 0 } } }),
      },
      /answer\.txt holds "41/,
    ],
    [
      'resumes-a-session',
      'a new session each time',
      fake(({ iteration }) => ({ sessionId: `s${iteration}` })),
      /tells session s1, not s0/,
    ],
    [
      'begins-a-lost-session-anew',
      'the session that is lost',
      fake(({ sessionId }) => known({ sessionId })),
      /tells the session that it was given/,
    ],
    [
      'begins-a-lost-session-anew',
      'not a word of it',
      fake(() => ({ summary: 'done' })),
      /does not say that a new session was begun: done/,
    ],
    [
      'begins-a-lost-session-anew',
      'a failed turn',
      {
        ...fake(() => ({})),
        run: async () => ({ stopReason: 'error', summary: 'session not found' }),
      },
      /anew\.txt was not written; the turn says error: session not found/,
    ],
    ['reports-usage', 'no usage', fake(() => ({ usage: {} })), /tells no usage/],
    [
      'reports-usage',
      'a usage that is no number',
      fake(() => ({ usage: { inputTokens: Number.NaN } })),
      /inputTokens is NaN/,
    ],
    [
      'handles-an-abort',
      'an end without a beginning',
      fake(() => ({})),
      /ended by itself before it was stopped/,
    ],
    [
      'tells-a-rate-limit',
      'an error for a limit',
      fake(() => ({ stopReason: 'error' })),
      /is error, not rate-limited/,
    ],
    ['tells-a-denied-permission', 'what was denied', fake(() => ({})), /what its options deny was done/],
    [
      'survives-a-long-prompt',
      'nothing, completed',
      { ...fake(() => ({})), run: async () => ({ stopReason: 'completed', summary: '' }) },
      /did nothing/,
    ],
    [
      'streams-events-in-order',
      'nothing of what it does',
      { ...fake(() => ({})), run: (turn) => fake(() => ({})).run({ ...turn, acted: () => {} }) },
      /told of nothing/,
    ],
  ])('%s: %s', async (id, _, driver, because) => {
    expect(await only(id, driver)).toMatch(because);
  });

  test('a turn that ignores its signal', { timeout: 60_000 }, async () => {
    const driver: AgentDriver<Options> = {
      name: 'deaf',
      run: async (turn) => {
        await writeFile(join(turn.workdir, 'pid.txt'), '999999999\n');
        return await new Promise(() => {});
      },
    };
    expect(await only('handles-an-abort', driver)).toMatch(/did not settle within 10 s/);
  });
});

describe('where the model is scripted, what is not told is a failure, else it may be unknown:', () => {
  const withoutSession: AgentDriver<Options> = {
    ...fake(() => ({})),
    run: async (turn) => {
      const { sessionId: _, ...told } = await fake(() => ({})).run(turn);
      return told;
    },
  };
  const withoutInput = fake(() => ({ usage: { outputTokens: 0 } }));
  const withoutUsage = { ...fake(() => ({ usage: {} })), reportsUsage: false };

  test.each<[string, ScenarioId, AgentDriver<Options>, RegExp, RegExp]>([
    ['a session', 'resumes-a-session', withoutSession, /^failed: its turns tell no session/, /^skipped: its/],
    [
      'a session of a one-shot proposer',
      'resumes-a-session',
      { ...withoutSession, kind: 'one-shot' },
      /^skipped: a one-shot proposer has no sessions/,
      /^skipped: a one-shot/,
    ],
    [
      'tokens',
      'reports-usage',
      withoutInput,
      /^failed: turn 1: inputTokens is unknown: .*read\(\).*reportsUsage: false/,
      /^passed: inputTokens is unknown$/,
    ],
    [
      'the wait for a usage limit, which is only noted',
      'tells-a-rate-limit',
      fake(() => ({ stopReason: 'rate-limited', summary: 'slow down' })),
      /^passed: the wait of 1 h that the server asks for is not told$/,
      /^passed$/,
    ],
    [
      'the wait, which is told',
      'tells-a-rate-limit',
      fake(() => ({ stopReason: 'rate-limited', summary: 'a wait of 3600 s would be more' })),
      /^passed$/,
      /^passed$/,
    ],
    ['tokens of one that says so', 'reports-usage', withoutUsage, /^skipped: it says/, /^skipped: it says/],
  ])('%s', async (_, id, driver, scripted, real) => {
    await using model = await startModelServer();
    expect(await only(id, driver, { model })).toMatch(scripted);
    expect(await only(id, driver)).toMatch(real);
  });

  test('unless its wiring says why', async () => {
    await using model = await startModelServer();
    const { scenarios, passed } = await runDriverConformance({
      makeDriver: () => withoutSession,
      optionsFor: (brief) => ({ brief }),
      skip: {
        ...Object.fromEntries(SCENARIO_IDS.map((id) => [id, 'as asked'])),
        'resumes-a-session': 'the agent has none',
      },
      model,
    });
    expect(passed).toBe(true);
    expect(scenarios).toContainEqual(
      expect.objectContaining({ id: 'resumes-a-session', status: 'skipped', because: 'the agent has none' }),
    );
  });
});

test('a driver that cannot run is told with what mends it, and nothing is tried', async () => {
  const driver = { ...fake(() => ({})), preflight: async () => ['install it with "npm i -g fake"'] };
  const report = await runDriverConformance({ makeDriver: () => driver });
  expect(report).toMatchObject({
    passed: false,
    scenarios: [],
    missing: [expect.stringContaining('npm i -g fake')],
  });
  expect(formatConformanceReport(report)).toContain('cannot run here');
});

test('an unknown scenario to skip is an error that names the one that was meant', async () => {
  const run = runDriverConformance({ makeDriver: () => fake(() => ({})), skip: ['creates-file'] });
  await expect(run).rejects.toMatchObject({ code: 'bad-scenario', hint: 'did you mean "creates-a-file"?' });
});

test('the report for a person keeps to its width', async () => {
  const because = `${'a long reason '.repeat(20)}${'x'.repeat(200)}`;
  const text = formatConformanceReport({
    driver: 'fake',
    passed: false,
    missing: [],
    durationMs: 1234,
    scenarios: [
      { id: 'creates-a-file', title: 'creates a file', status: 'passed', durationMs: 1000 },
      { id: 'reports-usage', title: 'reports usage, per turn', status: 'failed', because, durationMs: 200 },
      { id: 'ends-on-time', title: 'ends on time', status: 'skipped', because: 'as asked', durationMs: 0 },
    ],
  });
  expect(text).toMatch(/^driver fake: 1 passed, 1 failed, 1 skipped, 1\.2 s\n/);
  expect(text).toContain('✗ reports usage');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});
