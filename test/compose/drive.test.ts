import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { driving } from '../../src/compose/drive.ts';
import type { AgentResult } from '../../src/core/event.ts';
import type { GuardRule, Violation } from '../../src/core/guard.ts';
import { emptyHistory, type History } from '../../src/core/history.ts';
import type { AgentDriver, TaskType, Turn, WriteResult } from '../../src/core/plugin.ts';
import type { Limits } from '../../src/core/spec.ts';
import type { Workspace } from '../../src/core/workspace.ts';
import { memoryWorkspace } from '../../src/testing/index.ts';
import { historyOf } from '../core/histories.ts';
import { specOf } from '../support/spec.ts';
import { tempDir } from '../support/temp-dir.ts';

const task: TaskType = { type: 'plain', system: () => 'S', initial: () => 'I', iteration: () => 'N' };
const judge: GuardRule = {
  name: 'evaluator',
  reaction: 'revert',
  because: 'it judges',
  paths: ['tests/'],
  matches: (path) => path.startsWith('tests/'),
};

interface Setup {
  readonly run: (turn: Turn) => Promise<AgentResult> | AgentResult;
  readonly task?: TaskType;
  readonly limits?: Partial<Limits>;
  readonly signal?: AbortSignal;
  readonly history?: History;
  readonly session?: 'resume' | 'fresh';
  readonly redact?: (text: string) => string;
}

/** One turn of a driver in a real folder. */
async function drive(dir: string, setup: Setup) {
  const refused: Violation[] = [];
  const acted: string[] = [];
  mkdirSync(join(dir, 'work'), { recursive: true });
  mkdirSync(join(dir, 'records'), { recursive: true });
  const inDir = memoryWorkspace({}, { dir: join(dir, 'work') });
  const workspace: Workspace = {
    ...inDir,
    write: async (path, content) => writeFileSync(join(dir, 'work', path), content),
  };
  const driver: AgentDriver = { name: 'mine', run: async (turn) => setup.run(turn) };
  const spec = specOf({
    limits: setup.limits ?? {},
    driver: { uses: 'mine', options: {}, session: setup.session ?? 'resume' },
  });
  const result = await driving({
    spec,
    task: setup.task ?? task,
    inTurn: async () => ({ driver, options: { model: 'x' }, env: { PATH: '/bin' } }),
    workspace,
    rules: [judge],
    scratch: join(dir, 'scratch'),
    signal: setup.signal ?? new AbortController().signal,
    progress: () => {},
    redact: (value) => (setup.redact ? JSON.parse(setup.redact(JSON.stringify(value))) : value),
    recordFile: (name) => join(dir, 'records', name),
  })({
    iteration: 0,
    history: setup.history ?? emptyHistory,
    acted: (tool, input) => acted.push(input === undefined ? tool : `${tool} ${input}`),
    refused: (violation) => refused.push(violation),
  });
  return { result, refused, acted };
}

const ok: AgentResult = { stopReason: 'completed', summary: 'fine' };

describe('a turn', () => {
  test('has the prompt, the options, the environment and the place', async () => {
    await using dir = await tempDir();
    let seen: Turn | undefined;
    await drive(dir.path, {
      run: (turn) => {
        seen = turn;
        return ok;
      },
    });
    expect(seen).toMatchObject({
      prompt: 'I',
      system: 'S',
      options: { model: 'x' },
      env: { PATH: '/bin' },
      workdir: join(dir.path, 'work'),
      iteration: 0,
    });
    expect(seen).not.toHaveProperty('feedback');
  });

  test('goes on with the last session, unless each is to be fresh', async () => {
    await using dir = await tempDir();
    const history = historyOf([{ agent: { sessionId: 's1' } }, {}]);
    const session = async (kind: 'resume' | 'fresh') => {
      let id: string | undefined;
      await drive(dir.path, {
        history,
        session: kind,
        run: (turn) => {
          id = turn.sessionId;
          return ok;
        },
      });
      return id;
    };
    expect([await session('resume'), await session('fresh')]).toEqual(['s1', undefined]);
  });

  test('is fenced by another token each time', async () => {
    await using dir = await tempDir();
    const prompts = new Set<string>();
    const history = historyOf([{ agent: { summary: 'words' } }]);
    for (let i = 0; i < 3; i++)
      await drive(dir.path, {
        history,
        run: (turn) => {
          prompts.add(turn.prompt);
          return ok;
        },
      });
    expect(prompts.size).toBe(3);
  });

  test('holds no known secret, in the prompt, in what is passed on, or in the result', async () => {
    await using dir = await tempDir();
    let prompt = '';
    const history = historyOf([{ agent: { summary: 'I found hunter2' } }]);
    const { result, acted } = await drive(dir.path, {
      history,
      redact: (text) => text.replaceAll('hunter2', '***'),
      run: (turn) => {
        prompt = turn.prompt;
        turn.acted('run', 'echo hunter2');
        return { ...ok, summary: 'used hunter2' };
      },
    });
    expect(prompt).toContain('I found ***');
    expect(acted).toEqual(['run echo ***']);
    expect(result.summary).toBe('used ***');
  });
});

