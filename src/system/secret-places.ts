import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Mount } from './sandbox.ts';

/** Credentials, and the state of agents: in a user's home. A name that ends in `*` stands for all that begin so. */
const IN_HOME: readonly string[] = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.config/gcloud', '.config/gh', '.config/hub', '.netrc', '.npmrc'],
  ...['.pypirc', '.config/pip', '.pip', '.git-credentials', '.config/git/credentials', '.cargo/credentials*'],
  ...['.docker', '.kube', '.config/containers', '.local/share/containers', '.terraform.d', '.vault-token'],
  ...['.password-store', '.config/op', '.config/sops', '.local/share/keyrings', '.m2/settings*.xml'],
  ...[
    '.gem/credentials',
    '.nuget/NuGet/NuGet.Config',
    '.composer/auth.json',
    '.config/rclone',
    '.pgpass',
    '.my.cnf',
  ],
  ...[
    '.claude*',
    '.codex',
    '.grok',
    '.copilot',
    '.gemini',
    '.cursor',
    '.aider*',
    '.continue',
    '.qwen',
    '.opencode',
  ],
  ...[
    '.config/opencode',
    '.local/share/opencode',
    '.config/github-copilot',
    '.config/claude*',
    '.local/share/claude',
  ],
  ...[
    '.local/state/loopgen',
    '.bash_history',
    '.zsh_history',
    '.mozilla',
    '.config/google-chrome',
    '.config/chromium',
  ],
];

/** Doors to programs that run as somebody else. */
const SOCKETS: readonly string[] = [
  ...['/run/docker.sock', '/var/run/docker.sock', '/run/containerd', '/run/podman', '/run/crio', '/run/dbus'],
  ...['/run/user', '/run/snapd.socket', '/run/libvirt'],
];

/** All of these that exist: folders are empty inside, files hold nothing. `more`: absolute paths to hide besides. */
export function secretPlaces(homes: readonly string[], more: readonly string[]): Mount[] {
  const named = homes.flatMap((home) => IN_HOME.flatMap((name) => expand(home, name)));
  const mounts = new Map<string, Mount>();
  for (const place of [...named, ...SOCKETS, ...more]) {
    const mount = hidden(place);
    if (mount) mounts.set(mount.at, mount);
  }
  return [...mounts.values()];
}

function expand(home: string, name: string): string[] {
  const star = name.indexOf('*');
  if (star < 0) return [join(home, name)];
  const slash = name.lastIndexOf('/') + 1;
  const folder = join(home, name.slice(0, slash));
  const [head, tail] = [name.slice(slash, star), name.slice(star + 1)];
  const meets = (entry: Dirent) => entry.name.startsWith(head) && entry.name.endsWith(tail);
  return entriesOf(folder).flatMap((entry) => (meets(entry) ? [join(folder, entry.name)] : []));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function hidden(place: string): Mount | undefined {
  try {
    const at = realpathSync(place);
    return { at, kind: statSync(at).isDirectory() ? 'empty' : 'nothing' };
  } catch {
    // It does not exist, or this user may not see it.
    return undefined;
  }
}
