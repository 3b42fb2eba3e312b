import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memoryWorkspace } from '../src/testing/index.ts';
import { playInMemory } from '../test/support/memory-run.ts';

const ITERATIONS = 500;
const SETTLED = 50;
const LIMIT_MB = 10;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Heap in use, in MB, after a forced collection. */
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

const workspace = memoryWorkspace({ 'a.txt': '0' });
const samples: { readonly iteration: number; readonly mb: number }[] = [];

/** Each turn changes a file, each check prints a lot and names fifty tests, some of which fail. */
await playInMemory({
  workspace,
  keepEvents: false,
  limits: { maxIterations: ITERATIONS, patience: ITERATIONS, baseline: 'off' },
  checks: {
    suite: async (read) => {
      const n = Number(await read('a.txt'));
      const tests = Array.from({ length: 50 }, (_, i) => {
        const failed = i < 5;
        return {
          id: `tests/test_module.py::test_${i}`,
          status: failed ? ('failed' as const) : ('passed' as const),
          ...(failed && {
            place: `tests/test_module.py:${i}`,
            message: `assert ${n} == ${i}`,
            detail: `${n} `.repeat(4_000),
          }),
        };
      });
      return { passed: false, feedback: `${n} `.repeat(8_000), tests };
    },
  },
  steps: Array.from({ length: ITERATIONS }, (_, n) => () => {
    if (n % SETTLED === 0) samples.push({ iteration: n, mb: heap() });
    return { write: { 'a.txt': String(n + 1) }, result: { summary: 's'.repeat(1_000) } };
  }),
});
samples.push({ iteration: ITERATIONS, mb: heap() });

for (const { iteration, mb } of samples)
  console.log(`after ${String(iteration).padStart(3)} iterations: ${mb.toFixed(1)} MB`);
const settled = samples.find((sample) => sample.iteration === SETTLED)?.mb ?? 0;
const growth = (samples.at(-1)?.mb ?? 0) - settled;
console.log(
  `memory of ${ITERATIONS} iterations: grows by ${growth.toFixed(1)} MB after the first ${SETTLED} (limit ${LIMIT_MB} MB)`,
);
if (growth > LIMIT_MB) process.exitCode = 1;
