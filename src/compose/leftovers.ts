import { excerpt, headAndTail } from '../core/shorten.ts';
import type { Workspace } from '../core/workspace.ts';
import { removeLeftFolders } from '../room/temporary.ts';
import { type Orphan, sweepOrphans } from '../system/orphans.ts';
import { findInterrupted } from '../workspace/interrupted.ts';
import { linksBackInto } from '../workspace/links-back.ts';
import type { RunOptions } from './run-options.ts';
import type { Site } from './site.ts';

/** Ends and removes what a killed loopgen left: what still runs is told, its temporary folders are not. */
export async function endOrphans(notice: RunOptions['notice'], origin: string): Promise<void> {
  const { processes } = await endLeft(origin);
  for (const orphan of processes)
    notice?.(
      `ended a process that a killed run left: ${orphan.pid} ${excerpt(orphan.command, ORPHAN_CHARS)}`,
    );
}

/** The same, for who tells it in another way. */
export async function endLeft(
  origin: string,
): Promise<{ readonly processes: readonly Orphan[]; readonly folders: readonly string[] }> {
  const processes = await sweepOrphans();
  return { processes, folders: removeLeftFolders(origin) };
}

/** A copy whose dependencies lead back would test the original. */
export function linkBack({ origin, dir }: Workspace): string | undefined {
  const link = origin === undefined ? undefined : linksBackInto(dir, origin);
  return link === undefined
    ? undefined
    : `a copy would test the original: ${link}; work in the folder itself (--in-place, or workspace.mode: in-place)`;
}

/** A killed run in place left the agent's half-done work: the user must know what it was, and how to undo it. */
export async function tellInterrupted(site: Site, options: RunOptions): Promise<void> {
  const found = await findInterrupted(site.userState, site.origin, site.env);
  if (!found) return;
  options.notice?.(
    [
      `run ${found.runId} (since ${found.since}) was killed here. What it had changed:`,
      headAndTail(found.patch, INTERRUPTED_CHARS),
      `the whole patch: ${found.patchFile}`,
      'to restore the state before that run:',
      `  ${found.restoreCommand}`,
    ].join('\n'),
  );
  found.acknowledge();
}

const INTERRUPTED_CHARS = 8_000;
const ORPHAN_CHARS = 120;
