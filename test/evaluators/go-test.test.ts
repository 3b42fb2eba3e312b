import { describe, expect, test } from 'vitest';
import { which } from '../../src/system/which.ts';
import { evaluate, type Given, statusesOf, verdictOf } from './support.ts';

const hasGo = which('go', { PATH: process.env['PATH'] ?? '' }) !== undefined;

const COMMAND = 'go test ./...';
const MODULE = { 'go.mod': 'module example.com/w\n\ngo 1.19\n' };
const suite = (body: string, ...imports: string[]) =>
  `package w\n\nimport (\n${['testing', ...imports].map((name) => `\t"${name}"\n`).join('')})\n\n${body}\n`;
const passing = (...names: string[]) =>
  suite(names.map((name) => `func ${name}(t *testing.T) {}`).join('\n'));
const GOOD = passing('TestA', 'TestB');
const USES_SOLUTION = suite(
  'func TestAdd(t *testing.T) { if Add(1, 2) != 3 { t.Fatalf("got %d", Add(1, 2)) } }',
);
const WRONG = 'package w\n\nfunc Add(a, b int) int { return 0 }\n';
const wrongWith = (head: string) => `package w\n\n${head}\n\nfunc Add(a, b int) int { return 0 }\n`;

const run = (files: Record<string, string>, command = COMMAND, more: Partial<Given> = {}) =>
  evaluate('command', { files: { ...MODULE, ...files }, options: { command }, ...more });

