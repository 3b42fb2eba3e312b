import { describe, expect, test } from 'vitest';
import { hasMaven, MAVEN_PROJECT } from '../support/tools.ts';
import { evaluate, type Given, statusesOf, verdictOf } from './support.ts';

const POM = { 'pom.xml': MAVEN_PROJECT };
const COMMAND = 'mvn -q -o test';
const calc = (body: string) => ({
  'src/main/java/w/Calc.java': `package w;\n\npublic class Calc {\n  public static int add(int a, int b) {\n    ${body}\n  }\n}\n`,
});
const tests = (body: string, name = 'CalcTest') => ({
  [`src/test/java/w/${name}.java`]: `package w;\n\nimport static org.junit.Assert.*;\nimport org.junit.*;\n\npublic class ${name} {\n${body}\n}\n`,
});
const RIGHT = calc('return a + b;');
const WRONG = calc('return a - b;');
const ADDS = '  @Test\n  public void adds() {\n    assertEquals(3, Calc.add(1, 2));\n  }';
const GOOD = tests(ADDS);

const run = (files: Record<string, string>, command = COMMAND, more: Given = {}) =>
  evaluate('command', { files: { ...POM, ...files }, options: { command }, ...more });

describe.skipIf(!hasMaven())('maven [needs mvn]', () => {
  test.each<[name: string, files: Record<string, string>, verdict: string, command?: string]>([
    ['all tests pass', { ...GOOD, ...RIGHT }, 'pass'],
    ['one fails', { ...GOOD, ...WRONG }, 'fail'],
    [
      'one fails, which is to be overlooked',
      { ...GOOD, ...WRONG },
      'fail',
      `${COMMAND} -Dmaven.test.failure.ignore=true`,
    ],
    ['there are no tests', RIGHT, 'no-tests'],
    ['all are ignored', { ...tests('  @Ignore @Test public void a() {}'), ...RIGHT }, 'no-tests'],
    ['tests are left out', { ...GOOD, ...RIGHT }, 'no-tests', `${COMMAND} -DskipTests`],
    ['the sources do not build', { ...GOOD, ...calc('return "x";') }, 'collection'],
    ['the project file is broken', { ...GOOD, ...RIGHT, 'pom.xml': '<project>' }, 'no-report'],
    ['an option is unknown', { ...GOOD, ...RIGHT }, 'no-report', `${COMMAND} --no-such-option`],
    ['the solution exits with 0', { ...GOOD, ...calc('System.exit(0); return 0;') }, 'no-report'],
    [
      'the solution halts beside tests that passed',
      {
        ...GOOD,
        ...calc('Runtime.getRuntime().halt(0); return 0;'),
        ...tests('  @Test public void a() {}', 'ATest'),
      },
      'fail',
      `${COMMAND} -Dsurefire.runOrder=alphabetical`,
    ],
    [
      'verdicts are forged on stdout',
      {
        ...GOOD,
        ...calc('System.out.println("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0"); return 0;'),
      },
      'fail',
    ],
  ])('when %s, the verdict is as it should be', async (_name, files, verdict, command) => {
    const outcome = await run(files, command);
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
    expect(outcome.judgedBy).toBe('test-ids');
  });

  test('every test is known by its class and its name, with its file, and with place and class of its failure', async () => {
    const body = `${ADDS}\n  @Test public void fails() { assertEquals("boom", 4, Calc.add(1, 2)); }\n  @Ignore @Test public void skipped() {}`;
    const outcome = await run({ ...tests(body), ...RIGHT });
    expect(statusesOf(outcome), outcome.feedback).toEqual({
      'w.CalcTest > adds': 'passed',
      'w.CalcTest > fails': 'failed',
      'w.CalcTest > skipped': 'skipped',
    });
    expect(outcome.tests?.find(({ id }) => id.endsWith('fails'))).toMatchObject({
      file: 'src/test/java/w/CalcTest.java',
      place: 'src/test/java/w/CalcTest.java:11',
      errorType: 'java.lang.AssertionError',
      message: expect.stringContaining('boom expected:<4> but was:<3>'),
    });
  });

  test('a report of an earlier run does not count', async () => {
    const stale =
      '<testsuite name="w.CalcTest" tests="1"><testcase name="adds" classname="w.CalcTest"/></testsuite>';
    const files = { ...RIGHT, 'target/surefire-reports/TEST-w.CalcTest.xml': stale };
    expect(verdictOf(await run(files))).toBe('no-tests');
  });

  test('the modules of a project are told apart, also behind one that fails', async () => {
    const parent = MAVEN_PROJECT.replace(
      '<version>1</version>',
      '<version>1</version><packaging>pom</packaging><modules><module>one</module><module>two</module></modules>',
    );
    const child = (name: string) =>
      `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><parent><groupId>w</groupId><artifactId>w</artifactId><version>1</version></parent><artifactId>${name}</artifactId></project>`;
    const within = (folder: string, files: Record<string, string>) =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
    const outcome = await evaluate('maven', {
      files: {
        'pom.xml': parent,
        ...within('one', { 'pom.xml': child('one'), ...GOOD, ...WRONG }),
        ...within('two', { 'pom.xml': child('two'), ...GOOD, ...RIGHT }),
      },
      options: { command: 'mvn -o -B test' },
    });
    expect(statusesOf(outcome), outcome.feedback).toEqual({
      'one > w.CalcTest > adds': 'failed',
      'two > w.CalcTest > adds': 'passed',
    });
    expect(outcome.tests?.find(({ status }) => status === 'failed')?.place).toBe(
      'one/src/test/java/w/CalcTest.java:9',
    );
  });

  test('a build that fails shows what the compiler said, by file', async () => {
    const outcome = await run({ ...GOOD, ...calc('return "x";') });
    expect(outcome.tests).toMatchObject([
      { id: 'src/main/java/w/Calc.java', place: 'src/main/java/w/Calc.java:5' },
    ]);
    expect(outcome.feedback).toContain('incompatible types');
  });

  test('a suite that hangs times out as a whole', async () => {
    const hanging = tests('  @Test public void hangs() throws Exception { Thread.sleep(600000); }');
    expect(verdictOf(await run({ ...hanging, ...RIGHT }, COMMAND, { timeoutMs: 25_000 }))).toBe('timeout');
  });

  test('no test that has to fail can be added, which is said', async () => {
    const outcome = await run({ ...GOOD, ...RIGHT }, COMMAND, { canary: true });
    expect([verdictOf(outcome), outcome.canary]).toEqual(['pass', 'none']);
  });
});
