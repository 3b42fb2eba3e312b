import { execSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentDriver, Evaluator, Observer, Turn } from '../src/core/plugin.ts';
import { firstOf } from '../src/core/stop.ts';
import { proposerDriver } from '../src/drivers/proposer.ts';
import { LoopEngine } from '../src/loopgen.ts';
import { scriptedDriver, scriptedEvaluator } from '../src/testing/index.ts';
import { openBench, runsOf } from './support/engine.ts';

const todo = { 'a.txt': 'todo\n', 'mine.txt': 'of the user\n' };
const done = { write: { 'a.txt': 'done\n' } };

describe('a run in place', () => {
  test('goes from red to green, and leaves all else as it was', async () => {
    await using bench = await openBench({ steps: [{ write: { 'a.txt': 'half\n' } }, done] });
    bench.write(todo);
    const { report, runDir } = await bench.run(bench.spec());
    expect(report).toMatchObject({ outcome: 'success', success: true, workdir: bench.target });
    expect(report.iterations.map((it) => it.satisfied)).toEqual([false, true]);
    expect(report.changedFiles).toEqual([{ path: 'a.txt', change: 'modified' }]);
    expect(report.trust.grade).toBe('plausible');
    expect(bench.read('mine.txt')).toBe('of the user\n');
    expect(readdirSync(bench.target).sort()).toEqual(['a.txt', 'mine.txt']);
    expect(readFileSync(join(runDir, 'iteration-02.patch'), 'utf8')).toContain('+done');
  });

  test('is vacuous the second time', async () => {
    await using bench = await openBench({ steps: [done] });
    bench.write(todo);
    expect((await bench.run(bench.spec())).report.outcome).toBe('success');
    const again = await bench.run(bench.spec());
    expect(again.report).toMatchObject({ outcome: 'baseline-vacuous', iterations: [] });
  });

  test('gives the tree up, so that the next run can have it', async () => {
    await using bench = await openBench({ steps: [] });
    bench.write(todo);
    for (let i = 0; i < 3; i++) expect((await bench.run(bench.spec())).report.outcome).toBe('no-progress');
  });

  test('by test ids, with real pytest', async () => {
    const good = 'def add(a, b):\n    return a + b\n';
    await using bench = await openBench({ steps: [{ write: { 'calc.py': good } }] });
    bench.write({
      'calc.py': 'def add(a, b):\n    return 0\n',
      'test_calc.py':
        'from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n\ndef test_zero():\n    assert add(0, 0) == 0\n',
    });
    const { report, events } = await bench.run(bench.spec({ evaluators: [{ uses: 'pytest', as: 'tests' }] }));
    expect(report.success).toBe(true);
    expect(report.trust.shown).toContain('2 of 2 test ids passed');
    const prompt = events.find((event) => event.type === 'baseline.judged');
    expect(prompt?.verdict.tally).toMatchObject({ passedTests: 1, failedTests: 1 });
  });
});

