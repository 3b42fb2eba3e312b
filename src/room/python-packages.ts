import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Distribution, normalisedName } from '../core/relied.ts';

/** The packages of a `site-packages`. Reads the records that package managers leave; without any, names alone. */
export function distributionsIn(site: string): readonly Distribution[] {
  const names = namesIn(site);
  const recorded = names.filter((name) => /\.(?:dist|egg)-info$/.test(name)).map((name) => read(site, name));
  const known = new Set(recorded.flatMap(({ modules }) => modules));
  const bare = names.flatMap((name) => moduleOf(name) ?? []).filter((module) => !known.has(module));
  const alone = bare.map((module) => ({ name: module, modules: [module], requires: [], isPlugin: false }));
  return [...recorded, ...alone];
}

function read(site: string, record: string): Distribution {
  const text = (name: string) => textOf(join(site, record, name));
  const metadata = text('METADATA') || text('PKG-INFO') || textOf(join(site, record));
  const named = /^Name:[ \t]*(\S+)/im.exec(metadata)?.[1] ?? record.replace(/-.*$/, '');
  return {
    name: normalisedName(named),
    modules: modulesOf(text('top_level.txt'), text('RECORD')),
    requires: [...requiredIn(metadata), ...requiredInEgg(text('requires.txt'))].map(normalisedName),
    isPlugin: /^\[pytest11\]/m.test(text('entry_points.txt')),
  };
}

function modulesOf(topLevel: string, record: string): string[] {
  const named = topLevel.split(/\s+/).filter(Boolean);
  if (named.length > 0) return named;
  const tops = new Set(record.split('\n').map((line) => line.replace(/[/,].*$/s, '')));
  return [...tops].flatMap((name) => moduleOf(name) ?? []);
}

/** The module that an entry of a `site-packages` is. */
export function moduleOf(entry: string): string | undefined {
  return /^([A-Za-z_]\w*)(?:(?:\.[\w-]+)?\.(?:py|so|pyd))?$/.exec(basename(entry))?.[1];
}

/** Without what only an extra needs. */
function requiredIn(metadata: string): string[] {
  const lines = metadata.matchAll(/^Requires-Dist:[ \t]*([\w.-]+)([^\n]*)/gim);
  return [...lines].filter(([, , rest = '']) => !/\bextra\b/.test(rest)).map(([, name = '']) => name);
}

function requiredInEgg(text: string): string[] {
  const always = text.split(/^\[/m)[0] ?? '';
  return [...always.matchAll(/^([\w.-]+)/gm)].map(([, name = '']) => name);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Gone, or not readable for us.
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not every package manager writes all of them.
    return '';
  }
}
