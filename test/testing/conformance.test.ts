import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDefaultRegistries } from '../../src/compose/registries.ts';
import type { AgentResult } from '../../src/core/event.ts';
import type { AgentDriver, Turn } from '../../src/core/plugin.ts';
import { runDriverConformance } from '../../src/testing/conformance/conformance.ts';
import { formatConformanceReport } from '../../src/testing/conformance/format.ts';
import type { ConformanceReport, ScenarioBrief, ScenarioId } from '../../src/testing/conformance/scenario.ts';
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
      return { stopReason: 'completed', summary: 'done', sessionId: 's', usage, ...(await change(turn)) };
    },
  };
}

async function only(id: ScenarioId, driver: AgentDriver<Options>): Promise<string | undefined> {
  const all = [
    'reports-a-name',
    'creates-a-file',
    'applies-feedback',
    'handles-an-abort',
    'resumes-a-session',
    'reports-usage',
    'ends-on-time',
    'leaves-no-process',
    'survives-a-long-prompt',
    'tells-a-rate-limit',
    'tells-a-denied-permission',
    'streams-events-in-order',
  ];
  const report = await runDriverConformance({
    makeDriver: () => driver,
    optionsFor: (brief) => ({ brief }),
    skip: all.filter((other) => other !== id),
  });
  return told(report)[id];
}

describe('a driver that breaks the contract is found out:', () => {
  test('none is where nothing is broken', async () => {
    for (const id of [
      'creates-a-file',
      'applies-feedback',
      'resumes-a-session',
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
