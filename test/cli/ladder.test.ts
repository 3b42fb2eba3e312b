import { expect, test } from 'vitest';
import { check, openCli, reportOf, specText } from '../support/cli.ts';

/** A first agent that only makes plans, and a second that reads what was tried before it works. */
const ladder = (more: object = {}) =>
  specText({
    driver: {
      uses: 'mock',
      options: { steps: [1, 2].map((n) => ({ files: { 'plan.md': `${n}\n` }, summary: `plan ${n}` })) },
    },
    escalate: [
      { after: ['driver-failed'], driver: { uses: 'none' } },
      {
        after: ['no-progress'],
        driver: {
          uses: 'command',
          options: { command: 'cat >prompt.txt; [ -f half.txt ] && touch done.txt; touch half.txt' },
        },
      },
    ],
    evaluators: [check('test -f done.txt || { echo "done.txt is missing"; exit 1; }')],
    limits: { patience: 2, maxIterations: 9, confirm: 'rerun' },
    ...more,
  });

test('the next driver takes over in the same run: told as it happens, at the end, in the report and in the trace', async () => {
  await using cli = await openCli();
  await cli.write({ 'a.yaml': ladder() });
  const ended = await cli.run(['run', 'a.yaml', '--report', 'r.json', '--trace', 't.jsonl']);
  expect(ended.code).toBe(0);
  expect(ended.stderr).toMatch(/ {2}escalated command takes over from mock: the same failure 2 times/);
  expect(ended.stderr).toContain('  with      mock, then none, then command · in ');
  expect(ended.stderr).toMatch(/iteration 3 of 9 · command/);
  expect(ended.stdout.replace(/\s+/g, ' ')).toContain(
    'escalated command took over from mock after #2 (the same failure 2 times running): 1 red check before, nothing red after',
  );

  const report = JSON.parse(await cli.read('r.json'));
  expect(report.escalations).toEqual([
    {
      iteration: 2,
      rung: 1,
      from: 'mock',
      to: 'command',
      because: 'no-progress',
      reason: 'the same failure 2 times running',
      before: { checks: 1 },
      after: { checks: 0 },
    },
  ]);
  expect(report.iterations.map((it: { driver: string }) => it.driver)).toEqual([
    'mock',
    'mock',
    'command',
    'command',
  ]);
  const records = (await cli.read('t.jsonl')).trimEnd().split('\n');
  const trace = records.map((line) => JSON.parse(line));
  const signal = trace.findIndex(({ severity }) => severity === 'info');
  expect(trace[signal]).toMatchObject({
    type: 'signal',
    message: 'command takes over from mock (no-progress): the same failure 2 times running',
  });
  expect(trace[signal - 1]).toMatchObject({ type: 'iteration.end', iteration: 2, driver: 'mock' });
  expect(trace.at(-1)).toMatchObject({ type: 'run.end', escalations: [{ to: 'command' }] });

  const prompt = await cli.read('w/prompt.txt');
  expect(prompt).toContain('Write done.txt.');
  expect(prompt).toContain('- iteration 2: changed plan.md');
  expect(prompt).toContain('it said: plan 2');
  expect(prompt).toContain('done.txt is missing');
});

test('--dry-run shows the ladder, and --driver puts another driver in place of the first alone', async () => {
  await using cli = await openCli();
  await cli.write({ 'a.yaml': ladder() });
  const plan = await cli.run(['run', 'a.yaml', '--dry-run']);
  expect(plan.stdout).toContain(
    'agent       mock\nthen        none, after driver-failed\nthen        command, after no-progress\n',
  );
  // Two are called so now.
  const other = await cli.run(['run', 'a.yaml', '--driver', 'none', '--json']);
  expect(reportOf(other)).toMatchObject({
    driver: 'none (driver 1)',
    outcome: 'success',
    escalations: [{ from: 'none (driver 1)', to: 'command' }],
  });
});

test('what is wrong with a driver of the ladder is found before anything runs', async () => {
  await using cli = await openCli();
  const rung = (driver: object) => ladder({ escalate: [{ after: ['gave-up'], driver }] });
  await cli.write({
    'name.yaml': rung({ uses: 'comand' }),
    'option.yaml': rung({ uses: 'command', options: { comand: 'x' } }),
    'missing.yaml': rung({ uses: 'command', options: { command: ['no-such-agent'] } }),
  });
  const name = await cli.run(['run', 'name.yaml']);
  expect(name.code).toBe(2);
  expect(name.stderr).toMatch(/^name\.yaml:1:\d+ .*"comand" is not a driver/);
  expect(name.stderr).toContain('did you mean "command"');
  const option = await cli.run(['run', 'option.yaml']);
  expect(option.code).toBe(2);
  expect(option.stderr).toMatch(/^option\.yaml:1:\d+ .*comand/);
  const missing = await cli.run(['run', 'missing.yaml', '--json']);
  expect(missing.code).toBe(3);
  expect(reportOf(missing)).toMatchObject({
    outcome: 'preflight-failed',
    reason: expect.stringMatching(/^escalate\[0\]: "no-such-agent" is not on PATH/),
  });
});
