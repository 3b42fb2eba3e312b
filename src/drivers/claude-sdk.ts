import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { packageFolders } from '../system/find-package.ts';

export const CLAUDE_SDK = '@anthropic-ai/claude-agent-sdk';
export const INSTALL_SDK = `run "npm install ${CLAUDE_SDK}", in the project or beside loopgen`;

/** The part of the SDK that is used; what comes out of it is read with care. */
export interface ClaudeSdk {
  readonly query: (call: {
    readonly prompt: string;
    readonly options: Readonly<Record<string, unknown>>;
  }) => AsyncIterable<unknown>;
}

const manifest = z.object({
  version: z.string(),
  main: z.string().optional(),
  exports: z
    .object({ '.': z.object({ default: z.string() }) })
    .optional()
    .catch(undefined),
});

export interface InstalledSdk {
  readonly file: string;
  readonly version: string;
}

/**
 * The SDK as Node finds it from here, from the current folder, or from the workspace. It is no dependency: who uses it
 * installs it beside loopgen, or in a project. The workspace comes last, since an agent can write there.
 */
export function findClaudeSdk(workdir: string): InstalledSdk | undefined {
  for (const folder of packageFolders(CLAUDE_SDK, [import.meta.dirname, process.cwd(), workdir])) {
    const found = installedIn(folder);
    if (found) return found;
  }
  return undefined;
}

function installedIn(folder: string): InstalledSdk | undefined {
  const { success, data } = manifest.safeParse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  if (!success) return undefined;
  return {
    version: data.version,
    file: join(folder, data.exports?.['.'].default ?? data.main ?? 'index.js'),
  };
}

/** Loads it. Rejects where it cannot be loaded, or is something else. */
export async function loadClaudeSdk({ file }: InstalledSdk): Promise<ClaudeSdk> {
  const sdk: Partial<ClaudeSdk> = await import(pathToFileURL(file).href);
  if (typeof sdk.query === 'function') return { query: sdk.query };
  throw new Error(`${file} has no function "query": install another version of ${CLAUDE_SDK}`);
}
