import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Progress } from '../../src/core/event.ts';
import { startModelServer } from '../../src/testing/index.ts';
import { acpAgent } from '../drivers/acp-agents.ts';
import { claudeCode } from '../drivers/claude-code.ts';
import { emits, fakeCli } from '../drivers/fake-cli.ts';
import { type Bench, openBench } from '../support/engine.ts';

interface Prepared {
  readonly options: Readonly<Record<string, unknown>>;
  readonly [Symbol.asyncDispose]?: () => Promise<void>;
}

/** Fails at a usage limit twice, then does the work. */
const LIMIT = 'Error: 429 Too Many Requests, retry after 0 s';
const limitedCli = [
  'echo x >>../starts',
  `[ "$(wc -l <../starts)" -gt 2 ] || { echo "${LIMIT}" >&2; exit 1; }`,
  'echo done >a.txt',
].join('\n');
const LIMITED_JS = `
fs.appendFileSync('../starts', 'x\\n');
const limited = fs.readFileSync('../starts', 'utf8').length < 6;
if (!limited) fs.writeFileSync('a.txt', 'done\\n');
`;

async function cli({ dir }: Bench): Promise<Prepared> {
  return { options: { command: await fakeCli(join(dir, 'bin/agent'), limitedCli) } };
}

async function acp({ dir }: Bench): Promise<Prepared> {
  const body = `agent['session/prompt'] = (p) => {${LIMITED_JS}
    if (limited) fail(-32603, 'Internal error', { details: ${JSON.stringify(LIMIT)} });
    say(p, 'Done.'); return END;
  };`;
  return { options: { command: await acpAgent(dir, 'acp-agent', body) } };
}

async function claude({ dir }: Bench): Promise<Prepared> {
  const body = `${LIMITED_JS}
    if (limited) result({ is_error: true, result: ${JSON.stringify(LIMIT)}, api_error_status: 429 });
    else { say('Done.'); result(); }`;
  return { options: { executable: await claudeCode(dir, body, dir) } };
}

