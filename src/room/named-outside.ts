import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWithin, lookAt } from './paths.ts';

/** A place outside the workspace that a check names. */
export interface Named {
  /** Absolute, real path. */
  readonly place: string;
  readonly isFile: boolean;
}

/** Those of some absolute paths that are there, and that lie outside of the workspace and do not hold it. */
export function namedOutside(workspaceDir: string, paths: readonly string[]): Named[] {
  const found = new Map<string, Named>();
  for (const path of paths) {
    const named = look(path);
    if (!named || isWithin(named.place, workspaceDir) || isWithin(workspaceDir, named.place)) continue;
    // A whole system, a device.
    if (dirname(named.place) === '/' || /^\/(?:dev|proc|sys)\//.test(named.place)) continue;
    found.set(named.place, named);
  }
  return [...found.values()];
}

/** What files that checks name were like, once the baseline has run. */
export class NamedFiles {
  readonly #files: readonly string[];
  #before: ReadonlyMap<string, string>;

  constructor(named: readonly Named[]) {
    this.#files = named.filter(({ isFile }) => isFile).map(({ place }) => place);
    this.#before = this.#look();
  }

  /** Takes them as they are now: checks that ran in the workspace may have written to them. */
  settle(): void {
    this.#before = this.#look();
  }

  changed(): string[] {
    const now = this.#look();
    return this.#files.filter((file) => now.get(file) !== this.#before.get(file));
  }

  #look(): ReadonlyMap<string, string> {
    return new Map(this.#files.map((file) => [file, stampOf(file)]));
  }
}

function stampOf(file: string): string {
  const stats = lookAt(file);
  return stats ? `${stats.mode} ${stats.size} ${stats.ino} ${stats.ctimeMs} ${stats.mtimeMs}` : 'gone';
}

function look(path: string): Named | undefined {
  try {
    const place = realpathSync(path);
    return { place, isFile: statSync(place).isFile() };
  } catch {
    // Not there at the start.
    return undefined;
  }
}
