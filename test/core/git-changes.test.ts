import { describe, expect, test } from 'vitest';
import { gitWarnings } from '../../src/core/git-changes.ts';

const changed = (...paths: string[]) =>
  paths.map((path) => ({ path, change: 'modified' as const, work: false, byChecks: false }));

describe('what a turn did to the git directory is told', () => {
  test.each<[string, string[], string[]]>([
    ['nothing of it', ['a.txt', '.gitignore', 'sub/.git/config'], []],
    [
      'a commit',
      ['.git/HEAD', '.git/refs/heads/x'],
      ['the agent moved HEAD, branches or tags: .git/HEAD, .git/refs/heads/x'],
    ],
    [
      'a hook and settings, by themselves',
      ['.git/config', '.git/hooks/pre-commit', '.git/packed-refs'],
      [
        'the agent moved HEAD, branches or tags: .git/packed-refs',
        'the agent changed how git works here, look before you use it: .git/config, .git/hooks/pre-commit',
      ],
    ],
    [
      'a directory that is another one now',
      ['.git'],
      ['the agent changed how git works here, look before you use it: .git'],
    ],
  ])('%s', (_, paths, told) => {
    expect(gitWarnings(changed(...paths))).toEqual(told);
  });

  test('with the word that checks in a room see git as it was', () => {
    expect(gitWarnings(changed('.git/refs/heads/x'), true)).toEqual([
      'the agent moved HEAD, branches or tags (checks in a room do not see that): .git/refs/heads/x',
    ]);
  });

  test('many refs are counted', () => {
    const refs = Array.from({ length: 9 }, (_, n) => `.git/refs/tags/${n}`);
    expect(gitWarnings(changed(...refs))[0]).toMatch(/tags\/3 and 5 others$/);
  });

  test('not where the checks did it', () => {
    const byChecks = changed('.git/config').map((change) => ({ ...change, byChecks: true }));
    expect(gitWarnings(byChecks)).toEqual([]);
  });
});