describe('a driver cannot break the run', () => {
  const table: [string, Setup['run'], string][] = [
    ['by a throw', () => Promise.reject(new Error('bang')), 'driver "mine" failed: bang'],
    ['by throwing text', () => Promise.reject('words'), 'driver "mine" failed: words'],
    ['by returning nothing', () => undefined as unknown as AgentResult, 'driver "mine" returned no result'],
    [
      'by returning something else',
      () => 'done' as unknown as AgentResult,
      'driver "mine" returned no result',
    ],
    [
      'by a result without a reason',
      () => ({ summary: 'x' }) as AgentResult,
      'driver "mine" returned no result',
    ],
  ];
  test.each(table)('%s', async (_, run, summary) => {
    await using dir = await tempDir();
    expect((await drive(dir.path, { run })).result).toEqual({ stopReason: 'error', summary });
  });

  test('by a result that is no plain data', async () => {
    await using dir = await tempDir();
    const circular: Record<string, unknown> = {
      stopReason: 'completed',
      summary: 5,
      usage: { costUsd: Number.NaN, inputTokens: 3 },
    };
    circular['self'] = circular;
    circular['sessionId'] = Symbol('x');
    circular['proposal'] = { reasoning: 7, files: [{ path: 'a', content: 1 }, null, 'b'] };
    const { result } = await drive(dir.path, { run: () => circular as unknown as AgentResult });
    expect(result).toEqual({
      stopReason: 'completed',
      summary: '',
      usage: { inputTokens: 3 },
      proposal: { reasoning: '7', files: [{ path: 'a', content: '1' }] },
    });
  });

  test('by passing on what is no text', async () => {
    await using dir = await tempDir();
    const { acted } = await drive(dir.path, {
      run: (turn) => {
        turn.acted('edit', { file: 'a' } as unknown as string);
        return ok;
      },
    });
    expect(acted).toEqual(['edit {"file":"a"}']);
  });

  test('nor can a task type, and it is named', async () => {
    await using dir = await tempDir();
    const broken: TaskType = {
      ...task,
      initial: () => {
        throw new Error('bang');
      },
    };
    const { result } = await drive(dir.path, { task: broken, run: () => ok });
    expect(result).toEqual({ stopReason: 'error', summary: 'task type "plain" failed: bang' });
  });
});

describe('a turn ends', () => {
  test('at its own limit, and the driver is told', async () => {
    await using dir = await tempDir();
    const { result } = await drive(dir.path, {
      limits: { iterationTimeoutMs: 10 },
      run: (turn) =>
        new Promise((resolve) => {
          turn.signal.addEventListener('abort', () =>
            resolve({ stopReason: 'timed-out', summary: `told: ${turn.signal.reason}` }),
          );
        }),
    });
    expect(result.summary).toBe('told: timed-out');
  });

  test('though the driver does not heed it, and what that then does is too late', async () => {
    await using dir = await tempDir();
    const stop = new AbortController();
    let late: Promise<WriteResult[]> = Promise.resolve([]);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { result, acted } = await drive(dir.path, {
      signal: stop.signal,
      run: async (turn) => {
        late = released.then(async () => {
          turn.acted('write', 'late.txt');
          return [await turn.write('late.txt', 'x'), await turn.remove('a.txt')];
        });
        setTimeout(() => stop.abort(), 5);
        return await new Promise<AgentResult>(() => {});
      },
    });
    expect(result).toEqual({
      stopReason: 'aborted',
      summary: 'driver "mine" did not stop when it was told to',
    });
    release();
    expect(await late).toEqual([
      { written: false, because: 'the turn is over' },
      { written: false, because: 'the turn is over' },
    ]);
    expect(acted).toEqual([]);
    expect(existsSync(join(dir.path, 'work', 'late.txt'))).toBe(false);
  });
});

