import type { Rig } from './rig.ts';
import { type Assignment, meets, type Played, write } from './scenario.ts';

/** The assignment to write a file of one line. */
export const toWrite = (path: string, content: string): Assignment => ({
  prompt: `Create the file ${path} in the current folder. Its whole content is this one line:\n\n${content}`,
  does: [write(path, `${content}\n`)],
});

/** The file has to hold this line after the turn. */
export async function holds(rig: Rig, path: string, text: string, result: Played['result']): Promise<void> {
  const found = await rig.text(path);
  const told = `the turn says ${result.stopReason}: ${result.summary}`;
  meets(found !== undefined, `${path} was not written; ${told}`);
  meets(found?.trim() === text, `${path} holds ${JSON.stringify(found?.slice(0, 80))}; ${told}`);
}
