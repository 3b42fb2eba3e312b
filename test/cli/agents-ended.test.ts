import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acpAgent } from '../drivers/acp-agents.ts';
import { fakeCli } from '../drivers/fake-cli.ts';
import { type Cli, openCli, recordedReport, reportOf, specText, until } from '../support/cli.ts';
import { isAlive, killAll, pidsIn } from '../system/processes.ts';

/** A shell of a tool that has left the group of its agent, and ignores TERM like that. */
const tool = (pids: string) => `trap '' TERM HUP; echo $$ >>${pids}; exec sleep 300`;

/** An agent that is driven by command line: deaf to TERM, with such a tool. */
async function deafCli(cli: Cli, pids: string): Promise<object> {
  const body = [
    `trap '' TERM HUP`,
    `setsid sh -c "${tool(pids).replaceAll('$', '\\$')}" &`,
    `echo $$ >>${pids}`,
    'while :; do sleep 0.2; done',
  ].join('\n');
  return { uses: 'grok', options: { command: await fakeCli(join(cli.dir, 'bin/deaf'), body) } };
}

/** One that speaks the Agent Client Protocol: deaf to cancel, to the end of stdin and to TERM, with such a tool. */
async function deafAcp(cli: Cli, pids: string): Promise<object> {
  const body = `
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.stdin.removeAllListeners('end');
agent['session/prompt'] = () => {
  require('node:child_process').spawn('setsid', ['sh', '-c', ${JSON.stringify(tool(pids))}], { stdio: 'ignore' });
  fs.appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n');
  return hang();
};
`;
  return { uses: 'acp', options: { command: await acpAgent(cli.dir, 'deaf-acp', body) } };
}

const KINDS = [
  ['an agent CLI', deafCli],
  ['an agent over acp', deafAcp],
] as const;

/** Starts a run in which the agent and its tool stay. */
async function started(cli: Cli, name: string, driver: (cli: Cli, pids: string) => Promise<object>) {
  const pids = join(cli.dir, `${name}.pids`);
  const spec = specText({ name, workspace: { dir: name }, driver: await driver(cli, pids) });
  await cli.write({ [`${name}.yaml`]: spec });
  const run = cli.start(['run', `${name}.yaml`, '--skip-preflight']);
  const found = await until(async () => ((await pidsIn(pids)).length >= 2 ? pidsIn(pids) : undefined));
  expect(found.every(isAlive)).toBe(true);
  return { run, pids: found };
}

test.each(
  KINDS.flatMap(([kind, driver]) =>
    (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => [signal, kind, driver] as const),
  ),
)(
  '%s to loopgen ends %s that does not heed it, and its tool that left the group',
  async (signal, _, driver) => {
    await using cli = await openCli();
    const { run, pids } = await started(cli, 'one', driver);
    try {
      run.kill(signal);
      expect((await run.ended).code).toBe(130);
      expect(pids.filter(isAlive)).toEqual([]);
      expect(await recordedReport(join(cli.dir, '.loopgen'))).toMatchObject({ outcome: 'aborted' });
    } finally {
      killAll(pids);
    }
  },
);

test.each(KINDS)(
  'after KILL the next run finds and ends %s with its tool, and leaves those of a run that lives',
  async (_, driver) => {
    await using cli = await openCli();
    const living = await started(cli, 'living', driver);
    const killed = await started(cli, 'killed', driver);
    const all = [...living.pids, ...killed.pids];
    try {
      killed.run.kill('SIGKILL');
      await killed.run.ended;
      await cli.write({ 'next.yaml': specText({ name: 'next', workspace: { dir: 'next' } }) });
      const next = await cli.run(['run', 'next.yaml', '--json']);
      expect(reportOf(next).outcome).toBe('success');
      await until(() => !killed.pids.some(isAlive) || undefined);
      expect(living.pids.every(isAlive)).toBe(true);
      living.run.kill('SIGTERM');
      expect((await living.run.ended).code).toBe(130);
      expect(living.pids.filter(isAlive)).toEqual([]);
    } finally {
      killAll(all);
    }
  },
);

test('a driver of a ladder leaves nothing behind when the next takes over, though that one goes on', async () => {
  await using cli = await openCli();
  const pids = join(cli.dir, 'first.pids');
  const stays = `echo $$ >>${pids}; exec sleep 300`;
  const body = `
agent['session/prompt'] = async () => {
  const { spawn } = require('node:child_process');
  spawn('setsid', ['sh', '-c', ${JSON.stringify(stays)}], { stdio: 'ignore' });
  fs.appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n');
  while (fs.readFileSync(${JSON.stringify(pids)}, 'utf8').trim().split('\\n').length < 2) await new Promise((r) => setTimeout(r, 20));
  throw { code: -32000, message: 'no model' };
};
`;
  const first = { uses: 'acp', options: { command: await acpAgent(cli.dir, 'first', body) } };
  const second = {
    uses: 'command',
    options: { command: 'touch ../second; until test -f ../go; do sleep 0.05; done; touch done.txt' },
  };
  await cli.write({
    'a.yaml': specText({
      driver: first,
      escalate: [{ after: ['driver-failed'], driver: second }],
      limits: { maxIterations: 9 },
    }),
  });
  const run = cli.start(['run', 'a.yaml', '--json', '--skip-preflight']);
  await until(() => existsSync(join(cli.dir, 'second')) || undefined);
  const found = await pidsIn(pids);
  try {
    expect(found.length).toBeGreaterThanOrEqual(2);
    expect(found.filter(isAlive)).toEqual([]);
    await cli.write({ go: '' });
    const report = reportOf(await run.ended);
    expect(report).toMatchObject({ outcome: 'success', escalations: [{ from: 'acp', to: 'command' }] });
  } finally {
    killAll(found);
  }
});
