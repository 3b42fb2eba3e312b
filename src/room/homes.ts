import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { TOOL_HOMES } from '../system/tool-homes.ts';
import { isFolder } from './paths.ts';

type Source = Readonly<Record<string, string | undefined>>;

/**
 * Variables whose folders hold only what a tool can fetch or make again. Inside they are not set, so that the tools
 * take their default places in the room's own HOME.
 */
const CACHES: ReadonlySet<string> = new Set([
  ...['UV_CACHE_DIR', 'PIP_CACHE_DIR', 'POETRY_CACHE_DIR', 'npm_config_cache', 'YARN_CACHE_FOLDER'],
  ...['SCCACHE_DIR', 'CCACHE_DIR', 'GOCACHE', 'COMPOSER_CACHE_DIR', 'DOTNET_CLI_HOME'],
]);

/** Places of the user's that HOME decides on. */
const OF_THE_USER = [
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
];

/** Not to be set for being there: the tools' own default is another. */
const NOT_BY_DEFAULT: ReadonlySet<string> = new Set(['GEM_HOME', 'PYTHONUSERBASE']);

/** Homes of a user: by the environment, and by the system's own list. */
export function homesOf(env: Source): string[] {
  return [...new Set([env['HOME'], systemHome()].flatMap((home) => home || []))];
}

function systemHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    // A user id without a name.
    return undefined;
  }
}

/** What the tools need to find what is installed, since HOME is not the user's. Looked up once, at the start. */
export function toolVariables(env: Source): Record<string, string> {
  const home = env['HOME'];
  if (!home) return {};
  const found = TOOL_HOMES.flatMap(({ variable, place }) =>
    place !== undefined && isTold(variable, env) && isFolder(join(home, place))
      ? [[variable, join(home, place)] as const]
      : [],
  );
  const userBase = join(home, '.local');
  const hasSites = env['PYTHONUSERBASE'] === undefined && userSites(userBase).length > 0;
  return { ...Object.fromEntries(found), ...(hasSites && { PYTHONUSERBASE: userBase }) };
}

function isTold(variable: string, env: Source): boolean {
  if (env[variable] !== undefined || CACHES.has(variable) || NOT_BY_DEFAULT.has(variable)) return false;
  // Where GOPATH is set, the modules are in it.
  return variable !== 'GOMODCACHE' || env['GOPATH'] === undefined;
}

/** Folders of packages that a user installed for Python as a whole. */
export function userSites(userBase: string | undefined): string[] {
  if (!userBase) return [];
  const lib = join(userBase, 'lib');
  const names = isFolder(lib) ? readdirSync(lib).filter((name) => name.startsWith('python')) : [];
  return names.map((name) => join(lib, name, 'site-packages')).filter(isFolder);
}

/** Makes the HOME of a room. */
export function makeHome(home: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  // Files of another owner are no danger to a repository that was copied for this.
  const config = '[safe]\n\tdirectory = *\n[user]\n\tname = loopgen\n\temail = loopgen@localhost\n';
  writeFileSync(join(home, '.gitconfig'), config);
}

export interface RoomEnvironment {
  readonly home: string;
  /** Folder for temporary files; undefined: the system's. */
  readonly tmp?: string;
  /** What `toolVariables` found. */
  readonly tools: Readonly<Record<string, string>>;
  /** Paths below the first are named as if below the second. */
  readonly moved?: { readonly from: string; readonly to: string };
}

/** The environment of a process inside. */
export function inside(env: Readonly<Record<string, string>>, room: RoomEnvironment): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name]) => !CACHES.has(name) && !OF_THE_USER.includes(name) && name !== 'TMPDIR',
  );
  const { moved } = room;
  const named = moved ? kept.map(([name, value]) => [name, renamed(value, moved)] as const) : kept;
  return {
    ...room.tools,
    ...Object.fromEntries(named),
    HOME: room.home,
    ...(room.tmp !== undefined && { TMPDIR: room.tmp }),
    // Compiled files beside the sources could be somebody else's.
    PYTHONPYCACHEPREFIX: join(room.home, '.cache/pycache'),
  };
}

/** Every path of a list, such as PATH, that lies below a folder. */
function renamed(value: string, { from, to }: { readonly from: string; readonly to: string }): string {
  if (!value.includes(from)) return value;
  return value
    .split(delimiter)
    .map((part) => (part === from || part.startsWith(`${from}/`) ? to + part.slice(from.length) : part))
    .join(delimiter);
}
