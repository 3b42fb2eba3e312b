import { describe, expect, test } from 'vitest';
import { artefacts } from '../../src/workspace/artefacts.ts';
import { isCacheOrPackages, isDependencyFolder } from '../../src/workspace/dependencies.ts';

describe('artefacts', () => {
  const none = artefacts([]);
  test.each([
    ['debug.log', false, [], true],
    ['src/app/debug.log', false, [], true],
    ['logs', true, [], true],
    ['src/logs', true, ['a.py'], false],
    ['pkg/dist', true, ['package.json'], true],
    ['src/build', true, ['main.c'], false],
    ['coverage', true, [], true],
    ['coverage', false, [], false],
    ['htmlcov', true, [], true],
    ['app.db-wal', false, [], true],
    ['data.sqlite3', false, [], true],
    ['thing.egg-info', true, [], true],
    ['login.py', false, [], false],
    ['src/logging.ts', false, [], false],
  ])('%s (folder: %s, beside %j): %s', (key, isFolder, siblings, expected) => {
    expect(none.isArtefact(key, isFolder, siblings)).toBe(expected);
  });

  test.each([
    ['generated/', 'generated', true, true],
    ['generated/', 'src/generated', true, true],
    ['./out/*.json', 'out/a.json', false, true],
    ['out/*.json', 'x/out/a.json', false, false],
    ['*.snap', 'deep/down/a.snap', false, true],
    ['docs/**', 'docs/a/b.md', false, true],
    ['docs/**', 'src/docs.md', false, false],
  ])('the glob %s on %s (folder: %s): %s', (glob, key, isFolder, expected) => {
    expect(artefacts([glob]).isArtefact(key, isFolder, [])).toBe(expected);
  });
});

describe('dependency folders', () => {
  test.each([
    ['env', [], ['pyvenv.cfg', 'bin'], true],
    ['target', ['Cargo.toml'], ['debug'], true],
    ['target', ['pom.xml'], ['classes'], true],
    ['target', ['main.py'], ['x'], false],
    ['vendor', ['go.mod'], ['modules.txt'], true],
    ['vendor', ['go.mod'], ['mine.go'], false],
    ['vendor', ['composer.json'], ['autoload.php'], true],
    ['vendor', ['Gemfile'], ['bundle'], true],
    ['vendor', [], ['modules.txt'], false],
  ])('%s beside %j with %j in it: %s', (name, siblings, within, expected) => {
    expect(isDependencyFolder(name, siblings, within)).toBe(expected);
  });

  test.each(['node_modules', '__pycache__', '.pytest_cache', '.tox', '.cache'])(
    '%s is never walked',
    (name) => {
      expect(isCacheOrPackages(name)).toBe(true);
    },
  );
});
