import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { LoopgenError, messageOf } from '../core/error.ts';
import type { DriverSpec, ObserverSpec } from '../core/spec.ts';
import { readDocument, type SourceDocument } from './document.ts';
import { SpecError } from './issue.ts';
import { placed } from './load.ts';
import { configFile } from './schema.ts';
import { readShape } from './shape.ts';

/** What configuration files set for all runs; a spec and the command line stand over it. */
export interface Config {
  readonly driver?: DriverSpec;
  /** Absolute. */
  readonly stateDir?: string;
  readonly observers?: readonly ObserverSpec[];
  /** The file that each key came from, with the path of the key in it. */
  readonly sources: Readonly<Partial<Record<ConfigKey, ConfigSource>>>;
}

export type ConfigKey = 'driver' | 'stateDir' | 'observers';

export interface ConfigSource extends Pick<SourceDocument, 'file' | 'locate'> {}

export interface ConfigSearch {
  /** Absolute folder of the spec: the nearest configuration in it or above it counts. */
  readonly from: string;
  /** The user's home. */
  readonly home: string;
  /** Folder of the user's configuration files. Default: `<home>/.config`. */
  readonly configHome?: string | undefined;
}

const NAMES = ['loopgen.config.json', 'loopgen.config.yaml', 'loopgen.config.yml'];
const USER_NAMES = ['config.json', 'config.yaml', 'config.yml'];

/**
 * The nearest `loopgen.config.{json,yaml}` or `package.json#loopgen`, and under
 * it the user's `~/.config/loopgen/config.{json,yaml}`: each key comes whole from
 * the first that has it. Throws `SpecError` `bad-config`, or `LoopgenError`
 * `config-unreadable`.
 */
export async function loadConfig(search: ConfigSearch): Promise<Config> {
  const nearest = await nearestProject(search.from);
  const userFolder = path.join(search.configHome || path.join(search.home, '.config'), 'loopgen');
  const user = await onlyOne(userFolder, USER_NAMES);
  const over = nearest ? readConfig(nearest, search.home) : NOTHING;
  const under = user ? readConfig(user, search.home) : NOTHING;
  return { ...under, ...over, sources: { ...under.sources, ...over.sources } };
}

const NOTHING: Config = { sources: {} };

interface Found {
  readonly file: string;
  readonly text: string;
  /** Where the configuration stands in the file. */
  readonly at: readonly string[];
}

async function nearestProject(from: string): Promise<Found | undefined> {
  for (let dir = from; ; dir = path.dirname(dir)) {
    const found = (await onlyOne(dir, NAMES)) ?? (await inPackageJson(dir));
    if (found || dir === path.dirname(dir)) return found;
  }
}

async function onlyOne(dir: string, names: readonly string[]): Promise<Found | undefined> {
  const found: Found[] = [];
  for (const name of names) {
    const file = path.join(dir, name);
    const text = await readIfThere(file);
    if (text !== undefined) found.push({ file, text, at: [] });
  }
  const [first, second] = found;
  if (first && second) {
    throw new LoopgenError('bad-config', `${first.file} and ${path.basename(second.file)} are both there`, {
      hint: 'keep one of the two',
    });
  }
  return first;
}

/** A `package.json` without a key of ours is none of our business, broken or not. */
async function inPackageJson(dir: string): Promise<Found | undefined> {
  const file = path.join(dir, 'package.json');
  const text = await readIfThere(file);
  if (!text?.includes('"loopgen"')) return undefined;
  const document = readDocument(text, file);
  if (!document.ok) throw new SpecError(document.issues, 'bad-config');
  const { value } = document.value;
  return typeof value === 'object' && value !== null && 'loopgen' in value
    ? { file, text, at: ['loopgen'] }
    : undefined;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw new LoopgenError('config-unreadable', `${file} cannot be read: ${messageOf(error)}`);
  }
}

function readConfig({ file, text, at }: Found, home: string): Config {
  const document = readDocument(text, file);
  if (!document.ok) throw new SpecError(document.issues, 'bad-config');
  const source = document.value;
  const locate: SourceDocument['locate'] = (steps, part) => source.locate([...at, ...steps], part);
  const value = at.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], source.value);
  const shaped = readShape(configFile, value, ['options']);
  if (!shaped.ok) throw new SpecError(placed(shaped.issues, locate), 'bad-config');
  return configOf(shaped.value, { file, locate }, home);
}

function configOf(read: z.output<typeof configFile>, source: ConfigSource, home: string): Config {
  const { driver, stateDir, observers } = read;
  const keys = (['driver', 'stateDir', 'observers'] as const).filter((key) => read[key] !== undefined);
  return {
    ...(driver && { driver }),
    ...(stateDir !== undefined && { stateDir: resolveDir(stateDir, path.dirname(source.file), home) }),
    ...(observers && {
      observers: observers.map(({ uses, as, options }) => ({ uses, name: as ?? uses, options })),
    }),
    sources: Object.fromEntries(keys.map((key) => [key, source])),
  };
}

/** Relative to the file; `~/` is the home. */
function resolveDir(dir: string, base: string, home: string): string {
  return dir === '~' || dir.startsWith('~/') ? path.join(home, dir.slice(1)) : path.resolve(base, dir);
}
