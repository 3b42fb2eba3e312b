import { spawnSync } from 'node:child_process';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { tempDir } from './support/temp-dir.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CHALLENGES = join(ROOT, 'challenges');

/** Runs the challenge's tests against `code` with the machine's own pytest. */
async function judge(challenge: string, code: string) {
  await using dir = await tempDir();
  await copyFile(join(CHALLENGES, challenge, 'test_solution.py'), join(dir.path, 'test_solution.py'));
  await writeFile(join(dir.path, 'solution.py'), code);
  const args = ['-m', 'pytest', '-q', '--tb=no', '-p', 'no:cacheprovider', '-c', '/dev/null', '--rootdir=.'];
  // As a check runs it: with CI set pytest explains failures in full, which must not take long.
  const env = { ...process.env, CI: '1' };
  const run = spawnSync('python3', args, { cwd: dir.path, env, encoding: 'utf8', timeout: 30_000 });
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(run.stdout)?.[1] ?? 0);
  return { code: run.status, passed: count('passed'), failed: count('failed'), errors: count('error') };
}

const SOLUTIONS: Readonly<Record<string, { readonly stub: string; readonly code: string }>> = {
  '01_fizzbuzz': {
    stub: 'def fizzbuzz(n): ...',
    code: `
def fizzbuzz(n):
    if n < 0:
        raise ValueError(n)
    return [("Fizz" * (i % 3 == 0) + "Buzz" * (i % 5 == 0)) or str(i) for i in range(1, n + 1)]
`,
  },
  '02_balanced_parens': {
    stub: 'def is_balanced(text): ...',
    code: `
def is_balanced(text):
    closes, open_ = {"(": ")", "[": "]", "{": "}"}, []
    for char in text:
        if char in closes:
            open_.append(closes[char])
        elif char in closes.values() and (not open_ or open_.pop() != char):
            return False
    return not open_
`,
  },
  '03_roman_numerals': {
    stub: 'def to_roman(number): ...\ndef from_roman(text): ...',
    code: `
TABLE = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
         (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]

def to_roman(number):
    if not 1 <= number <= 3999:
        raise ValueError(number)
    out = ""
    for value, letters in TABLE:
        out += letters * (number // value)
        number %= value
    return out

ALL = {to_roman(n): n for n in range(1, 4000)}

def from_roman(text):
    if text.upper() not in ALL:
        raise ValueError(text)
    return ALL[text.upper()]
`,
  },
  '05_word_frequency': {
    stub: 'def word_frequency(text, top=None): ...',
    code: `
import re
from collections import Counter

def word_frequency(text, top=None):
    if top is not None and top < 0:
        raise ValueError(top)
    words = re.findall(r"[^\\W_]+(?:'[^\\W_]+)*", text.lower())
    return sorted(Counter(words).items(), key=lambda pair: (-pair[1], pair[0]))[:top]
`,
  },
};

describe('challenges', () => {
  test('every folder holds a spec, its tests and a README', async () => {
    const names = (await readdir(CHALLENGES)).sort();
    expect(names).toEqual([...Object.keys(SOLUTIONS), '04_lru_cache'].sort());
    for (const name of names) {
      const spec = await readFile(join(CHALLENGES, name, 'spec.md'), 'utf8');
      expect(spec).toContain('`solution.py`');
      expect(await readdir(join(CHALLENGES, name))).toEqual(
        expect.arrayContaining(['README.md', 'spec.md', 'test_solution.py']),
      );
    }
  });

  test.each(Object.entries(SOLUTIONS))(
    '%s can be solved, and a stub fails all of it',
    async (name, given) => {
      const solved = await judge(name, given.code);
      expect(solved).toMatchObject({ code: 0, failed: 0, errors: 0 });
      expect(solved.passed).toBeGreaterThan(5);
      expect(await judge(name, given.stub)).toEqual({ code: 1, passed: 0, failed: solved.passed, errors: 0 });
    },
  );

  test('the recorded replies do not load, then fail 8 of 8, then pass 8 of 8', async () => {
    const file = join(ROOT, 'recordings', 'lru-cache-mistral-7b.json');
    const { attempts } = JSON.parse(await readFile(file, 'utf8')) as { attempts: { code: string }[] };
    const verdicts = [];
    for (const { code } of attempts) verdicts.push(await judge('04_lru_cache', code));
    expect(verdicts).toEqual([
      { code: 2, passed: 0, failed: 0, errors: 1 },
      { code: 1, passed: 0, failed: 8, errors: 0 },
      { code: 0, passed: 8, failed: 0, errors: 0 },
    ]);
  });
});
