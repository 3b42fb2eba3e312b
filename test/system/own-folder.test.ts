import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { leftFolders, makeOwnFolder } from '../../src/system/own-folder.ts';
import { isOwnerDead, newScopePart, scopeParts } from '../../src/system/scope.ts';
import { tempDir } from '../support/temp-dir.ts';

const knowsOwners = existsSync('/proc/self/stat');

/** A folder whose maker has ended. */
function leftBehind(parent: string): string {
  const module = pathToFileURL(join(process.cwd(), 'src/system/own-folder.ts')).href;
  const script = `const { makeOwnFolder } = await import(${JSON.stringify(module)}); process.stdout.write(makeOwnFolder(${JSON.stringify(parent)}, 'rooms-'))`;
  return execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
}

describe.runIf(knowsOwners)('folders that a run left', () => {
  test('are those whose owner has ended, and no others', async () => {
    await using dir = await tempDir();
    const own = makeOwnFolder(dir.path);
    const left = leftBehind(dir.path);
    mkdirSync(join(dir.path, 'loopgen-of-nobody'));
    mkdirSync(join(dir.path, 'other'));
    const owner = readFileSync(join(left, '.loopgen-owner'), 'utf8');
    writeFileSync(join(dir.path, 'other/.loopgen-owner'), owner);
    symlinkSync(left, join(dir.path, 'loopgen-link'));
    expect(leftFolders([dir.path, dir.path, '/no/such/place'])).toEqual([left]);
    expect(existsSync(own)).toBe(true);
  });

  test('are not told by a name that leads nowhere', async () => {
    await using dir = await tempDir();
    const left = leftBehind(dir.path);
    for (const text of ['', '1', 'x.y.z', newScopePart()]) {
      writeFileSync(join(left, '.loopgen-owner'), text);
      expect(scopeParts(text).some(isOwnerDead)).toBe(false);
      expect(leftFolders([dir.path])).toEqual([]);
    }
  });
});
