import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJUnit } from '../../src/evaluators/reports/junit.ts';
import { evaluate, statusesOf, verdictOf } from './support.ts';

const suites = (inner: string) => `<?xml version="1.0"?>\n<testsuites>${inner}</testsuites>`;
const PASS = suites(
  '<testsuite name="s" tests="1"><testcase classname="c" name="a" time="0.5"/></testsuite>',
);
const FAIL = suites(
  '<testsuite name="s" tests="2" failures="1"><testcase classname="c" name="a"/><testcase classname="c" name="b" file="c.py" line="3"><failure type="AssertionError" message="1 != 2">trace</failure></testcase></testsuite>',
);
const writes = (xml: string, code = 0) => ({
  'report.txt': xml,
  'run.sh': `cp report.txt out.xml\nexit ${code}\n`,
});

describe('junit', () => {
  test.each<[name: string, files: Record<string, string>, verdict: string]>([
    ['all tests pass', writes(PASS), 'pass'],
    ['one fails', writes(FAIL, 1), 'fail'],
    ['one fails and the command ends with 0', writes(FAIL), 'fail'],
    ['all pass and the command ends with 1', writes(PASS, 1), 'fail'],
    ['there are no tests', writes(suites('')), 'no-tests'],
    [
      'all are skipped',
      writes(suites('<testsuite><testcase name="a"><skipped/></testcase></testsuite>')),
      'no-tests',
    ],
    [
      'a status is not known',
      writes(suites('<testsuite><testcase name="a" status="notrun"/></testsuite>')),
      'no-tests',
    ],
    [
      'an error stands in place of a failure',
      writes(suites('<testsuite><testcase name="a"><error/></testcase></testsuite>')),
      'fail',
    ],
    [
      'the suite counts more tests than it lists',
      writes(suites('<testsuite tests="3"><testcase name="a"/></testsuite>')),
      'fail',
    ],
    [
      'the suite counts a failure that it does not list',
      writes(suites('<testsuite tests="1" failures="1"><testcase name="a"/></testsuite>')),
      'fail',
    ],
    ['the report is broken off', writes(PASS.slice(0, -20)), 'no-report'],
    ['the report is something else', writes('<html></html>'), 'no-report'],
    ['no report is written', { 'run.sh': 'exit 0\n' }, 'no-report'],
    ['the program is missing', { 'run.sh': 'x' }, 'not-found'],
  ])('when %s, the verdict is as it should be', async (name, files, verdict) => {
    const command = name === 'the program is missing' ? 'nosuchtool --junit out.xml' : 'sh run.sh';
    const outcome = await evaluate('tests', {
      files,
      options: { format: 'junit', command, report: 'out.xml' },
    });
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
  });

  test('a report that was there before does not count', async () => {
    const files = { 'run.sh': 'exit 0\n', 'out.xml': PASS };
    const outcome = await evaluate('junit', { files, options: { command: 'sh run.sh', report: 'out.xml' } });
    expect(verdictOf(outcome)).toBe('no-report');
    // Control: the same file, written by the command, does.
    const written = await evaluate('junit', {
      files: writes(PASS),
      options: { command: 'sh run.sh', report: 'out.xml' },
    });
    expect(verdictOf(written)).toBe('pass');
  });

  test('without a path the report goes to a place of the engine’s own', async () => {
    const files = { 'report.txt': PASS };
    const outcome = await evaluate('junit', {
      files,
      options: { command: 'cp report.txt "$LOOPGEN_REPORT"' },
    });
    expect(verdictOf(outcome)).toBe('pass');
    expect(outcome.caveats?.[0]).toContain("the check's own command");
  });

  test('a report outside of the workspace is refused', async () => {
    const outcome = await evaluate('junit', {
      options: { command: 'true', report: '../out.xml' },
      before: async (workdir) => writeFile(join(workdir, '../out.xml'), PASS),
    });
    expect(verdictOf(outcome)).toBe('no-report');
  });

  test('real pytest and real node write what is understood', async () => {
    const pytest = await evaluate('junit', {
      files: { 'test_a.py': 'def test_a(): pass\ndef test_b():\n    assert 1 == 2\n' },
      options: { command: 'python3 -m pytest -q --junitxml="$LOOPGEN_REPORT"' },
    });
    expect(statusesOf(pytest)).toEqual({ 'test_a > test_a': 'passed', 'test_a > test_b': 'failed' });
    const node = await evaluate('junit', {
      files: {
        'a.test.mjs':
          "import test from 'node:test';\ntest('a', () => {});\ntest('b', () => { throw new Error('<x> & \"y\"'); });\n",
      },
      options: { command: 'node --test --test-reporter=junit --test-reporter-destination="$LOOPGEN_REPORT"' },
    });
    expect(statusesOf(node)).toEqual({ 'test > a': 'passed', 'test > b': 'failed' });
  });

  test('failures keep their class, place and text; entities are read', () => {
    expect(readJUnit(FAIL).tests[1]).toMatchObject({
      id: 'c > b',
      errorType: 'AssertionError',
      message: '1 != 2',
      place: 'c.py:3',
      detail: 'trace',
    });
    const escaped = '<testsuite><testcase name="a&lt;b&gt; &amp; &#65;"/></testsuite>';
    expect(readJUnit(escaped).tests[0]?.id).toBe('a<b> & A');
    expect(readJUnit(PASS).tests[0]?.durationMs).toBe(500);
  });

  test('tests that passed only after a retry are counted', () => {
    const flaky = '<testsuite><testcase name="a"><flakyFailure/></testcase></testsuite>';
    expect(readJUnit(flaky)).toMatchObject({ retried: ['a'], tests: [{ status: 'passed' }] });
  });

  test('a report of ten thousand escaped tests is read whole, one of endless entities not at all', () => {
    const cases = Array.from({ length: 10_000 }, (_, i) => `<testcase name="t${i} &lt;&amp;&gt;"/>`).join('');
    expect(readJUnit(`<testsuite>${cases}</testsuite>`).tests).toHaveLength(10_000);
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'y'.repeat(100)}">${Array.from({ length: 9 }, (_, i) => `<!ENTITY e${i} "${`&${i === 0 ? 'a' : `e${i - 1}`};`.repeat(10)}">`).join('')}]><testsuite><testcase name="&e8;"/></testsuite>`;
    expect(readJUnit(bomb).tests[0]?.id.length ?? 0).toBeLessThan(10_000);
  });
});
