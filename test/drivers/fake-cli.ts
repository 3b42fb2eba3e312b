import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a program that stands in for an agent's. `body`: shell, below a shebang. */
export async function fakeCli(file: string, body: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
  return file;
}

/** Shell that prints these events, a line each. */
export function emits(...events: readonly object[]): string {
  return `cat <<'EVENTS'\n${events.map((event) => JSON.stringify(event)).join('\n')}\nEVENTS`;
}
