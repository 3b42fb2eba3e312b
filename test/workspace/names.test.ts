import { describe, expect, test } from 'vitest';
import { ancestorsOf, displayOf, keyInside, keyOf, parentOf } from '../../src/workspace/names.ts';

describe('names', () => {
  test.each([
    ['plain', 'a/b.txt', 'a/b.txt'],
    ['UTF-8', keyOf('ü/日本.py'), 'ü/日本.py'],
    ['newline and quotes', 'n\nl "q".py', 'n\nl "q".py'],
    ['a byte that is no UTF-8', 'caf\xe9.txt', 'caf\\xe9.txt'],
    ['a cut character between good ones', `${keyOf('ü')}\xc3/${keyOf('é')}`, 'ü\\xc3/é'],
  ])('%s is shown as it is, other bytes escaped', (_, key, shown) => {
    expect(displayOf(key)).toBe(shown);
  });

  test.each([
    ['/w', '/w/a/b', 'a/b'],
    ['/w', '/w', undefined],
    ['/w', '/wx/a', undefined],
    ['/w', '/', undefined],
    ['/w', '/w/..a', '..a'],
    ['/w/ü', '/w/ü/é', keyOf('é')],
  ])('in %s the path %s has the key %s', (root, path, key) => {
    expect(keyInside(root, path)).toBe(key);
  });

  test('folders above a key come outermost first', () => {
    expect(ancestorsOf('a/b/c')).toEqual(['a', 'a/b']);
    expect(parentOf('a/b/c')).toBe('a/b');
    expect(parentOf('a')).toBe('');
  });
});
