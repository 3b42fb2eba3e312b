import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DependencyManifest } from '../../src/room/dependency-manifest.ts';
import { tempDir } from '../support/temp-dir.ts';
import { put } from '../workspace/support.ts';

const SITE = '.venv/lib/python3.11/site-packages';

/** A tree of installed packages, what happens to it, and what is said of that. */
async function verdictAfter(happens: (dir: string) => void): Promise<string | undefined> {
  await using temp = await tempDir();
  const dir = temp.path;
  put(dir, 'node_modules/.package-lock.json', '{}');
  put(dir, 'node_modules/lib/index.js', '1');
  put(dir, 'node_modules/lib/node_modules/inner/index.js', '1');
  put(dir, 'node_modules/@scope/one/index.js', '1');
  mkdirSync(join(dir, 'node_modules/.bin'));
  symlinkSync('../lib/index.js', join(dir, 'node_modules/.bin/lib'));
  put(dir, '.venv/pyvenv.cfg', '');
  put(dir, '.venv/bin/tool', '');
  put(dir, `${SITE}/six.py`, '1');
  put(dir, `${SITE}/own.pth`, '/src\n');
  put(dir, `${SITE}/six-1.dist-info/RECORD`, 'r');
  put(dir, 'vendor/example.com/a/a.go', 'package a');
  const manifest = new DependencyManifest(dir, ['node_modules', '.venv', 'vendor']);
  happens(dir);
  return manifest.changed();
}

describe('the manifest of dependencies', () => {
  test.each<readonly [string, (dir: string) => void]>([
    ['nothing', () => {}],
    ['a package for Node', (dir) => put(dir, 'node_modules/more/lib/index.js', '')],
    ['a package with packages of its own', (dir) => put(dir, 'node_modules/more/node_modules/x/i.js', '')],
    [
      'a package of a scope, and its program',
      (dir) => {
        put(dir, 'node_modules/@scope/two/index.js', '');
        symlinkSync('../@scope/two/index.js', join(dir, 'node_modules/.bin/two'));
      },
    ],
    ['the record of the package manager', (dir) => put(dir, 'node_modules/.package-lock.json', '{"a":1}')],
    [
      'a link that is made again',
      (dir) => {
        rmSync(join(dir, 'node_modules/.bin/lib'));
        symlinkSync('../lib/index.js', join(dir, 'node_modules/.bin/lib'));
      },
    ],
    [
      'a package for Python',
      (dir) => {
        put(dir, `${SITE}/more/__init__.py`, '');
        put(dir, `${SITE}/more-1.dist-info/RECORD`, '');
        put(dir, '.venv/bin/more', '');
      },
    ],
    [
      'a path file that is written again as it was',
      (dir) => {
        rmSync(join(dir, SITE, 'own.pth'));
        put(dir, `${SITE}/own.pth`, '/src\n');
      },
    ],
    [
      'compiled files and caches',
      (dir) => {
        put(dir, `${SITE}/__pycache__/six.cpython-311.pyc`, '');
        put(dir, 'node_modules/.cache/x/y', '');
        put(dir, 'node_modules/.vite/results.json', '');
      },
    ],
    ['a Go module', (dir) => put(dir, 'vendor/example.com/b/b.go', 'package b')],
  ])('lets in what an installation adds: %s', async (_, happens) => {
    expect(await verdictAfter(happens)).toBeUndefined();
  });

  test.each<readonly [string, string, (dir: string) => void]>([
    [
      'an edit',
      'lib/index.js was changed',
      (dir) => appendFileSync(join(dir, 'node_modules/lib/index.js'), '2'),
    ],
    [
      'an edit that keeps size and time',
      'lib/index.js was changed',
      (dir) => {
        const file = join(dir, 'node_modules/lib/index.js');
        utimesSync(file, 1e9, 1e9);
        writeFileSync(file, '2');
        utimesSync(file, 1e9, 1e9);
      },
    ],
    ['a deletion', 'six.py is gone', (dir) => rmSync(join(dir, SITE, 'six.py'))],
    ['another mode', 'tool was changed', (dir) => chmodSync(join(dir, '.venv/bin/tool'), 0o777)],
    [
      'a link that leads elsewhere',
      '.bin/lib was changed',
      (dir) => {
        rmSync(join(dir, 'node_modules/.bin/lib'));
        symlinkSync('../../cheat.js', join(dir, 'node_modules/.bin/lib'));
      },
    ],
    [
      'a file where a link was',
      '.bin/lib was changed',
      (dir) => {
        rmSync(join(dir, 'node_modules/.bin/lib'));
        put(dir, 'node_modules/.bin/lib', '');
      },
    ],
    [
      'a folder that is gone',
      'node_modules is gone',
      (dir) => rmSync(join(dir, 'node_modules'), { recursive: true }),
    ],
    [
      'a file inside a package',
      'lib/extra.js was added inside an installed package',
      (dir) => put(dir, 'node_modules/lib/extra.js', ''),
    ],
    [
      'a package that hides one',
      'stands before an installed package',
      (dir) => put(dir, 'node_modules/lib/node_modules/@scope/one/index.js', ''),
    ],
    [
      'a Go file inside a package',
      'a/b.go was added inside',
      (dir) => put(dir, 'vendor/example.com/a/b.go', ''),
    ],
    [
      'a start-up module of Python',
      'sitecustomize.py was added',
      (dir) => put(dir, `${SITE}/sitecustomize.py`, ''),
    ],
    [
      'a plug-in of pytest',
      'entry_points.txt was added, by which pytest loads a plug-in',
      (dir) => put(dir, `${SITE}/evil-1.dist-info/entry_points.txt`, '[pytest11]\nevil = evil\n'),
    ],
    ['a path file', 'zz.pth was added', (dir) => put(dir, `${SITE}/zz.pth`, '')],
    [
      'a path file with other lines',
      'own.pth was changed',
      (dir) => put(dir, `${SITE}/own.pth`, 'import os\n'),
    ],
    ['a package in place of a module', 'six was added', (dir) => put(dir, `${SITE}/six/__init__.py`, '')],
    [
      'a program in place of the interpreter',
      'bin/python3 was added',
      (dir) => put(dir, '.venv/bin/python3', ''),
    ],
    ['a program in place of node', '.bin/node was added', (dir) => put(dir, 'node_modules/.bin/node', '')],
  ])('names what an installation does not do: %s', async (_, said, happens) => {
    expect(await verdictAfter(happens)).toContain(said);
  });

  test('names the first files and counts the others', async () => {
    const found = await verdictAfter((dir) => rmSync(join(dir, SITE), { recursive: true }));
    expect(found).toMatch(
      /^installed dependencies are not what they were: .+ is gone, .+ is gone, .+ is gone, and 2 more$/,
    );
  });
});

