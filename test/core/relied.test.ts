import { describe, expect, test } from 'vitest';
import { type Distribution, normalisedName, reliedOn } from '../../src/core/relied.ts';

const dist = (name: string, more: Partial<Distribution> = {}): Distribution => ({
  name,
  modules: [name],
  requires: [],
  isPlugin: false,
  ...more,
});

const namesOf = (imports: readonly string[], all: readonly Distribution[]) =>
  reliedOn(imports, all)
    .map(({ name }) => name)
    .sort();

describe('the packages that tests rest on', () => {
  const all = [
    dist('pytest', { modules: ['pytest', '_pytest'], requires: ['pluggy'] }),
    dist('pluggy'),
    dist('pytest-mock', { modules: ['pytest_mock'], isPlugin: true, requires: ['wrapt'] }),
    dist('wrapt'),
    dist('pyyaml', { modules: ['yaml', '_yaml'] }),
    dist('a', { requires: ['b'] }),
    dist('b', { requires: ['a', 'c', 'not-installed'] }),
    dist('c'),
    dist('unrelated', { requires: ['a'] }),
  ];

  test('are those of the runner and its plug-ins, whatever is imported', () => {
    expect(namesOf([], all)).toEqual(['pluggy', 'pytest', 'pytest-mock', 'wrapt']);
  });

  test('are those that tests import by a top-level name, and what these need in turn', () => {
    const found = namesOf(['yaml.loader', 'a'], all);
    expect(found).toEqual(['a', 'b', 'c', 'pluggy', 'pytest', 'pytest-mock', 'pyyaml', 'wrapt']);
  });

  test('are not those that only something else needs', () => {
    expect(namesOf(['c'], all)).not.toContain('unrelated');
  });
});

test('names of packages are compared without case and signs', () => {
  expect(['Foo_Bar', 'foo.bar', 'FOO--bar'].map(normalisedName)).toEqual(['foo-bar', 'foo-bar', 'foo-bar']);
});
