import { describe, expect, test } from 'vitest';
import { readDocument, type SourceDocument } from '../../src/spec/document.ts';
import { SpecError } from '../../src/spec/issue.ts';
import { loadSpecText } from '../../src/spec/load.ts';
import { SMALL } from './example-spec.ts';

type Bad = readonly [title: string, text: string, file: string, place: string, message: string];

const BAD: readonly Bad[] = [
  ['a tab as indentation', 'a:\n\tb: 2\n', 'a.yaml', '2:1', 'a tab is used for indentation'],
  ['a key that is there twice', 'a: 1\nb: 2\na: 3\n', 'a.yaml', '3:1', 'this key is there twice'],
  ['a key that is there twice in JSON', '{"a": 1,\n "a": 2}', 'a.json', '2:2', 'this key is there twice'],
  ['two documents', 'a: 1\n---\nb: 2\n', 'a.yaml', '2:1', 'there is more than one document in the file'],
  ['a mapping in a value', 'name: a: b\n', 'a.yaml', '1:7', 'nested mappings are not allowed'],
  ['a quote that is not closed', 'a: "x\n', 'a.yaml', '2:1', 'missing closing "quote'],
  [
    'an alias without an anchor',
    'a: 1\nb: *gone\n',
    'a.yaml',
    '2:4',
    'there is no anchor &gone before this alias',
  ],
  ['an unknown tag', 'a: !secret x\n', 'a.yaml', '1:4', 'this tag is not known'],
  ['an anchor that holds itself', 'a: &a [*a]\n', 'a.yaml', '1:1', 'an anchor holds itself'],
  ['a comma too many in JSON', '{\n"a": 1,\n}', 'a.json', '3:1', 'is not JSON'],
  ['a comment in JSON', '{\n// b\n"a": 1}', 'a.json', '2:1', 'is not JSON'],
  ['YAML in a JSON file', 'a: 1\n', 'a.JSON', '1:1', 'is not JSON'],
];

describe('a text with a slip in it', () => {
  test.each(BAD)('%s has its place', (_, text, file, place, message) => {
    const read = readDocument(text, file);
    if (read.ok) throw new Error('it was taken for sound');
    const [first] = read.issues;
    expect(first?.message).toContain(message);
    expect(`${first?.at?.line}:${first?.at?.column}`).toBe(place);
    expect(first).toMatchObject({ code: 'syntax', at: { file } });
  });

  test('is bad-spec when it is loaded', () => {
    expect(() => loadSpecText('a: [\n', 'a.yaml')).toThrow(expect.objectContaining({ code: 'bad-spec' }));
  });

  test.each([['['], ['{"a":'], ['- '], ['a: {']])(
    '%j a great many times does not end the program',
    (part) => {
      expect(() => loadSpecText(part.repeat(20_000), 'a.yaml')).toThrow(SpecError);
    },
  );

  test('aliases that grow without measure are refused', () => {
    const rows = 'bcdefgh'
      .split('')
      .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[i]}`)}]`);
    const text = `a: &a [x,x,x,x,x,x,x,x,x]\n${rows.join('\n')}\n`;
    expect(() => loadSpecText(text, 'a.yaml')).toThrow(/alias/);
  });
});

describe('locate', () => {
  const text = `a: 1
b:
  - c: two
    d: { e: 3 }
  - f
empty:
base: &base { g: 4 }
user:
  <<: *base
  h: *base
"quoted key": 5
`;

  const place = (path: (string | number)[], part?: 'key' | 'value') => {
    const { line, column } = document(text).locate(path, part);
    return `${line}:${column}`;
  };

  test.each([
    [[], '1:1'],
    [['a'], '1:4'],
    [['b', 0, 'c'], '3:8'],
    [['b', 0, 'd', 'e'], '4:13'],
    [['b', 1], '5:5'],
    [['empty'], '6:1'],
    [['user', 'h', 'g'], '7:18'],
    [['user', 'g'], '7:18'],
    [['quoted key'], '11:15'],
  ])('%j is found at %s', (path, expected) => {
    expect(place(path)).toBe(expected);
  });

  test.each([
    [['a'], '1:1'],
    [['b', 0, 'd'], '4:5'],
    [['quoted key'], '11:1'],
  ])('the key of %j is at %s', (path, expected) => {
    expect(place(path, 'key')).toBe(expected);
  });

  test.each([
    [['zz'], '1:1'],
    [['b', 0, 'zz'], '3:5'],
    [['b', 7], '2:1'],
    [['b', 0, 'd', 'zz', 'y'], '4:5'],
  ])('%j, which is not there, is told by what is above it: %s', (path, expected) => {
    expect(place(path)).toBe(expected);
  });

  test('gives the line as it stands', () => {
    expect(document(text).locate(['b', 0, 'd', 'e'])).toEqual({
      file: 'a.yaml',
      line: 4,
      column: 13,
      source: '    d: { e: 3 }',
    });
  });

  test('counts lines and columns alike with CRLF and a byte order mark', () => {
    const other = document(`\uFEFF${text.replaceAll('\n', '\r\n')}`);
    for (const path of [['a'], ['b', 0, 'c'], ['user', 'h']]) {
      expect(other.locate(path)).toEqual(document(text).locate(path));
    }
  });
});

describe('a problem of a spec file', () => {
  test.each([
    ['limits:\n  patiense: 3\n', '8:3'],
    ['limits:\n  patience: 0\n', '8:13'],
    ['limits: { maxIterations: "3" }\n', '7:26'],
    ['success: { type: pass, evaluators: [command, tets] }\n', '7:46'],
    ['workspace: { mode: worktree }\n', '7:14'],
    ['limits:\n', '7:1'],
  ])('%j stands at %s', (more, place) => {
    const error = failure(SMALL + more);
    expect(`${error.at?.line}:${error.at?.column}`).toBe(place);
  });

  test('comes in the order of the file', () => {
    const error = failure(`zz: 1\n${SMALL}limits: { patience: 0 }\nyy: 2\n`);
    expect(error.issues.map((issue) => issue.at?.line)).toEqual([1, 8, 9]);
  });
});

function failure(text: string): SpecError {
  try {
    loadSpecText(text, 'a.loop.yaml');
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
  throw new Error('it was taken for sound');
}

function document(text: string): SourceDocument {
  const read = readDocument(text, 'a.yaml');
  if (!read.ok) throw new SpecError(read.issues);
  return read.value;
}