describe('a manifest', () => {
  test('names the folders that changed, and knows when nothing at all did', async () => {
    await using temp = await tempDir();
    for (const folder of ['a/node_modules', 'b/node_modules']) put(temp.path, `${folder}/lib/index.js`, '1');
    const manifest = new DependencyManifest(temp.path, ['a/node_modules', 'b/node_modules']);
    expect(manifest.isSame()).toBe(true);
    put(temp.path, 'a/node_modules/more/index.js', '');
    expect([manifest.isSame(), manifest.changedFolders()]).toEqual([false, []]);
    put(temp.path, 'b/node_modules/lib/index.js', '2');
    expect(manifest.changedFolders()).toEqual(['b/node_modules']);
  });

  test('looks at no more than it is told to, and lets go what need not stay', async () => {
    await using temp = await tempDir();
    for (const name of ['judge', 'record', 'other']) put(temp.path, `site/${name}/a.py`, '1');
    const named = (path: string, ...names: string[]) => names.includes(path.split('/')[1] ?? 'site');
    const manifest = new DependencyManifest(temp.path, ['site'], {
      looksAt: (path) => named(path, 'site', 'judge', 'record'),
      mustStay: (path) => named(path, 'site', 'judge'),
      named: '/lib/',
    });
    put(temp.path, 'site/other/a.py', '2');
    rmSync(join(temp.path, 'site/record'), { recursive: true });
    expect(manifest.changed()).toBeUndefined();
    put(temp.path, 'site/judge/a.py', '22');
    expect(manifest.changed()).toContain('/lib/site/judge/a.py was changed');
  });
});
