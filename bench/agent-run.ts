import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createDefaultRegistries } from '../src/index.ts';
import { runDriverConformance } from '../src/testing/conformance/conformance.ts';
import type { ConformanceReport } from '../src/testing/conformance/scenario.ts';
import { wiredOptions, wiringOf } from '../src/testing/conformance/wiring.ts';
import { startModelServer } from '../src/testing/model-server/server.ts';
import { type Looped, twoIterations } from './agent-loop.ts';
import { agentsNamed } from './agent-pins.ts';

/** What the process of one agent prints. */
export interface Tried {
  readonly conformance: ConformanceReport;
  readonly loop: Looped;
}

/** One agent, in a process of its own that was started with a private home and, where that works, without a network. */
async function tried(name: string): Promise<Tried> {
  const [agent] = agentsNamed([name]);
  if (!agent) throw new Error('no agent was named');
  const home = homedir();
  await using model = await startModelServer();
  const wiring = wiringOf(agent.name, { url: model.url, home });
  if (!wiring) throw new Error(`it is not known how ${agent.name} is led to the scripted model`);
  for (const [path, content] of Object.entries(wiring.files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), content);
  }
  const dir = await mkdtemp(join(home, 'loop-'));
  const loop = await twoIterations(dir, { uses: agent.driver, options: wiring.options }, model);
  await rm(dir, { recursive: true, force: true });
  const driver = await createDefaultRegistries().drivers.get(agent.driver);
  const conformance = await runDriverConformance({
    makeDriver: () => driver,
    optionsFor: wiredOptions(wiring, {}),
    skip: wiring.skip,
    model,
    timeoutMs: 240_000,
    onScenario: ({ title, status }) => console.error(`  ${agent.name}: ${title}: ${status}`),
  });
  return { conformance, loop };
}

console.log(JSON.stringify(await tried(process.argv[2] ?? '')));
