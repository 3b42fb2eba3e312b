import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isWithin } from './paths.ts';

export interface Linked {
  /** Absolute, real path of what a link of the workspace leads to. */
  readonly target: string;
  /** True for a folder of packages: tests rest on it. */
  readonly holdsPackages: boolean;
}

const PACKAGES = /^(?:node_modules|\.venv|venv|vendor|bower_components)$/;

/**
 * Where links of a workspace lead that leave it: data kept elsewhere, a `node_modules` that is shared. A bound room
 * has to show these places. Links of whole systems (`/`, a home, the temporary folder) show nothing.
 */
export function linkedPlaces(workspaceDir: string, links: readonly string[]): Linked[] {
  const found = new Map<string, Linked>();
  for (const link of links) {
    const target = real(join(workspaceDir, link));
    if (target === undefined || isWithin(target, workspaceDir) || holdsTooMuch(target, workspaceDir))
      continue;
    const holdsPackages = PACKAGES.test(basename(link)) || (found.get(target)?.holdsPackages ?? false);
    found.set(target, { target, holdsPackages });
  }
  return [...found.values()];
}

function holdsTooMuch(target: string, workspaceDir: string): boolean {
  return dirname(target) === '/' || target === real(homedir()) || isWithin(workspaceDir, target);
}

function real(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    // It leads nowhere, as it may.
    return undefined;
  }
}