async function model(address: (url: string) => Readonly<Record<string, unknown>>): Promise<Prepared> {
  const text = JSON.stringify({ reasoning: 'it says so', code: 'done\n' });
  const fault = { kind: 'status', status: 429, retryAfter: 0, times: 2 } as const;
  const server = await startModelServer({ script: [{ text, fault }] });
  return {
    options: { ...address(server.url), target: 'a.txt' },
    [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
  };
}

const DRIVERS: readonly [string, (bench: Bench) => Promise<Prepared>][] = [
  ['command', cli],
  ['grok', cli],
  ['github-copilot', cli],
  ['opencode', cli],
  ['acp', acp],
  ['claude-agent-sdk', claude],
  ['ollama', () => model((host) => ({ host, model: 'm' }))],
  ['openai-compatible', () => model((url) => ({ baseUrl: `${url}/v1`, model: 'm' }))],
];

/** A run whose driver meets a usage limit, and what it said that it waits for. */
async function limited(uses: string, prepare: (bench: Bench) => Promise<Prepared>, maxWaitMs: number) {
  await using bench = await openBench();
  const prepared = await prepare(bench);
  try {
    const waits: string[] = [];
    const spec = bench.spec({
      driver: { uses, options: { ...prepared.options, maxWaitMs } },
      limits: { confirm: 'rerun', maxIterations: 9 },
    });
    const observer = {
      name: 'waits',
      onEvent: () => {},
      onProgress: (progress: Progress) => {
        if (progress.type === 'waiting') waits.push(progress.what);
      },
    };
    const { report } = await bench.run(spec, { skipPreflight: true, observers: [observer] });
    return { report, waits: waits.filter((what) => what.startsWith('rate limit of ')) };
  } finally {
    await prepared[Symbol.asyncDispose]?.();
  }
}

describe('a usage limit', () => {
  test.each(DRIVERS)('that %s waits for costs no iteration, and the wait is told', async (uses, prepare) => {
    const { report, waits } = await limited(uses, prepare, 60_000);
    expect(report).toMatchObject({ outcome: 'success', iterations: [{ driver: uses }] });
    expect(report.iterations).toHaveLength(1);
    expect(waits).toHaveLength(2);
    expect(waits[0]).toMatch(/asking again in 0 s$/);
  });

  test('that names no time is not waited for beyond maxWaitMs, and is told as what it is', async () => {
    const never = async ({ dir }: Bench) => ({
      options: { command: await fakeCli(join(dir, 'bin/agent'), 'echo "usage limit reached" >&2; exit 1') },
    });
    const { report, waits } = await limited('command', never, 1_000);
    expect(waits).toEqual([]);
    expect(report).toMatchObject({ outcome: 'driver-failed', reason: expect.stringContaining('maxWaitMs') });
    expect(report.iterations.map(({ agent }) => agent?.stopReason)).toEqual(Array(3).fill('rate-limited'));
  });
});

/** A run of a fake agent CLI that is driven as `uses`. */
async function played(uses: string, body: string, more: object = {}) {
  const bench = await openBench();
  const command = await fakeCli(join(bench.dir, 'bin/agent'), body);
  const spec = bench.spec({
    driver: { uses, options: { command } },
    ...more,
    limits: { confirm: 'rerun', maxIterations: 9, ...('limits' in more && (more.limits as object)) },
  });
  const { report } = await bench.run(spec, { skipPreflight: true });
  return { report, bench, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() };
}

describe('what an agent’s exit code says decides nothing', () => {
  test('0 after half of the work is red', async () => {
    await using run = await played('command', 'echo half >a.txt; echo "all done"', {
      limits: { maxIterations: 1 },
    });
    expect(run.report).toMatchObject({
      outcome: 'max-iterations',
      iterations: [{ status: 'fail', agent: { stopReason: 'completed' } }],
    });
  });

  test('1 after the whole work is green, and both are told', async () => {
    await using run = await played('command', 'echo done >a.txt; exit 1');
    expect(run.report).toMatchObject({
      outcome: 'success',
      iterations: [{ agent: { stopReason: 'error' } }],
    });
    expect(run.report.warnings).toContain("green, but the agent's last turn ended by error");
  });
});

test('turns in which no model was asked are told as that, and after three of them the run ends', async () => {
  const nothing = emits({ type: 'end', stopReason: 'end_turn', sessionId: 's', num_turns: 0 });
  await using run = await played('grok', nothing);
  expect(run.report).toMatchObject({ outcome: 'driver-failed' });
  expect(run.report.iterations).toHaveLength(3);
  for (const { agent, changedFiles } of run.report.iterations) {
    expect(agent?.stopReason).toBe('error');
    expect(changedFiles).toEqual([]);
  }
});

test('an agent that stops in the middle of a line is stalled, which is no red check of its work, and the run goes on', async () => {
  const body =
    '[ -e ../been ] || { touch ../been; printf \'{"type":"te\'; exec sleep 300; }\necho done >a.txt; echo \'{"type":"text","data":"x"}\'';
  await using run = await played('grok', body, { limits: { idleTimeoutMs: 5_000 } });
  expect(run.report).toMatchObject({
    outcome: 'success',
    iterations: [{ agent: { stopReason: 'stalled' }, changedFiles: [] }, { satisfied: true }],
  });
});

test('a helper that an agent leaves behind is gone before its work is judged', async () => {
  const body = [
    "setsid sh -c 'while :; do date >../alive; sleep 0.05; done' &",
    'until [ -e ../alive ]; do sleep 0.05; done',
    'echo done >a.txt',
  ].join('\n');
  await using run = await played('command', body, {
    evaluators: [
      {
        uses: 'command',
        as: 'check',
        options: { command: 'grep -qx done a.txt && rm -f ../alive && sleep 1 && test ! -e ../alive' },
      },
    ],
  });
  expect(run.report.outcome).toBe('success');
  expect(existsSync(join(run.bench.dir, 'alive'))).toBe(false);
});
