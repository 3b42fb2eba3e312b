import { existsSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { messageOf } from '../core/error.ts';
import { count } from '../core/outcome.ts';
import { excerpt } from '../core/shorten.ts';
import { userStateDir } from '../journal/state.ts';
import { within } from '../system/deadline.ts';
import type { Finding } from './finding.ts';
import { endLeft } from './leftovers.ts';

/** A run keeps a copy of every file that changes, and a room the whole project. */
const LITTLE_BYTES = 500e6;

export interface Places {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workdir: string;
  readonly timeoutMs: number;
}

/** Where runs are recorded and where rooms are made: whether that can be written, and how much fits. */
export async function placesHere({ env, timeoutMs }: Places): Promise<readonly Finding[]> {
  return await Promise.all([
    placeHere('state', userStateDir(env), timeoutMs, 'set XDG_STATE_HOME, or --state-dir of a run'),
    placeHere('temp', tmpdir(), timeoutMs, 'set TMPDIR'),
  ]);
}

async function placeHere(name: string, path: string, timeoutMs: number, other: string): Promise<Finding> {
  const about = 'loopgen';
  try {
    const free = await freeAt(path, timeoutMs);
    if (free === undefined) {
      return { about, name, status: 'advice', says: `${path} does not answer; another place: ${other}` };
    }
    const says = `${path} has ${sizeOf(free)} free`;
    if (free === 0) return { about, name, status: 'needed', says: `${says}; another place: ${other}` };
    const isLittle = free < LITTLE_BYTES;
    return {
      about,
      name,
      status: isLittle ? 'advice' : 'ok',
      says: isLittle ? `${says}: that is little` : says,
    };
  } catch (error) {
    const says = `${path} cannot be written (${messageOf(error)}); another place: ${other}`;
    return { about, name, status: 'needed', says };
  }
}

/** Bytes that are free where a path is, or will be; undefined where that takes too long to tell. Throws where it cannot be written. */
async function freeAt(path: string, timeoutMs: number): Promise<number | undefined> {
  const place = nearest(path);
  let free: number | undefined;
  const asked = (async () => {
    if (!(await stat(place)).isDirectory()) throw new Error(`${place} is no folder`);
    await access(place, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(place);
    free = bavail * bsize;
  })();
  await within(timeoutMs, asked);
  return free;
}

function nearest(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path));
}

function sizeOf(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(bytes < 10e9 ? 1 : 0)} GB` : `${Math.round(bytes / 1e6)} MB`;
}

const COMMAND_CHARS = 60;

/** What a killed loopgen left, which is ended and removed by that. */
export async function leftoversHere({ workdir }: Places): Promise<Finding> {
  const { processes, folders } = await endLeft(workdir);
  const ended = processes.map(({ pid, command }) => `${pid} ${excerpt(command, COMMAND_CHARS)}`);
  const said = [
    ended.length > 0 && `ended what a killed run left: ${ended.join(', ')}`,
    folders.length > 0 && `removed ${count(folders.length, 'folder')} that killed runs left`,
  ].filter((text) => text !== false);
  return {
    about: 'loopgen',
    name: 'leftovers',
    status: 'ok',
    says: said.join('; ') || 'no killed run left anything',
  };
}
