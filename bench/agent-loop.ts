import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDefaultRegistries, LoopEngine, parseSpec } from '../src/index.ts';
import type { ModelCall, Script } from '../src/testing/model-server/script.ts';
import type { ModelServer } from '../src/testing/model-server/server.ts';

export interface Looped {
  readonly outcome: string;
  readonly reason: string;
  readonly iterations: number;
  /** Absent: unknown. */
  readonly tokens?: number;
  /** Whether the second turn sent the model what the first one had said. */
  readonly resumed: boolean;
  readonly seconds: number;
}

/** A whole loop of two iterations: a wrong answer, what the check says of it, the right answer. */
export async function twoIterations(
  dir: string,
  driver: { readonly uses: string; readonly options: unknown },
  model: ModelServer,
): Promise<Looped> {
  const began = performance.now();
  await mkdir(join(dir, 'work'), { recursive: true });
  model.play(twoTurns());
  const spec = parseSpec({
    version: 1,
    name: 'two-iterations',
    requirements: 'Write the answer into answer.txt.',
    task: { type: 'generic' },
    workspace: { dir: './work' },
    driver,
    evaluators: [{ uses: 'command', as: 'answer', options: { command: 'grep -qx 42 answer.txt' } }],
    limits: { maxIterations: 3, iterationTimeoutMs: 240_000 },
  });
  const report = await new LoopEngine(createDefaultRegistries()).run(spec, {
    baseDir: dir,
    stateDir: join(dir, 'state'),
  });
  const { inputTokens, outputTokens } = report.totalUsage;
  return {
    outcome: report.outcome,
    reason: report.reason,
    iterations: report.iterations.length,
    ...(inputTokens !== undefined && { tokens: inputTokens + (outputTokens ?? 0) }),
    resumed: model.log.some(({ step = 0 }) => step > 1),
    seconds: (performance.now() - began) / 1000,
  };
}

const WRITES: readonly ModelCall[] = [
  { op: 'write', path: 'answer.txt', content: '41\n' },
  { op: 'write', path: 'answer.txt', content: '42\n', isThere: true },
];

/** A write and a text in each turn, whether the session goes on or begins anew. */
function twoTurns(): Script {
  let turn = 0;
  let first: number | undefined;
  return ({ answers, tools }) => {
    if (tools.length < 2) return undefined;
    first ??= answers;
    const call = WRITES[Math.min(turn, WRITES.length - 1)];
    if (answers === first && call) return { calls: [call] };
    first = undefined;
    turn++;
    return { text: 'I wrote the answer.' };
  };
}