describe('an edit that a proposer writes through the turn', () => {
  const writing = (path: string, content: string | undefined) => async (turn: Turn) => {
    const result = await (content === undefined ? turn.remove(path) : turn.write(path, content));
    return { ...ok, summary: result.written ? 'written' : result.because };
  };

  test('is written', async () => {
    await using dir = await tempDir();
    const { result, refused } = await drive(dir.path, { run: writing('a.py', 'x = 1\n') });
    expect([result.summary, refused]).toEqual(['written', []]);
    expect(readFileSync(join(dir.path, 'work/a.py'), 'utf8')).toBe('x = 1\n');
  });

  test.each(['tests/test_a.py', './tests/test_a.py', 'src/.././tests/test_a.py', 'tests//test_a.py'])(
    'is refused where a rule guards it: %s',
    async (path) => {
      await using dir = await tempDir();
      mkdirSync(join(dir.path, 'work/tests'), { recursive: true });
      mkdirSync(join(dir.path, 'work/src'));
      const file = join(dir.path, 'work/tests/test_a.py');
      writeFileSync(file, 'assert f() == 1\n');
      const { result, refused } = await drive(dir.path, { run: writing(path, 'assert True\n') });
      expect(result.summary).not.toBe('written');
      expect(readFileSync(file, 'utf8')).toBe('assert f() == 1\n');
      if (!path.includes('..')) {
        expect(refused).toMatchObject([{ path: 'tests/test_a.py', because: 'it judges' }]);
        expect(readFileSync(join(dir.path, 'records/refused-01.patch'), 'utf8')).toContain('+assert True');
      }
    },
  );

  test('is refused where a link leads to what a rule guards', async () => {
    await using dir = await tempDir();
    mkdirSync(join(dir.path, 'work/tests'), { recursive: true });
    writeFileSync(join(dir.path, 'work/tests/test_a.py'), 'strict\n');
    symlinkSync('tests', join(dir.path, 'work/innocent'));
    const { refused } = await drive(dir.path, { run: writing('innocent/test_a.py', 'mild\n') });
    expect(refused).toHaveLength(1);
    expect(readFileSync(join(dir.path, 'work/tests/test_a.py'), 'utf8')).toBe('strict\n');
  });

  test('is refused as a deletion too, and that is kept', async () => {
    await using dir = await tempDir();
    mkdirSync(join(dir.path, 'work/tests'), { recursive: true });
    writeFileSync(join(dir.path, 'work/tests/test_a.py'), 'strict\n');
    const { refused } = await drive(dir.path, { run: writing('tests/test_a.py', undefined) });
    expect(refused).toHaveLength(1);
    expect(readFileSync(join(dir.path, 'records/refused-01.patch'), 'utf8')).toContain('deleted file mode');
  });

  test('is told as not written where a folder is in the way', async () => {
    await using dir = await tempDir();
    mkdirSync(join(dir.path, 'work/src'), { recursive: true });
    const { result, refused } = await drive(dir.path, { run: writing('src', 'x') });
    expect(result.summary).toContain('EISDIR');
    expect(refused).toEqual([]);
  });

  test('is refused where the guarded path is a folder, without breaking the turn', async () => {
    await using dir = await tempDir();
    mkdirSync(join(dir.path, 'work/tests/sub'), { recursive: true });
    const { refused, result } = await drive(dir.path, { run: writing('tests/sub', 'x') });
    expect(refused).toHaveLength(1);
    expect(result.summary).toBe('it judges');
  });

  test.each(['../outside.txt', '/etc/hostname', '', 'a\0b'])(
    'is refused where it leads outside: %j',
    async (path) => {
      await using dir = await tempDir();
      const { result, refused } = await drive(dir.path, { run: writing(path, 'x') });
      expect(result.summary).not.toBe('written');
      expect(refused).toEqual([]);
      expect(existsSync(join(dir.path, 'outside.txt'))).toBe(false);
    },
  );
});