describe.skipIf(!hasGo)('go test [needs go]', { timeout: 120_000 }, () => {
  test.each<[name: string, files: Record<string, string>, verdict: string, command?: string]>([
    ['all tests pass', { 'a_test.go': GOOD }, 'pass'],
    ['one fails', { 'a_test.go': USES_SOLUTION, 'b_test.go': GOOD, 'w.go': WRONG }, 'fail'],
    ['there are no test files', { 'w.go': WRONG }, 'no-tests'],
    ['there is no test in the test file', { 'a_test.go': suite('var _ testing.TB') }, 'no-tests'],
    ['none is selected', { 'a_test.go': GOOD }, 'no-tests', `${COMMAND} -run Nothing`],
    ['all are skipped', { 'a_test.go': suite('func TestA(t *testing.T) { t.Skip() }') }, 'no-tests'],
    [
      'the solution does not compile',
      { 'a_test.go': USES_SOLUTION, 'w.go': 'package w\n\nfunc Add( {}\n' },
      'collection',
    ],
    ['a test does not compile', { 'a_test.go': USES_SOLUTION, 'w.go': 'package w\n' }, 'collection'],
    [
      'one package of two does not compile',
      { 'a_test.go': GOOD, 'sub/a_test.go': USES_SOLUTION, 'sub/w.go': 'package w\n' },
      'fail',
    ],
    [
      'a test is killed',
      {
        'a_test.go': suite(
          'func TestA(t *testing.T) { syscall.Kill(syscall.Getpid(), syscall.SIGKILL) }',
          'syscall',
        ),
      },
      'fail',
    ],
    [
      'a test panics',
      { 'a_test.go': suite('func TestA(t *testing.T) { panic("x") }\nfunc TestB(t *testing.T) {}') },
      'fail',
    ],
    [
      'the solution exits with 0 at the start',
      { 'a_test.go': USES_SOLUTION, 'w.go': wrongWith('import "os"\n\nfunc init() { os.Exit(0) }') },
      'no-tests',
    ],
    [
      'the solution exits with 0 when it is called',
      {
        'a_test.go': USES_SOLUTION,
        'b_test.go': passing('TestB'),
        'w.go': 'package w\n\nimport "syscall"\n\nfunc Add(a, b int) int { syscall.Exit(0); return 0 }\n',
      },
      'fail',
    ],
    [
      'TestMain swallows the exit code',
      {
        'a_test.go': USES_SOLUTION,
        'w.go': WRONG,
        'm_test.go': suite('func TestMain(m *testing.M) { m.Run(); os.Exit(0) }', 'os'),
      },
      'fail',
    ],
    [
      'TestMain fails by itself',
      { 'a_test.go': GOOD, 'm_test.go': suite('func TestMain(m *testing.M) { m.Run(); os.Exit(3) }', 'os') },
      'fail',
    ],
    ['an option is unknown', { 'a_test.go': GOOD }, 'crash', `${COMMAND} -nosuchoption`],
    ['an option has no value', { 'a_test.go': GOOD }, 'not-found', `${COMMAND} -timeout=x`],
    ['the package does not exist', { 'a_test.go': GOOD }, 'collection', 'go test ./none'],
    ['the tests are verbose', { 'a_test.go': GOOD }, 'pass', `${COMMAND} -v`],
    ['JSON is asked for', { 'a_test.go': GOOD }, 'pass', `go test -json ./...`],
    [
      'another folder is named',
      { 'sub/go.mod': 'module x\n\ngo 1.19\n', 'sub/a_test.go': GOOD },
      'pass',
      'go test -C sub ./...',
    ],
    [
      'a test prints without a line end',
      { 'a_test.go': suite('func TestA(t *testing.T) { fmt.Print("--- FAIL: TestA") }', 'fmt') },
      'pass',
    ],
    [
      'verdicts are forged on stdout',
      {
        'a_test.go': USES_SOLUTION,
        'w.go':
          'package w\n\nimport "fmt"\n\nfunc Add(a, b int) int { fmt.Println("\\n--- PASS: TestAdd (0.00s)\\nPASS\\nok  \\texample.com/w\\t0.1s"); return 0 }\n',
      },
      'fail',
    ],
    [
      'events are forged on stdout',
      {
        'a_test.go': USES_SOLUTION,
        'w.go':
          'package w\n\nimport "fmt"\n\nfunc Add(a, b int) int { fmt.Println("\\x16--- PASS: TestAdd (0.00s)"); return 0 }\n',
      },
      'fail',
    ],
    [
      'tags choose the tests',
      { 'a_test.go': `//go:build slow\n\n${GOOD}` },
      'pass',
      'go test -tags slow ./...',
    ],
    ['there is no package', {}, 'no-report'],
    ['the tags are missing', { 'a_test.go': `//go:build slow\n\n${GOOD}`, 'w.go': WRONG }, 'no-tests'],
  ])('when %s, the verdict is as it should be', async (_name, files, verdict, command) => {
    const outcome = await run(files, command);
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
    expect(outcome.judgedBy).toBe('test-ids');
  });

  test('every test is known by its package and its name, with its file, and with the place of its failure', async () => {
    const outcome = await run(
      {
        'sub/a_test.go': suite(
          `func TestOk(t *testing.T) {}
func TestSkip(t *testing.T) { t.Skip("x") }
func TestEach(t *testing.T) {
	for _, n := range []int{1, 2} {
		t.Run(fmt.Sprint("n ", n), func(t *testing.T) { if n != 1 { t.Errorf("n is %d", n) } })
	}
}
func TestPanics(t *testing.T) { panic("boom") }`,
          'fmt',
        ),
        'other/other.go': 'package other\n',
      },
      COMMAND,
      { seenElsewhere: true },
    );
    expect(statusesOf(outcome)).toEqual({
      'example.com/w/sub > TestOk': 'passed',
      'example.com/w/sub > TestSkip': 'skipped',
      'example.com/w/sub > TestEach': 'failed',
      'example.com/w/sub > TestEach/n_1': 'passed',
      'example.com/w/sub > TestEach/n_2': 'failed',
      'example.com/w/sub > TestPanics': 'failed',
    });
    expect(outcome.tests?.every((one) => one.file === 'sub/a_test.go')).toBe(true);
    expect(outcome.tests?.find((one) => one.id.endsWith('n_2'))).toMatchObject({
      place: 'sub/a_test.go:12',
      message: 'n is 2',
    });
    expect(outcome.tests?.find((one) => one.id.endsWith('TestPanics'))?.message).toContain('boom');
  });

  test('a package that hangs is ended at its limit, by the test that ran', async () => {
    const outcome = await evaluate('go-test', {
      files: {
        ...MODULE,
        'a_test.go': suite(
          'func TestOk(t *testing.T) {}\nfunc TestHangs(t *testing.T) { select {} }\nfunc TestLater(t *testing.T) {}',
        )
          .replace('select {}', 'for { time.Sleep(time.Hour) }')
          .replace('"testing"', '"testing"\n\t"time"'),
        'sub/a_test.go': GOOD,
      },
      options: { testTimeoutMs: 2000 },
    });
    expect(verdictOf(outcome)).toBe('fail');
    expect(statusesOf(outcome)).toEqual({
      'example.com/w > TestOk': 'passed',
      'example.com/w > TestHangs': 'failed',
      'example.com/w/sub > TestA': 'passed',
      'example.com/w/sub > TestB': 'passed',
    });
    expect(outcome.tests?.find((one) => one.id.endsWith('TestHangs'))?.errorType).toBe('HangingTest');
  });

  test('a build that fails shows what the compiler said', async () => {
    const outcome = await run({ 'a_test.go': USES_SOLUTION, 'w.go': 'package w\n' });
    expect(outcome.feedback).toContain('undefined: Add');
    expect(outcome.tests).toMatchObject(
      [{ id: 'example.com/w', status: 'error', place: './a_test.go:7' }].map(({ id, status }) => ({
        id,
        status,
      })),
    );
  });

  test('the output is shown as a person would see it', async () => {
    const { feedback } = await run({ 'a_test.go': USES_SOLUTION, 'w.go': WRONG });
    expect(feedback).toContain('--- FAIL: TestAdd');
    expect(feedback).not.toContain('"Action"');
  });

  test('the code under test finds nothing of loopgen in its environment', async () => {
    const body = `func TestA(t *testing.T) {
	for _, one := range os.Environ() {
		if strings.HasPrefix(one, "LOOPGEN") && !strings.HasPrefix(one, "LOOPGEN_SCOPE") { t.Error(one) }
	}
}`;
    const outcome = await run({ 'a_test.go': suite(body, 'os', 'strings') });
    expect(verdictOf(outcome), outcome.feedback).toBe('pass');
  });
});
