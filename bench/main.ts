import { cpus, loadavg } from 'node:os';
import { measureDaemon } from './daemon.ts';
import { measureFlood } from './flood.ts';
import { measureInstall } from './install.ts';
import { measureIterations } from './iteration.ts';
import { measureMemory } from './memory-growth.ts';
import { measureRoom } from './room.ts';
import { HEAD, type Row, RULE, render } from './row.ts';
import { measureStart } from './start.ts';

const quick = process.argv.includes('--quick');

const measurements: readonly AsyncGenerator<Row>[] = [
  measureStart(quick ? 5 : 15),
  measureIterations(5_000, quick ? 10 : 30),
  measureIterations(50_000, 10),
  measureRoom(5_000, quick ? 5 : 15),
  measureDaemon(quick ? 1 : 5),
  measureFlood(),
  measureMemory(!quick),
  measureInstall(),
];

const [cpu] = cpus();
console.log(`npm run bench${quick ? ' -- --quick' : ''}`);
console.log(
  `${process.platform} ${process.arch}, Node ${process.versions.node}, ${cpus().length} x ${cpu?.model.trim() || 'CPU'}, load ${(loadavg()[0] ?? 0).toFixed(1)}`,
);
console.log(`\n${HEAD}\n${RULE}`);
for (const rows of measurements) {
  try {
    for await (const row of rows) console.log(render(row));
  } catch (error) {
    console.log(`could not be measured: ${error instanceof Error ? error.message : String(error)}`);
  }
}
