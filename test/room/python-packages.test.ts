import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { distributionsIn } from '../../src/room/python-packages.ts';
import { pythonSites, runsPython } from '../../src/room/python-sites.ts';
import { packagesOfTests } from '../../src/room/python-watch.ts';
import { tempDir } from '../support/temp-dir.ts';
import { put } from '../workspace/support.ts';

const env = { PATH: process.env['PATH'] ?? '' };

describe('the packages of a site', () => {
  test('are told by their records, of wheels and of eggs, and by bare names', async () => {
    await using dir = await tempDir();
    const files = {
      'yaml/__init__.py': '',
      'PyYAML-6.0.dist-info/METADATA':
        'Name: PyYAML\nVersion: 6.0\nRequires-Dist: Some.Thing>=1\nRequires-Dist: extra-only; extra == "x"\n',
      'PyYAML-6.0.dist-info/RECORD':
        '_yaml/__init__.py,,\nyaml/__init__.py,,\nPyYAML-6.0.dist-info/METADATA,,\n../../bin/y,,\n_speed.cpython-311-x86_64-linux-gnu.so,,\n',
      'plug-1.dist-info/METADATA': 'Name: plug\n',
      'plug-1.dist-info/top_level.txt': 'plug\n',
      'plug-1.dist-info/entry_points.txt': '[pytest11]\nplug = plug\n',
      'old-1.egg-info/PKG-INFO': 'Name: old\n',
      'old-1.egg-info/top_level.txt': 'old\n',
      'old-1.egg-info/requires.txt': 'plug>=1\n\n[extra]\nother\n',
      'bare.py': '',
      'README.txt': '',
    };
    for (const [path, text] of Object.entries(files)) put(dir.path, path, text);
    const found = distributionsIn(dir.path).map((one) => [
      one.name,
      ...one.modules,
      ...one.requires,
      one.isPlugin,
    ]);
    expect(found.sort()).toEqual([
      ['bare', 'bare', false],
      ['old', 'old', 'plug', false],
      ['plug', 'plug', true],
      ['pyyaml', '_yaml', 'yaml', '_speed', 'some-thing', false],
    ]);
  });

  test('are none where there is no such folder', () => {
    expect(distributionsIn('/no/such/folder')).toEqual([]);
  });
});

describe('where interpreters find packages', () => {
  test('an environment of the project is looked at without starting anything, where it stands alone', async () => {
    await using dir = await tempDir();
    put(dir.path, '.venv/pyvenv.cfg', 'include-system-site-packages = false\n');
    put(dir.path, '.venv/lib/python3.11/site-packages/six.py', '');
    const ask = { root: dir.path, dependencies: ['.venv'], env };
    const own = [`${dir.path}/.venv/lib/python3.11/site-packages`];
    const alone = await pythonSites({ ...ask, commands: ['.venv/bin/python -m pytest'] });
    expect(alone).toEqual({ own, around: [], library: undefined });
    const withPath = await pythonSites({ ...ask, commands: ['pytest -q'] });
    expect(withPath.own).toEqual(own);
    expect(withPath.around.length).toBeGreaterThan(0);
    expect(withPath.library).toMatch(/python3/);
  });

  test('an environment of the project that is first on the PATH is its own', async () => {
    await using dir = await tempDir();
    execFileSync('python3', ['-m', 'venv', '--without-pip', `${dir.path}/.venv`]);
    const path = { PATH: `${dir.path}/.venv/bin:${env.PATH}` };
    const found = await pythonSites({
      root: dir.path,
      dependencies: ['.venv'],
      commands: ['pytest'],
      env: path,
    });
    expect(found.own).toHaveLength(1);
    expect(found.around.filter((place) => place.startsWith(dir.path))).toEqual([]);
    expect(found.library).toMatch(/python3/);
  });

  test('no interpreter is no error', async () => {
    const found = await pythonSites({
      root: '/',
      dependencies: [],
      commands: ['pytest'],
      env: { PATH: '/nowhere' },
    });
    expect(found).toEqual({ own: [], around: [], library: undefined });
  });

  test.each([
    ['python3.11 -m pytest', true],
    ['.venv/bin/pytest -q', true],
    ['npx vitest run', false],
    ['go test ./...', false],
  ])('%s: %s', (line, is) => {
    expect(runsPython([line])).toBe(is);
  });
});

test('of a site, what tests rest on counts, and the records by which plug-ins come', async () => {
  await using dir = await tempDir();
  for (const name of ['judge', 'other']) put(dir.path, `${name}.py`, '');
  const sites = { own: [], around: [dir.path], library: '/usr/lib/python3' };
  const { modules, around } = packagesOfTests(sites, ['judge.part']);
  expect([...modules]).toEqual(['judge']);
  const [site, library] = around;
  const paths = ['judge', 'judge/sub', 'judge.py', 'a.pth', 'other', 'other.py', 'x-1.dist-info'];
  expect(paths.filter((path) => site?.looksAt(path))).toEqual([
    'judge',
    'judge/sub',
    'judge.py',
    'a.pth',
    'x-1.dist-info',
  ]);
  expect(paths.filter((path) => site?.mustStay(path))).toEqual(['judge', 'judge/sub', 'judge.py', 'a.pth']);
  const ofLibrary = ['unittest', 'site-packages', 'test/support'];
  expect(ofLibrary.filter((path) => library?.looksAt(path))).toEqual(['unittest']);
});
