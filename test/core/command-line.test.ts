import { describe, expect, test } from 'vitest';
import { guardedFiles } from '../../src/core/command-line.ts';
import { isJudgeLike, isTestLike } from '../../src/core/judge-names.ts';
import { quoteWord, readShellLine } from '../../src/core/shell-line.ts';

const textsOf = (line: string) => readShellLine(line)?.commands.map((c) => c.words.map((w) => w.text));

describe('readShellLine', () => {
  test.each<[line: string, words: string[][]]>([
    ['pytest -q', [['pytest', '-q']]],
    [`grep -q "a b" 'c d' e\\ f`, [['grep', '-q', 'a b', 'c d', 'e f']]],
    ['A=1 B="x y" make test', [['make', 'test']]],
    ['a && b || c; d | e & f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
    ['pytest > out.txt 2>&1', [['pytest']]],
    ['a # said b', [['a']]],
    ['a \\\n  b', [['a', 'b']]],
    ['(cd sub && make)', [['cd', 'sub'], ['make']]],
    ['if test -f x; then pytest; fi', [['test', '-f', 'x'], ['pytest']]],
    [`sh -c "echo \\"x\\" '$HOME'"`, [['sh', '-c', `echo "x" '$HOME'`]]],
    ['', []],
  ])('splits %j into words', (line, words) => {
    expect(textsOf(line) ?? []).toEqual(words);
  });

  test.each([`echo 'open`, 'echo "open', 'echo $(open', 'echo `open'])(
    'does not read the incomplete %j',
    (line) => {
      expect(readShellLine(line)).toBeUndefined();
    },
  );

  test.each<[line: string, plain: boolean]>([
    ['pytest -q tests/*.py', true],
    ['A=1 pytest -q', true],
    ['pytest -q\n', true],
    ['pytest "a && b"', true],
    ['pytest -q | tail', false],
    ['pytest -q || true', false],
    ['pytest -q; exit 0', false],
    ['pytest -q > log', false],
    ['pytest -q 2>&1', false],
    ['pytest -q &', false],
    ['! pytest -q', false],
    ['pytest $(cat files)', false],
    ['pytest "`cat files`"', false],
    ['(pytest)', false],
    ['pytest\npytest', false],
  ])('says whether %j is one simple command: %j', (line, plain) => {
    expect(readShellLine(line)?.plain).toBe(plain);
  });

  test('a word of a quoted text reads back as it was', () => {
    for (const text of ['a', "it's", 'a b', '$x', '*', '']) {
      expect(textsOf(`x ${quoteWord(text)}`)).toEqual([['x', text]]);
    }
  });

  test('expansions and globs are told from literal words', () => {
    const words = readShellLine(`a $B "$C" '*' d*e [ f`)?.commands[0]?.words ?? [];
    expect(words.map((word) => word.literal)).toEqual([true, false, false, true, false, true, true]);
  });
});

const FILES = new Set([
  'check.sh',
  'verify.py',
  'run_tests.py',
  'app.py',
  'greeting.txt',
  'build.sh',
  'scripts/check.mjs',
  'tests/test_a.py',
  'tests/data.json',
  'src/a.test.ts',
  'src/a.ts',
  'calc_test.go',
  'sub/check.sh',
  'sub/tests/x.py',
  'tools/verify/__main__.py',
]);
const exists = (path: string) => {
  if (FILES.has(path)) return 'file';
  return [...FILES].some((file) => file.startsWith(`${path}/`)) ? 'dir' : undefined;
};

describe('guardedFiles', () => {
  test.each<[line: string, files: string[]]>([
    ['grep -q hi greeting.txt', []],
    ['python3 app.py', []],
    ['cat src/a.ts', []],
    ['sh build.sh', []],
    ['pytest tests', []],
    ['sh missing-check.sh', []],
    ['test "$(stat -c %s tests/test_a.py)" = 12', ['tests/test_a.py']],
    ['test -n "`cat tests/data.json`" && x=$(python3 $(pwd)/a verify.py)', ['tests/data.json']],
    ['test -z "$(git status -- tests)"', []],
    ['sh check.sh', ['check.sh']],
    ['./check.sh --fast', ['check.sh']],
    ['bash -eu ./check.sh', ['check.sh']],
    ['python3 -u verify.py', ['verify.py']],
    ['python3 run_tests.py', ['run_tests.py']],
    ['node scripts/check.mjs', ['scripts/check.mjs']],
    ['timeout 10 env A=1 node --no-warnings scripts/check.mjs', ['scripts/check.mjs']],
    ['uv run python verify.py', ['verify.py']],
    ['npx tsx scripts/check.mjs', ['scripts/check.mjs']],
    ['python3 -m verify', ['verify.py']],
    ['python3 -m tools.verify', ['tools/verify/__main__.py']],
    ['pytest -q tests/test_a.py', ['tests/test_a.py']],
    ['pytest tests/test_a.py::test_x[1]', ['tests/test_a.py']],
    ['python3 -m unittest tests.test_a.T.test_b', ['tests/test_a.py']],
    ['npx vitest run ./src/a.test.ts', ['src/a.test.ts']],
    ['python3 app.py < tests/data.json', ['tests/data.json']],
    ['node app.mjs --cases=tests/data.json', ['tests/data.json']],
    ['pytest > tests/data.json', []],
    ['go test calc_test.go', ['calc_test.go']],
    ['grep -q x app.py && sh check.sh | cat; python3 verify.py', ['check.sh', 'verify.py']],
    ['cd sub && sh check.sh', ['sub/check.sh']],
    ['cd sub && sh ../check.sh', ['check.sh']],
    [`bash -lc 'sh check.sh'`, ['check.sh']],
    ['sh ../check.sh', []],
    ['if sh check.sh; then true; fi', ['check.sh']],
    ['npm test', []],
  ])('%j guards %j', (line, files) => {
    expect(guardedFiles(line, '', exists)).toEqual(files);
  });

  test('paths are seen from the folder of the check', () => {
    expect(guardedFiles('sh check.sh tests/x.py', 'sub', exists)).toEqual(['sub/check.sh', 'sub/tests/x.py']);
  });

  test('absolute paths count where the workspace is known', () => {
    expect(guardedFiles('sh /w/p/check.sh', '', exists, '/w/p')).toEqual(['check.sh']);
    expect(guardedFiles('cd /w/p/sub && sh check.sh', '', exists, '/w/p')).toEqual(['sub/check.sh']);
    expect(guardedFiles('sh /w/other/check.sh', '', exists, '/w/p')).toEqual([]);
  });
});

describe('names', () => {
  test.each([
    'test_a.py',
    'a_test.go',
    'a.test.ts',
    'a.spec.js',
    'tests/helper.py',
    'x/__tests__/a.js',
    'ATest.java',
    'test.js',
  ])('%s is a test by name', (path) => expect(isTestLike(path)).toBe(true));
  test.each(['latest.py', 'contest/a.py', 'src/testimony.js', 'attest.go', 'spec.md', 'a.ts'])(
    '%s is no test by name',
    (path) => expect(isTestLike(path)).toBe(false),
  );
  test.each([
    'check.sh',
    'run-checks.sh',
    'verifyAll.mjs',
    'eval_model.py',
    'grade.rb',
    'score.py',
    'runtests.sh',
    'typecheck.js',
    'bench.py',
  ])('%s judges by name', (path) => expect(isJudgeLike(path)).toBe(true));
  test.each(['main.py', 'checkout.js', 'latest.sh', 'special.py', 'build.sh', 'server.mjs', 'greet.sh'])(
    '%s does not judge by name',
    (path) => expect(isJudgeLike(path)).toBe(false),
  );
});
