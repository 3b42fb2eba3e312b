import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DependencyManifest } from './dependency-manifest.ts';
import { userSites } from './homes.ts';
import { NamedFiles } from './named-outside.ts';
import { Outside } from './outside.ts';
import type { Common } from './places.ts';
import type { WatchedFolder } from './python-watch.ts';

/** Folders of packages that are found by looking upwards from the workspace. */
const HOISTED = ['node_modules', '.venv', 'venv'];
const MOST_NAMED = 5;

/** What rooms see as it is now, and how it was at the start. */
export class Witnesses {
  readonly dependencies: DependencyManifest;
  readonly named: NamedFiles;
  readonly #around: readonly DependencyManifest[];
  readonly #outside: Outside;

  constructor(common: Common) {
    const { workspaceDir, dependenciesIn, top, stateDirs, deps, tools, env, packages, linked } = common;
    this.dependencies = new DependencyManifest(dependenciesIn, deps.installed, { seenAt: workspaceDir });
    this.named = new NamedFiles(common.namedPlaces);
    this.#around = [
      ...foldersBetween(workspaceDir, top).map((folder) => new DependencyManifest(folder, HOISTED)),
      ...(packages?.around ?? []).flatMap((watched) => interpreters(watched)),
      ...linked
        .filter(({ holdsPackages }) => holdsPackages)
        .map(({ target }) => new DependencyManifest(dirname(target), [basename(target)])),
    ];
    const watched = new Set((packages?.around ?? []).map(({ folder }) => folder));
    const sites = userSites(tools['PYTHONUSERBASE'] ?? env['PYTHONUSERBASE']);
    const also = sites.filter((site) => !watched.has(realpathSync(site)));
    this.#outside = new Outside({ workspaceDir, top, stateDirs, also });
  }

  /** Why what lies around the workspace cannot be trusted any more, as a phrase; undefined where it can be. */
  aroundChanged(): string | undefined {
    for (const manifest of this.#around) {
      const changed = manifest.changed();
      if (changed !== undefined) return changed;
    }
    const files = [...this.named.changed(), ...this.#outside.changed()];
    if (files.length === 0) return undefined;
    const more = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : '';
    return `files around the workspace changed: ${files.slice(0, MOST_NAMED).join(', ')}${more}`;
  }
}

/** The folders above the workspace up to the repository's, nearest first. */
function foldersBetween(workspaceDir: string, top: string): string[] {
  const found: string[] = [];
  for (let at = workspaceDir; at !== top && dirname(at) !== at; ) {
    at = dirname(at);
    found.push(at);
  }
  return found;
}

/** Where the agent's user may not write, nothing can have changed. */
function interpreters({ folder, looksAt, mustStay }: WatchedFolder): DependencyManifest[] {
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return [];
  }
  const name = basename(folder);
  const below = (holds: (path: string) => boolean) => (path: string) =>
    path === name || holds(path.slice(name.length + 1));
  return [
    new DependencyManifest(dirname(folder), [name], {
      looksAt: below(looksAt),
      mustStay: below(mustStay),
      named: join(dirname(folder), '/'),
    }),
  ];
}
