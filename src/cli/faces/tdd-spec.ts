import { copyFile, mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { LoopgenError } from '../../core/error.ts';
import type { Spec } from '../../core/spec.ts';
import { parseSpec } from '../../spec/parse.ts';

/** A folder with `spec.md` and `test_solution.py`; the model writes `solution.py`. */
export interface Challenge {
  /** Absolute. */
  readonly dir: string;
  /** As the user named it. */
  readonly name: string;
  readonly requirements: string;
}

export interface TddOptions {
  readonly maxAttempts: number;
  readonly model: string;
  readonly host: string;
  /** Seconds, one run of the tests. */
  readonly timeout: number;
  /** Seconds, one generation. */
  readonly modelTimeout: number;
  readonly temperature: number;
  /** Absolute path of a recording that takes the model's place. */
  readonly replay?: string;
}

/** Throws `LoopgenError` `bad-challenge` where the folder is none. */
export async function readChallenge(cwd: string, name: string): Promise<Challenge> {
  const dir = resolve(cwd, name);
  for (const file of ['spec.md', 'test_solution.py']) {
    const found = await stat(join(dir, file)).catch(() => undefined);
    if (!found?.isFile()) {
      throw new LoopgenError('bad-challenge', `${name} is no challenge: ${file} is missing`, {
        hint: 'a challenge is a folder with spec.md and test_solution.py',
      });
    }
  }
  return { dir, name, requirements: await readFile(join(dir, 'spec.md'), 'utf8') };
}

/** A fresh folder with the files of the challenge and no solution: the room of its attempts. The caller removes it. */
export async function makeAttemptRoom({ dir }: Challenge): Promise<string> {
  const room = await mkdtemp(join(tmpdir(), 'loopgen-tdd-'));
  for (const file of ['spec.md', 'test_solution.py']) await copyFile(join(dir, file), join(room, file));
  return room;
}

/** The challenge as a spec: below the command line it is a loop like any other. */
export function tddSpec(challenge: Challenge, room: string, options: TddOptions): Spec {
  const driver =
    options.replay === undefined
      ? {
          uses: 'ollama',
          options: {
            model: options.model,
            host: options.host,
            temperature: options.temperature,
            modelTimeoutMs: Math.round(options.modelTimeout * 1000),
            target: 'solution.py',
            context: ['test_solution.py'],
          },
        }
      : { uses: 'replay', options: { file: options.replay, target: 'solution.py' } };
  return parseSpec({
    version: 1,
    name: basename(challenge.dir),
    requirements: challenge.requirements,
    task: { type: 'function' },
    stack: { language: 'python' },
    workspace: { dir: room, mode: 'in-place' },
    driver,
    evaluators: [
      {
        uses: 'pytest',
        as: 'tests',
        timeoutMs: Math.round(options.timeout * 1000),
        guard: ['test_solution.py', 'spec.md'],
      },
    ],
    protect: ['test_*.py', '*_test.py', 'conftest.py'],
    limits: {
      maxIterations: options.maxAttempts,
      specGuard: 'revert',
      evaluatorGuard: 'revert',
    },
  });
}