describe('an agent that rewrites the script that judges it', () => {
  const cheat = { write: { 'check.sh': '#!/bin/sh\nexit 0\n' } };
  const guarded = (reaction: string, confirm = 'room') => ({
    evaluators: [{ uses: 'command', as: 'check', options: { command: './check.sh' } }],
    limits: { evaluatorGuard: reaction, maxIterations: 2, confirm },
  });
  const strict = { 'a.txt': 'todo\n', 'check.sh': '#!/bin/sh\ngrep -qx done a.txt\n' };

  test('gains nothing under warn where the checks have a room, which has the script of the start', async () => {
    await using bench = await openBench({ steps: [cheat] });
    bench.write(strict);
    const { report } = await bench.run(bench.spec(guarded('warn')));
    expect(report.success).toBe(false);
  });

  test.each(['off', 'warn'])('succeeds under %s in the workspace: the control', async (reaction) => {
    await using bench = await openBench({ steps: [cheat] });
    bench.write(strict);
    const { report } = await bench.run(bench.spec(guarded(reaction, 'rerun')));
    expect(report.success).toBe(true);
    expect(report.warnings.some((warning) => warning.includes('edited what judges'))).toBe(
      reaction === 'warn',
    );
  });

  test.each(['revert', 'error'])('gains nothing under %s', async (reaction) => {
    await using bench = await openBench({ steps: [cheat] });
    bench.write(strict);
    const { report, runDir } = await bench.run(bench.spec(guarded(reaction)));
    expect(report.success).toBe(false);
    expect(bench.read('check.sh')).toBe(strict['check.sh']);
    expect(lstatSync(join(bench.target, 'check.sh')).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(runDir, 'refused-01.patch'), 'utf8')).toContain('+exit 0');
  });

  test('gains nothing either where the check names the script by its absolute path', async () => {
    await using bench = await openBench({ steps: [cheat] });
    bench.write(strict);
    const command = `bash ${join(bench.target, 'check.sh')}`;
    const evaluators = [{ uses: 'command', as: 'check', options: { command } }];
    const { report } = await bench.run(bench.spec({ ...guarded('revert'), evaluators }));
    expect(report.success).toBe(false);
    expect(report.iterations[0]?.refused.map((refusal) => refusal.path)).toEqual(['check.sh']);
    expect(bench.read('check.sh')).toBe(strict['check.sh']);
  });

  test('ends the run where it is green and the guard is error', async () => {
    await using bench = await openBench({ steps: [{ write: { ...cheat.write, ...done.write } }] });
    bench.write(strict);
    expect((await bench.run(bench.spec(guarded('error')))).report.outcome).toBe('evaluator-tampered');
  });

  test('may not put a link in its place either', async () => {
    const swap: AgentDriver = {
      name: 'swap',
      run: async (turn) => {
        writeFileSync(join(turn.workdir, 'easy'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
        rmSync(join(turn.workdir, 'check.sh'));
        symlinkSync('easy', join(turn.workdir, 'check.sh'));
        return { stopReason: 'completed', summary: '' };
      },
    };
    await using bench = await openBench({ drivers: [swap] });
    bench.write(strict);
    const { report } = await bench.run(bench.spec({ ...guarded('revert'), driver: { uses: 'swap' } }));
    expect(report.success).toBe(false);
    expect(report.iterations[0]?.refused).toMatchObject([{ path: 'check.sh', putBack: true }]);
    expect(lstatSync(join(bench.target, 'check.sh')).isSymbolicLink()).toBe(false);
  });

  describe('by code that the checks themselves run', () => {
    /** The check runs `code.sh`, which the agent writes. */
    const trapped = {
      'a.txt': 'todo\n',
      'code.sh': ':\n',
      'check.sh': '#!/bin/sh\nsh code.sh\ngrep -qx done a.txt\n',
    };
    const evil = (n: number) => ({
      write: { 'code.sh': `printf '#!/bin/sh\\nexit 0\\n' > check.sh # ${n}\n` },
    });

    test('succeeds under off in the workspace: the control', async () => {
      await using bench = await openBench({ steps: [evil(1), evil(2)] });
      bench.write(trapped);
      expect((await bench.run(bench.spec(guarded('off', 'rerun')))).report.success).toBe(true);
    });

    test.each(['off', 'error'])('is not confirmed in a fresh room, under %s', async (reaction) => {
      await using bench = await openBench({ steps: [evil(1), evil(2)] });
      bench.write(trapped);
      expect((await bench.run(bench.spec(guarded(reaction)))).report.outcome).toBe('unconfirmed');
    });

    test.each(['error', 'revert'])('gains nothing under %s', async (reaction) => {
      await using bench = await openBench({ steps: [evil(1), evil(2)] });
      bench.write(trapped);
      const { report } = await bench.run(bench.spec(guarded(reaction, 'rerun')));
      expect(report.outcome).toBe('max-iterations');
      expect(report.warnings.join()).toContain('check.sh changed while the checks ran and was put back');
    });
  });

  test('cannot edit the spec that lies in its tree', async () => {
    await using bench = await openBench({
      steps: [{ write: { 'try.loop.yaml': 'version: 1\n', 'a.txt': 'done\n' } }],
    });
    bench.write({ ...todo, 'try.loop.yaml': '# the spec\n' });
    const { report } = await bench.run(bench.spec(), { specFile: join(bench.target, 'try.loop.yaml') });
    expect(report.outcome).toBe('spec-tampered');
    expect(bench.read('try.loop.yaml')).toBe('# the spec\n');
  });
});

test('a hook and a commit that an agent leaves in the repository of the user are told', async () => {
  const git = (line: string) => `git -c user.name=a -c user.email=a@b.c -c core.hooksPath=/dev/null ${line}`;
  await using bench = await openBench();
  bench.write({ 'a.txt': 'todo\n' });
  const options = { cwd: bench.target, stdio: 'ignore' } as const;
  execSync(`git init -q -b main && git add -A && ${git('commit -qm start')}`, options);
  const hook = 'printf exit > .git/hooks/pre-commit';
  const command = `echo done > a.txt; ${hook}; ${git('commit -qam work')}`;
  const { report } = await bench.run(bench.spec({ driver: { uses: 'command', options: { command } } }));
  expect(report.success).toBe(true);
  expect(report.changedFiles.map((file) => file.path)).toEqual(['a.txt']);
  expect(report.warnings).toContain(
    'the agent moved HEAD, branches or tags (checks in a room do not see that): .git/refs/heads/main',
  );
  expect(report.warnings.join('\n')).toContain('look before you use it: .git/hooks/pre-commit');
});

describe('a run on a copy', () => {
  test('leaves the original as it was', async () => {
    await using bench = await openBench({ steps: [{ ...done, remove: ['mine.txt'] }] });
    bench.write(todo);
    const { report } = await bench.run(bench.spec({ workspace: { dir: 'target', mode: 'copy' } }));
    expect(report).toMatchObject({ success: true, origin: bench.target });
    expect(readFileSync(join(report.workdir, 'a.txt'), 'utf8')).toBe('done\n');
    expect(existsSync(join(report.workdir, 'mine.txt'))).toBe(false);
    expect(bench.read('a.txt')).toBe('todo\n');
    expect(bench.read('mine.txt')).toBe('of the user\n');
  });
});

describe('a one-shot proposer', () => {
  test('is any callable, and what it must not write is refused before it is written', async () => {
    const seen: string[] = [];
    const driver = proposerDriver('mine', (turn: Turn) => {
      seen.push(turn.prompt);
      if (turn.iteration === 0)
        return { reasoning: 'cheat', files: [{ path: 'check.sh', content: 'exit 0' }] };
      if (turn.iteration === 1)
        return { reasoning: 'outside', files: [{ path: '../evil.txt', content: 'x' }] };
      return { reasoning: 'work', files: [{ path: 'a.txt', content: 'done\n' }] };
    });
    await using bench = await openBench({ drivers: [driver] });
    bench.write({ 'a.txt': 'todo\n', 'check.sh': '#!/bin/sh\ngrep -qx done a.txt\n' });
    const { report } = await bench.run(
      bench.spec({
        driver: { uses: 'mine' },
        evaluators: [{ uses: 'command', as: 'check', options: { command: 'sh check.sh' } }],
      }),
    );
    expect(report.success).toBe(true);
    expect(report.iterations.map((it) => it.refused.length)).toEqual([1, 0, 0]);
    expect(existsSync(join(bench.dir, 'evil.txt'))).toBe(false);
    expect(seen[1]).toContain('check.sh');
  });

  test('that has nothing left to try ends the run', async () => {
    await using bench = await openBench({ drivers: [proposerDriver('mine', () => null)] });
    bench.write(todo);
    expect((await bench.run(bench.spec({ driver: { uses: 'mine' } }))).report.outcome).toBe('gave-up');
  });

  test('has what makes it worse undone, by default', async () => {
    const passing = scriptedEvaluator(
      async (read) => {
        const n = Number(await read('n.txt'));
        const tests = [0, 1, 2].map((i) => ({
          id: `t${i}`,
          status: i < n ? ('passed' as const) : ('failed' as const),
        }));
        return { passed: n >= 3, feedback: `${n}`, tests };
      },
      { type: 'counting' },
    );
    const write = (n: string) => ({ write: { 'n.txt': n } });
    await using bench = await openBench({
      kind: 'one-shot',
      steps: [write('2'), write('0'), write('3')],
      evaluators: [passing],
    });
    bench.write({ 'n.txt': '1' });
    const { report } = await bench.run(bench.spec({ evaluators: [{ uses: 'counting' }] }));
    expect(report.iterations.map((it) => it.reverted)).toEqual([undefined, 'regression', undefined]);
    expect(report.success).toBe(true);
  });
});

describe('no plug-in breaks a run', () => {
  const bang = () => {
    throw new Error('bang');
  };

  test('a driver that throws is a driver that failed', async () => {
    await using bench = await openBench({ drivers: [{ name: 'bad', run: async () => bang() }] });
    bench.write(todo);
    const { report } = await bench.run(bench.spec({ driver: { uses: 'bad' } }));
    expect(report.outcome).toBe('driver-failed');
    expect(report.reason).toContain('driver "bad" failed: bang');
  });

  test('an evaluator that throws is a check that could not run', async () => {
    const bad: Evaluator = { type: 'bad', evaluate: async () => bang() };
    await using bench = await openBench({ evaluators: [bad], steps: [done] });
    bench.write(todo);
    const { report } = await bench.run(bench.spec({ evaluators: [{ uses: 'bad' }] }));
    expect(report.success).toBe(false);
    expect(report.iterations[0]?.evaluations[0]).toMatchObject({ status: 'unusable', cause: 'crash' });
  });

  test('an evaluator that cannot say what it runs is an error with its name', async () => {
    const bad: Evaluator = {
      type: 'bad',
      commands: bang,
      evaluate: async () => ({ passed: true, feedback: '' }),
    };
    await using bench = await openBench({ evaluators: [bad] });
    await expect(bench.run(bench.spec({ evaluators: [{ uses: 'bad' }] }))).rejects.toMatchObject({
      code: 'plugin-failed',
      message: 'evaluator "bad" failed: bang',
    });
  });

  test('a task type that throws is told as that', async () => {
    await using bench = await openBench({ steps: [done] });
    bench.registries.tasks.register({ type: 'bad', system: bang, initial: bang, iteration: bang });
    bench.write(todo);
    const { report } = await bench.run(bench.spec({ task: { type: 'bad' } }));
    expect(report.outcome).toBe('driver-failed');
    expect(report.reason).toContain('task type "bad" failed: bang');
  });

  const observers: [string, Partial<Observer>][] = [
    ['when something happens', { onEvent: bang }],
    ['later', { onEvent: async () => bang() }],
    ['when it closes', { close: async () => bang() }],
    ['on progress', { onProgress: bang }],
  ];
  test.each(observers)('an observer that throws %s is dropped', async (_, part) => {
    const other: string[] = [];
    const notices: string[] = [];
    await using bench = await openBench({ steps: [done] });
    bench.write(todo);
    const { report } = await bench.run(bench.spec(), {
      observers: [
        { name: 'bad', onEvent: () => {}, ...part },
        { name: 'good', onEvent: (event) => void other.push(event.type) },
      ],
      notice: (message) => notices.push(message),
    });
    expect(report.success).toBe(true);
    expect(other.at(-1)).toBe('run.finished');
    if (part.onEvent) expect([...report.warnings, ...notices].join()).toContain('observer bad failed');
  });

  test('an observer that changes its events changes nothing', async () => {
    await using bench = await openBench({ steps: [done] });
    bench.write(todo);
    const vandal: Observer = {
      name: 'vandal',
      onEvent: (event) => {
        if (event.type === 'iteration.judged') Object.assign(event.verdict, { status: 'fail' });
      },
    };
    expect((await bench.run(bench.spec(), { observers: [vandal] })).report.success).toBe(true);
  });
});

describe('what the user got wrong is an error before anything is spent', () => {
  test('an unknown driver or option, and nothing is recorded', async () => {
    await using bench = await openBench();
    bench.write(todo);
    await expect(bench.run(bench.spec({ driver: { uses: 'scriptet' } }))).rejects.toMatchObject({
      code: 'unknown-driver',
    });
    await expect(
      bench.run(bench.spec({ driver: { uses: 'mock', options: { stepz: [] } } })),
    ).rejects.toMatchObject({ code: 'bad-options' });
    expect(runsOf(bench)).toEqual([]);
  });

  test('a workspace that is no folder', async () => {
    await using bench = await openBench();
    writeFileSync(join(bench.dir, 'file'), '');
    await expect(bench.run(bench.spec({ workspace: { dir: 'file' } }))).rejects.toMatchObject({
      code: 'bad-workspace',
    });
  });

  test('a tree that another run works in, and nothing is left of it', async () => {
    let inner: unknown;
    await using bench = await openBench({
      steps: [
        async () => {
          inner = await new LoopEngine(bench.registries)
            .run(bench.spec(), bench.options)
            .catch((error: unknown) => error);
          return done;
        },
      ],
    });
    bench.write(todo);
    const { report } = await bench.run(bench.spec());
    expect(report.success).toBe(true);
    expect(inner).toMatchObject({ code: 'workspace-busy' });
    expect(runsOf(bench)).toEqual([report.runId]);
  });
});

describe('the surroundings of agent and checks', () => {
  test('are an allow-list: checks get no key, the agent only those of its driver', async () => {
    const seen: Record<string, Turn['env']> = {};
    const driver: AgentDriver = {
      name: 'keyed',
      env: ['MY_AGENT_KEY'],
      run: async (turn) => {
        seen['agent'] = turn.env;
        return { stopReason: 'completed', summary: '' };
      },
    };
    const spy: Evaluator = {
      type: 'spy',
      evaluate: async (context) => {
        seen['check'] = context.env;
        return { passed: false, feedback: 'red' };
      },
    };
    await using bench = await openBench({ drivers: [driver], evaluators: [spy] });
    bench.write(todo);
    const env = {
      ...bench.options.env,
      MY_AGENT_KEY: 'k-1234567890',
      OTHER_TOKEN: 't-1234567890',
      PLAIN: 'p',
      CI: 'false',
    };
    const spec = bench.spec({
      driver: { uses: 'keyed' },
      evaluators: [{ uses: 'spy' }],
      env: { pass: ['PLAIN'] },
    });
    await bench.run(spec, { env });
    expect(seen['agent']).toMatchObject({ MY_AGENT_KEY: 'k-1234567890', PLAIN: 'p' });
    expect(seen['agent']).not.toHaveProperty('OTHER_TOKEN');
    expect(seen['check']).toMatchObject({ PLAIN: 'p', HOME: bench.dir });
    expect(seen['check']?.['CI']).not.toBe('false');
    expect(seen['check']).not.toHaveProperty('MY_AGENT_KEY');
  });

  test('keep the values of keys out of every record', async () => {
    const secret = 'sk-super-secret-value';
    await using bench = await openBench({
      steps: [{ write: { 'a.txt': `${secret}\n` }, result: { summary: `I used ${secret}` } }],
      evaluators: [
        { type: 'leaky', evaluate: async () => ({ passed: false, feedback: `Authorization: ${secret}` }) },
      ],
    });
    bench.write(todo);
    const trace = join(bench.dir, 'trace.jsonl');
    const spec = bench.spec({
      evaluators: [{ uses: 'leaky' }],
      limits: { maxIterations: 2 },
      observability: { observers: [{ uses: 'jsonl', options: { file: trace } }] },
    });
    const { runDir } = await bench.run(spec, { env: { ...bench.options.env, OPENAI_API_KEY: secret } });
    for (const file of [join(runDir, 'events.jsonl'), join(runDir, 'report.json'), trace])
      expect(readFileSync(file, 'utf8')).not.toContain(secret);
    expect(bench.read('a.txt')).toBe(`${secret}\n`);
  });
});

describe('what does not count as work', () => {
  test('artefacts, ignored paths, and the files of observers', async () => {
    const noise = (n: number) => ({
      write: { 'debug.log': `${n}`, 'gen/out.txt': `${n}`, 'coverage/x': `${n}` },
    });
    await using bench = await openBench({ steps: [noise(1), noise(2), noise(3)] });
    bench.write(todo);
    const trace = join(bench.target, 'trace.jsonl');
    const { report } = await bench.run(
      bench.spec({
        workspace: { dir: 'target', ignore: ['gen/**'] },
        observability: { observers: [{ uses: 'jsonl', options: { file: trace } }] },
      }),
    );
    expect(report).toMatchObject({ outcome: 'no-progress', changedFiles: [] });
    expect(report.reason).toContain('nothing changed');
    expect(existsSync(trace)).toBe(true);
  });

  test('what the checks leave behind', async () => {
    await using bench = await openBench({ steps: [done] });
    bench.write(todo);
    const command = 'date +%N > by-check.txt; grep -qx done a.txt';
    const { report } = await bench.run(
      bench.spec({ evaluators: [{ uses: 'command', options: { command } }] }),
    );
    expect(report.success).toBe(true);
    expect(report.changedFiles.map((file) => file.path)).toEqual(['a.txt']);
  });
});

describe('the user stops a run', () => {
  test('while a command runs: its processes are ended and the run is recorded', async () => {
    const stop = new AbortController();
    await using bench = await openBench();
    bench.write(todo);
    const pidFile = join(bench.dir, 'pid');
    // A room has process ids of its own, and no way to write here.
    const limits = { confirm: 'rerun' };
    const command = `echo $$ > ${pidFile}; sleep 300; true`;
    const watch: Observer = {
      name: 'watch',
      onEvent: async (event) => {
        if (event.type !== 'check.started') return;
        while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '')
          await new Promise((resolve) => setTimeout(resolve, 5));
        stop.abort();
      },
    };
    const { report } = await bench.run(
      bench.spec({ evaluators: [{ uses: 'command', options: { command } }], limits }),
      {
        signal: stop.signal,
        observers: [watch],
      },
    );
    expect(report).toMatchObject({ outcome: 'aborted', iterations: [] });
    const pid = Number(readFileSync(pidFile, 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

describe('an engine', () => {
  test('takes a stop policy of the user', async () => {
    await using bench = await openBench({ steps: [{ write: { 'a.txt': 'x\n' } }] });
    bench.write(todo);
    const engine = {
      policy: () =>
        firstOf(({ iterations }) =>
          iterations.length > 0 ? { kind: 'gave-up', summary: 'mine' } : undefined,
        ),
    };
    expect((await bench.run(bench.spec(), { engine })).report.reason).toContain('mine');
  });

  test('runs several specs at once, each in its own tree', async () => {
    await using bench = await openBench({ steps: [done] });
    const names = ['one', 'two', 'three'];
    for (const name of names) {
      mkdirSync(join(bench.dir, name));
      writeFileSync(join(bench.dir, name, 'a.txt'), 'todo\n');
    }
    const runs = await Promise.all(
      names.map((dir) => bench.run(bench.spec({ name: dir, workspace: { dir } }))),
    );
    expect(runs.map(({ report }) => report.success)).toEqual([true, true, true]);
  });

  test('runs the checks once, without an agent', async () => {
    await using bench = await openBench();
    bench.write(todo);
    const red = await new LoopEngine(bench.registries).check(bench.spec(), bench.options);
    expect(red.verdict.status).toBe('fail');
    bench.write({ 'a.txt': 'done\n' });
    const green = await new LoopEngine(bench.registries).check(bench.spec(), bench.options);
    expect(green.verdict.status).toBe('pass');
    expect(runsOf(bench)).toEqual([]);
  });

  test('says what it would do, and does nothing', async () => {
    await using bench = await openBench();
    const spec = bench.spec({ workspace: { dir: 'not/there/yet' }, protect: ['secret/**'] });
    const plan = await new LoopEngine(bench.registries).plan(spec, bench.options);
    expect(plan.firstPrompt.prompt).toContain('Do it.');
    expect(plan.commands).toEqual([{ check: 'check', command: 'grep -qx done a.txt' }]);
    expect(plan.rules.flatMap((rule) => rule.paths)).toContain('secret/**');
    expect(readdirSync(bench.dir)).toEqual(['target']);
  });

  test('makes the workspace where it is missing', async () => {
    await using bench = await openBench({ steps: [done] });
    const { report } = await bench.run(bench.spec({ workspace: { dir: 'new/place' } }));
    expect(report.success).toBe(true);
    expect(readFileSync(join(bench.dir, 'new/place/a.txt'), 'utf8')).toBe('done\n');
  });

  test('drives a scripted agent with files of its own', async () => {
    const driver = scriptedDriver([{ write: { 'deep/er/a.txt': 'x' }, remove: ['mine.txt'] }], {
      name: 'other',
    });
    await using bench = await openBench({ drivers: [driver] });
    bench.write(todo);
    const { report } = await bench.run(
      bench.spec({ driver: { uses: 'other' }, limits: { maxIterations: 1 } }),
    );
    expect(report.changedFiles).toEqual([
      { path: 'deep/er/a.txt', change: 'added' },
      { path: 'mine.txt', change: 'deleted' },
    ]);
  });
});
