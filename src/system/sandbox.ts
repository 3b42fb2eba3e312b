import { realpathSync, statSync } from 'node:fs';
import { exec } from './exec.ts';
import { which } from './which.ts';

type Source = Readonly<Record<string, string | undefined>>;

/** What stands at one path inside. Everything else is the system's own, read-only. */
export type Mount = { /** Absolute, without links. */ readonly at: string } & (
  | { readonly kind: 'writable' | 'read-only'; readonly from: string }
  /** An empty folder in memory, for this one call. */
  | { readonly kind: 'empty' }
  /** A file that holds nothing. */
  | { readonly kind: 'nothing' }
);

export interface Walls {
  /** In any order: a path inside another's comes after it. */
  readonly mounts: readonly Mount[];
  readonly network: boolean;
}

/** Where bubblewrap is and works, or why it cannot be used. */
export type Sandbox =
  | { readonly ok: true; readonly program: string; readonly version: string }
  | { readonly ok: false /** But refused. */; readonly installed: boolean; readonly because: string };

/** What goes up always. Root could remount what is read-only, so no capability stays. */
const ALWAYS: readonly string[] = [
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent', '--cap-drop', 'ALL'],
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
];

/** The arguments that put these walls up, without the command: `--chdir DIR -- COMMAND …` follows. */
export function sandboxArguments({ mounts, network }: Walls): string[] {
  const sorted = [...mounts].sort((a, b) => (a.at < b.at ? -1 : 1));
  return [...ALWAYS, ...(network ? [] : ['--unshare-net']), ...sorted.flatMap(argumentsOf)];
}

function argumentsOf(mount: Mount): string[] {
  switch (mount.kind) {
    case 'writable':
      return ['--bind', mount.from, mount.at];
    case 'read-only':
      return ['--ro-bind', mount.from, mount.at];
    case 'empty':
      return ['--tmpfs', mount.at];
    case 'nothing':
      return ['--ro-bind', '/dev/null', mount.at];
  }
}

const PROBE_MS = 5000;

const probes = new Map<string, Promise<Sandbox>>();

/** Tries bubblewrap with the flags that are used later, once per process and program. Never rejects. */
export function findSandbox(
  env: Source,
  { network = true, timeoutMs = PROBE_MS }: { readonly network?: boolean; readonly timeoutMs?: number } = {},
): Promise<Sandbox> {
  const program = process.platform === 'linux' ? which('bwrap', env) : undefined;
  if (program === undefined) {
    const because =
      process.platform === 'linux' ? 'bubblewrap (bwrap) is not installed' : 'there is no bubblewrap here';
    return Promise.resolve({ ok: false, installed: false, because });
  }
  const key = `${program} ${network}`;
  const known = probes.get(key) ?? probe(program, network, timeoutMs);
  probes.set(key, known);
  return known;
}

async function probe(program: string, network: boolean, timeoutMs: number): Promise<Sandbox> {
  const mounts: Mount[] = temporaryFolders().map((at) => ({ at, kind: 'empty' }));
  const walls = sandboxArguments({ mounts, network });
  const options = { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, timeoutMs };
  const tried = await exec({ file: program, args: [...walls, '--', '/bin/sh', '-c', ':'] }, options);
  if (tried.ended !== 'exited' || tried.code !== 0) {
    const said =
      tried.output.text.trim().split('\n').at(-1) ||
      (tried.ended === 'exited' ? `exit ${tried.code}` : tried.ended);
    return { ok: false, installed: true, because: `bubblewrap is refused by the system: ${said}` };
  }
  const asked = await exec({ file: program, args: ['--version'] }, options);
  return { ok: true, program, version: /[\d.]+/.exec(asked.stdout.text)?.[0] ?? 'unknown' };
}

/** Folders that anybody may write to: inside they are empty. Absolute, without links. */
export function temporaryFolders(): string[] {
  return [...new Set(['/tmp', '/var/tmp'].flatMap((folder) => realFolder(folder) ?? []))];
}

function realFolder(folder: string): string | undefined {
  try {
    const real = realpathSync(folder);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}
