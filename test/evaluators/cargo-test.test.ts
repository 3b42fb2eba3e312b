import { describe, expect, test } from 'vitest';
import { hasTool } from '../support/tools.ts';
import { evaluate, type Given, statusesOf, verdictOf } from './support.ts';

const MANIFEST = { 'Cargo.toml': '[package]\nname = "w"\nversion = "0.1.0"\nedition = "2021"\n' };
const COMMAND = 'cargo test --offline';
const mod = (body: string) => `\n#[cfg(test)]\nmod tests {\n    use super::*;\n${body}\n}\n`;
const ADD = 'pub fn add(a: i32, b: i32) -> i32 { a + b }\n';
const GOOD = `${ADD}${mod('    #[test] fn a() { assert_eq!(add(1, 2), 3); }\n    #[test] fn b() {}')}`;
const WRONG = GOOD.replace('a + b', 'a - b');

const run = (files: Record<string, string>, command = COMMAND, more: Given = {}) =>
  evaluate('command', { files: { ...MANIFEST, ...files }, options: { command }, ...more });

describe.skipIf(!hasTool('cargo'))('cargo test [needs cargo]', () => {
  test.each<[name: string, files: Record<string, string>, verdict: string, command?: string]>([
    ['all tests pass', { 'src/lib.rs': GOOD }, 'pass'],
    ['one fails', { 'src/lib.rs': WRONG }, 'fail'],
    ['there are no tests', { 'src/lib.rs': ADD }, 'no-tests'],
    ['no name is as asked for', { 'src/lib.rs': GOOD }, 'no-tests', `${COMMAND} nothing`],
    ['all are ignored', { 'src/lib.rs': mod('    #[test] #[ignore = "slow"] fn a() {}') }, 'no-tests'],
    ['it does not build', { 'src/lib.rs': `${ADD}fn broken() -> i32 { "x" }\n` }, 'collection'],
    ['the manifest is broken', { 'src/lib.rs': GOOD, 'Cargo.toml': '[package' }, 'no-report'],
    [
      'a test kills its process',
      { 'src/lib.rs': mod('    #[test] fn a() { std::process::abort(); }') },
      'fail',
    ],
    [
      'the solution exits with 0 when it is called',
      { 'src/lib.rs': WRONG.replace('{ a - b }', '{ std::process::exit(a - a + b - b) }') },
      'fail',
    ],
    [
      'an exit hook makes the code 0',
      {
        'src/lib.rs': `extern "C" { fn atexit(f: extern "C" fn()) -> i32; fn _exit(code: i32) -> !; }
extern "C" fn leave() { unsafe { _exit(0) } }
${WRONG.replace('{ a - b }', '{ unsafe { atexit(leave); } a - b }')}`,
      },
      'fail',
    ],
    ['an option is unknown', { 'src/lib.rs': GOOD }, 'not-found', `${COMMAND} --no-such-option`],
    [
      'an option of the harness is unknown',
      { 'src/lib.rs': GOOD },
      'fail',
      `${COMMAND} --lib -- --no-such-option`,
    ],
    ['the user has another format', { 'src/lib.rs': GOOD }, 'pass', `${COMMAND} --message-format short -q`],
    [
      'the output is shown as it comes',
      { 'src/lib.rs': GOOD },
      'pass',
      `${COMMAND} --lib -- --nocapture --test-threads=1`,
    ],
    [
      'verdicts are forged on stdout',
      {
        'src/lib.rs': WRONG.replace(
          '{ a - b }',
          '{ use std::io::Write; std::io::stdout().write_all(b"test tests::a ... ok\\n\\ntest result: ok. 2 passed\\n").unwrap(); a - b }',
        ),
      },
      'fail',
    ],
    [
      'a target has a harness of its own',
      {
        'src/lib.rs': ADD,
        'tests/own.rs': 'fn main() { assert_eq!(w::add(1, 2), 3); }\n',
        'Cargo.toml': `${MANIFEST['Cargo.toml']}[[test]]\nname = "own"\nharness = false\n`,
      },
      'pass',
    ],
    [
      'a documentation test fails',
      { 'src/lib.rs': `/// \`\`\`\n/// assert_eq!(w::add(1, 2), 4);\n/// \`\`\`\n${ADD}` },
      'fail',
    ],
    [
      'the programs are started by one of the project',
      { 'src/lib.rs': GOOD, '.cargo/config.toml': "[target.'cfg(unix)']\nrunner = ['env', 'THROUGH=1']\n" },
      'pass',
    ],
  ])('when %s, the verdict is as it should be', async (_name, files, verdict, command) => {
    const outcome = await run(files, command);
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
    expect(outcome.judgedBy).toBe('test-ids');
  });

  test('every test is known by its program and its name, with its file, and with the place of its failure', async () => {
    const outcome = await run(
      {
        'src/lib.rs': `/// \`\`\`\n/// assert_eq!(w::add(1, 2), 3);\n/// \`\`\`\n/// \`\`\`\n/// panic!("second");\n/// \`\`\`\n${ADD}pub mod deep;\n${mod(
          '    #[test] fn a() {}\n    #[test] #[should_panic(expected = "x")] fn p() { panic!("y") }\n    #[test] #[ignore = "for a reason"] fn i() {}',
        )}`,
        'src/deep.rs': mod('    #[test]\n    fn b() { assert_eq!(1, 2, "boom"); }').replace(
          'use super::*;',
          '',
        ),
        'src/main.rs': 'fn main() {}\n#[test] fn a() {}\n',
        'tests/it.rs': '#[test] fn a() { assert!(w::add(1, 1) == 2); }\n',
      },
      COMMAND,
      { seenElsewhere: true },
    );
    expect(statusesOf(outcome), outcome.feedback).toEqual({
      'w > tests::a': 'passed',
      'w > tests::p': 'failed',
      'w > tests::i': 'skipped',
      'w > deep::tests::b': 'failed',
      'w::bin/w > a': 'passed',
      'w::it > a': 'passed',
      'w::doc > src/lib.rs - add': 'passed',
      'w::doc > src/lib.rs - add (2)': 'failed',
    });
    const found = (id: string) => outcome.tests?.find((one) => one.id === id);
    expect(found('w > deep::tests::b')).toMatchObject({
      file: 'src/deep.rs',
      place: 'src/deep.rs:6',
      message: expect.stringContaining('boom'),
    });
    expect(found('w::it > a')?.file).toBe('tests/it.rs');
    expect(found('w::doc > src/lib.rs - add')?.file).toBe('src/lib.rs');
    expect(outcome.feedback).not.toContain('"reason"');
    expect(outcome.feedback).not.toContain('--logfile');
  });

  test('documentation tests are told each, also where they are built as one program', async () => {
    const doc = (body: string, kind = '') => `/// \`\`\`${kind}\n/// ${body}\n/// \`\`\`\n`;
    const outcome = await run(
      {
        'Cargo.toml': MANIFEST['Cargo.toml'].replace('2021', '2024'),
        'src/lib.rs': `${doc('assert_eq!(w::add(1, 2), 3);')}${doc('let x: i32 = "";', 'compile_fail')}${ADD}${doc('assert!(false);')}${doc('std::process::exit(0);', 'standalone_crate')}${doc('loop {}', 'ignore')}pub fn sub() {}\n`,
      },
      `${COMMAND} --doc`,
    );
    expect(statusesOf(outcome), outcome.feedback).toEqual({
      'w::doc > src/lib.rs - add': 'passed',
      'w::doc > src/lib.rs - add (2)': 'passed',
      'w::doc > src/lib.rs - sub': 'failed',
      'w::doc > src/lib.rs - sub (2)': 'passed',
      'w::doc > src/lib.rs - sub (3)': 'skipped',
    });
  });

  test('the tests of every crate of a workspace are told, also behind one that fails', async () => {
    const crate = (name: string) => `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n`;
    const outcome = await evaluate('cargo-test', {
      files: {
        'Cargo.toml': '[workspace]\nmembers = ["one", "two"]\nresolver = "2"\n',
        'one/Cargo.toml': crate('one'),
        'one/src/lib.rs': WRONG,
        'two/Cargo.toml': crate('two'),
        'two/src/lib.rs': GOOD,
      },
      options: { args: ['--offline', '--workspace'] },
    });
    expect(statusesOf(outcome), outcome.feedback).toEqual({
      'one > tests::a': 'failed',
      'one > tests::b': 'passed',
      'two > tests::a': 'passed',
      'two > tests::b': 'passed',
    });
    expect(outcome.tests?.find(({ status }) => status === 'failed')?.place).toBe('one/src/lib.rs:6');
  });

  test('a build that fails shows what the compiler said, by file', async () => {
    const outcome = await run({ 'src/lib.rs': `${ADD}fn broken() -> i32 { "x" }\n` });
    expect(outcome.tests).toMatchObject([{ id: 'src/lib.rs', place: 'src/lib.rs:2', errorType: 'E0308' }]);
    expect(outcome.feedback).toContain('mismatched types');
  });

  test('the code under test finds nothing of loopgen in its environment', async () => {
    const body =
      '    #[test] fn a() { for (k, v) in std::env::vars() { assert!((!k.starts_with("LOOPGEN") || k.starts_with("LOOPGEN_SCOPE")) && !k.ends_with("_RUNNER") && k != "RUSTDOC", "{k}={v}"); } }';
    expect(verdictOf(await run({ 'src/lib.rs': mod(body) }))).toBe('pass');
  });

  test('a suite that hangs times out as a whole, with the test that ran', async () => {
    const outcome = await run(
      {
        'src/lib.rs': mod('    #[test] fn a() {}\n    #[test] fn hangs() { loop { std::thread::park(); } }'),
      },
      COMMAND,
      { timeoutMs: 25_000 },
    );
    expect(verdictOf(outcome)).toBe('timeout');
    expect(outcome.feedback).toContain('the test that ran: w > tests::hangs');
  });

  test('no test that has to fail can be added, which is said', async () => {
    const outcome = await run({ 'src/lib.rs': GOOD }, COMMAND, { canary: true });
    expect([verdictOf(outcome), outcome.canary]).toEqual(['pass', 'none']);
  });
});
