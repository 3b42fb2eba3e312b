import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRooms } from '../src/room/rooms.ts';
import { dependencyFolders } from '../src/workspace/dependencies.ts';
import { openWorkspace } from '../src/workspace/open.ts';
import { duration, median, timed } from './numbers.ts';
import { type Row, ratioRow } from './row.ts';
import { makeTree } from './tree.ts';

const LIMIT = 1.2;

/**
 * Making a room, from the store, against `cp -a` of the same files (without the git directory, which a room does not
 * copy either). Both in turn, so that they meet the machine in the same state.
 */
export async function* measureRoom(files: number, rounds: number): AsyncGenerator<Row> {
  const dir = await mkdtemp(join(tmpdir(), 'loopgen-bench-'));
  try {
    const root = join(dir, 'tree');
    makeTree(root, files);
    for (const folder of ['state', 'scratch', 'copies']) await mkdir(join(dir, folder));
    const workspace = await openWorkspace({
      dir: root,
      mode: 'in-place',
      userState: join(dir, 'user-state'),
      storeDir: join(dir, 'state/store'),
      runId: 'bench',
    });
    const rooms = await openRooms({
      workspaceDir: workspace.dir,
      scratch: join(dir, 'scratch'),
      stateDirs: [join(dir, 'state')],
      dependencies: dependencyFolders(root),
      network: true,
      env: process.env,
    });
    const kind = rooms.available()[0]?.because === undefined ? 'bound' : 'folder';
    const made: number[] = [];
    const copied: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const to = join(dir, 'copies', String(round));
      copied.push(await timed(() => execFileSync('cp', ['-a', join(root, 'src'), to])));
      const began = performance.now();
      const room = await rooms.make(kind, (at) => workspace.materialise(at, workspace.start, () => true));
      made.push(performance.now() - began);
      await room.close();
      await rm(to, { recursive: true });
    }
    await rooms.close();
    await workspace.close();
    const ratio = median(made.map((ms, at) => ms / (copied[at] ?? Number.NaN)));
    const figures = { measured: duration(median(made)), against: `cp -a ${duration(median(copied))}`, ratio };
    yield ratioRow(`room, ${files.toLocaleString('en')} files`, figures, LIMIT);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
