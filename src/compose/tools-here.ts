import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Machine } from '../core/plugin.ts';
import { packageFolders } from '../system/find-package.ts';
import { versionOf } from '../system/version-of.ts';
import { which } from '../system/which.ts';
import type { Finding } from './finding.ts';

interface Tool {
  readonly name: string;
  /** Default: the name. */
  readonly program?: string;
  /** What makes it print its version. */
  readonly args: readonly string[];
  /** How to get it. */
  readonly get: string;
}

/** What runs checks, beside this Node. */
const TOOLS: readonly Tool[] = [
  { name: 'python3', args: ['--version'], get: 'apt-get install python3' },
  {
    name: 'pytest',
    program: 'python3',
    args: ['-m', 'pytest', '--version'],
    get: 'python3 -m pip install pytest',
  },
  { name: 'go', args: ['version'], get: 'https://go.dev/dl' },
  { name: 'cargo', args: ['--version'], get: 'https://rustup.rs' },
  { name: 'mvn', args: ['--version'], get: 'apt-get install maven' },
];

/** Runners that a project brings along. */
const PACKAGES: readonly string[] = ['vitest', 'jest', 'mocha'];

const GIT: Tool = { name: 'git', args: ['--version'], get: 'apt-get install git' };

/** What a run cannot do without. */
export async function gitHere(machine: Machine): Promise<Finding> {
  const found = await toolHere(GIT, machine);
  return { ...found, about: 'loopgen', status: found.status === 'absent' ? 'needed' : found.status };
}

/** What can run checks on this machine and in this folder. */
export async function checkersHere(machine: Machine): Promise<readonly Finding[]> {
  const tools = await Promise.all(TOOLS.map((tool) => toolHere(tool, machine)));
  return [...tools, ...PACKAGES.map((name) => packageHere(name, machine))];
}

async function toolHere(tool: Tool, machine: Machine): Promise<Finding> {
  const { workdir, environment, signal, timeoutMs } = machine;
  const { name, args, get } = tool;
  const about = 'checks';
  const missing: Finding = { about, name, status: 'absent', says: `not installed: ${get}` };
  const program = which(tool.program ?? name, environment(), workdir);
  if (program === undefined) return missing;
  // In a project, Python would take modules of the project for its own.
  const limits = { cwd: '/', env: environment(), signal, timeoutMs };
  const { ending, version } = await versionOf({ file: program, args }, limits);
  const there = { about, name, program, ...(version !== undefined && { version }) } as const;
  const isFine = ending.ended === 'exited' && ending.code === 0;
  // One that told its version and is slow to end is there all the same.
  if (version !== undefined && (isFine || ending.ended === 'timed-out')) {
    return { ...there, status: 'ok', says: '' };
  }
  if (isFine) return { ...there, status: 'advice', says: 'it tells no version' };
  if (ending.ended !== 'exited') {
    return { ...there, status: 'advice', says: `it did not tell its version in ${timeoutMs / 1000} s` };
  }
  const isPart = tool.program !== undefined;
  return isPart ? missing : { ...there, status: 'advice', says: `it ends with exit code ${ending.code}` };
}

/** Read, not started: code of the project has no business here. */
function packageHere(name: string, { workdir }: Machine): Finding {
  const about = 'checks';
  const [folder] = packageFolders(name, [workdir]);
  if (folder === undefined) {
    return { about, name, status: 'absent', says: `not in this project: npm install --save-dev ${name}` };
  }
  const version = versionIn(join(folder, 'package.json'));
  return {
    about,
    name,
    status: 'ok',
    program: folder,
    ...(version !== undefined && { version }),
    says: `of ${dirname(dirname(folder))}`,
  };
}

function versionIn(manifest: string): string | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
    const version = typeof read === 'object' && read !== null && 'version' in read ? read.version : undefined;
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
