import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { requireOptions } from '../../src/core/options.ts';
import type { AgentDriver, Turn } from '../../src/core/plugin.ts';
import { resolveInside } from '../../src/system/files.ts';

/** A turn that writes into a real folder, and what a driver told while it ran. */
export interface RecordedTurn<O> extends Turn<O> {
  readonly told: { acted: string[]; output: string; waiting: string[] };
}

export type TurnParts = Partial<Omit<Turn, 'options'>>;

/** A turn in `workdir`, whose `scratch` lies below `dir`; `protect` is refused by `write`. */
export async function turnIn<O>(
  dir: string,
  options: O,
  more: TurnParts & { protect?: readonly string[] } = {},
): Promise<RecordedTurn<O>> {
  const workdir = more.workdir ?? join(dir, 'work');
  await mkdir(workdir, { recursive: true });
  const told = { acted: [] as string[], output: '', waiting: [] as string[] };
  const { protect = [], ...given } = more;
  return {
    runId: 'run',
    iteration: 0,
    workdir,
    prompt: 'make it work',
    system: '',
    options,
    env: { PATH: process.env['PATH'] ?? '', HOME: dir },
    signal: new AbortController().signal,
    acted: (tool, input) => told.acted.push([tool, input].filter(Boolean).join(' ')),
    output: (text) => {
      told.output += text;
    },
    waiting: (what) => told.waiting.push(what),
    write: async (path, content) => {
      if (protect.includes(path)) return { written: false, because: 'it is protected' };
      const place = await resolveInside(workdir, path);
      if (!place.ok) return { written: false, because: place.because };
      await mkdir(dirname(place.path), { recursive: true });
      await writeFile(place.path, content);
      return { written: true };
    },
    remove: async () => ({ written: false, because: 'not needed here' }),
    scratch: await mkdtemp(join(dir, 'scratch-')),
    ...given,
    told,
  };
}

/** The options as a driver's schema reads them. */
export async function optionsOf<O>(driver: AgentDriver<O>, options: unknown): Promise<O> {
  return (await requireOptions(`driver ${driver.name}`, driver.options, options)) as O;
}
