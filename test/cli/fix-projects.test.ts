import { execFile } from 'node:child_process';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { findSandbox } from '../../src/system/sandbox.ts';
import { type Cli, openCli, reportOf } from '../support/cli.ts';
import { hasTool, TOOLS } from '../support/tools.ts';
import { fingerprint } from '../support/tree.ts';

const run = promisify(execFile);
const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

const mends = (files: Readonly<Record<string, string>>) => [
  ...['--driver', 'mock', '--driver-options', JSON.stringify({ steps: [{ files }] })],
];

interface Project {
  readonly files: Readonly<Record<string, string>>;
  readonly mended: Readonly<Record<string, string>>;
  /** The command that judges, as it is told. */
  readonly command: RegExp;
  readonly failing: string;
  /** A tool that not every machine has. */
  readonly needs?: string;
}

const JS_WRONG = 'export const add = (a, b) => a - b;\n';
const JS_RIGHT = 'export const add = (a, b) => a + b;\n';
const CJS_WRONG = 'exports.add = (a, b) => a - b;\n';
const CJS_RIGHT = 'exports.add = (a, b) => a + b;\n';
const PY_RIGHT = 'def add(a, b):\n    return a + b\n';

const PROJECTS: Readonly<Record<string, Project>> = {
  pytest: {
    files: {
      'calc.py': 'def add(a, b):\n    return a - b\n',
      'conftest.py': '',
      'tests/test_calc.py': 'from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n',
    },
    mended: { 'calc.py': PY_RIGHT },
    command: /python3 -m pytest judges \(found by conftest\.py\)/,
    failing: 'tests/test_calc.py::test_add',
  },
  unittest: {
    files: {
      'calc.py': 'def add(a, b):\n    return a - b\n',
      'test_calc.py':
        'import unittest\nfrom calc import add\n\n\nclass Calc(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n',
    },
    mended: { 'calc.py': PY_RIGHT },
    command: /python3 -m unittest discover judges/,
    failing: 'test_calc.Calc.test_add',
  },
  'node:test': {
    files: {
      'package.json': '{"type": "module", "scripts": {"test": "node --test"}}',
      'calc.js': JS_WRONG,
      'calc.test.js':
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from './calc.js';\n\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
    },
    mended: { 'calc.js': JS_RIGHT },
    command: /node --test judges \(found by package\.json scripts\.test\)/,
    failing: 'adds',
  },
  vitest: {
    files: {
      'package.json': '{"type": "module", "devDependencies": {"vitest": "*"}}',
      'src/calc.js': JS_WRONG,
      'test/calc.test.js':
        "import { expect, test } from 'vitest';\nimport { add } from '../src/calc.js';\n\ntest('adds', () => expect(add(1, 2)).toBe(3));\n",
    },
    mended: { 'src/calc.js': JS_RIGHT },
    command: /vitest run judges/,
    failing: 'adds',
  },
  go: {
    files: {
      'go.mod': 'module example.com/calc\n\ngo 1.19\n',
      'calc.go': 'package calc\n\nfunc Add(a, b int) int { return a - b }\n',
      'calc_test.go':
        'package calc\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("no sum")\n\t}\n}\n',
    },
    mended: { 'calc.go': 'package calc\n\nfunc Add(a, b int) int { return a + b }\n' },
    command: /go test \.\/\.\.\. judges \(found by go\.mod\)/,
    failing: 'TestAdds',
    needs: 'go',
  },
  jest: {
    files: {
      'package.json': '{"devDependencies": {"jest": "*"}}',
      'calc.js': CJS_WRONG,
      'calc.test.js':
        "const { add } = require('./calc');\n\ntest('adds', () => expect(add(1, 2)).toBe(3));\n",
    },
    mended: { 'calc.js': CJS_RIGHT },
    command: /npx jest judges/,
    failing: 'adds',
    needs: 'jest',
  },
  mocha: {
    files: {
      'package.json': '{"devDependencies": {"mocha": "*"}}',
      'calc.js': CJS_WRONG,
      'test/calc.js':
        "const assert = require('node:assert');\nconst { add } = require('../calc');\n\nit('adds', () => assert.equal(add(1, 2), 3));\n",
    },
    mended: { 'calc.js': CJS_RIGHT },
    command: /npx mocha judges/,
    failing: 'adds',
    needs: 'mocha',
  },
  cargo: {
    files: {
      'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 { a - b }\n',
      'tests/adds.rs': '#[test]\nfn adds() { assert_eq!(calc::add(1, 2), 3); }\n',
    },
    mended: { 'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 { a + b }\n' },
    command: /cargo test judges \(found by Cargo\.toml\)/,
    failing: 'adds',
    needs: 'cargo',
  },
};

/** Of this machine, since tools look for them in the home that the tests have a new one of. */
const TOOL_HOMES = {
  // With its cache: a first one takes a minute.
  GOCACHE: process.env['GOCACHE'] ?? join(homedir(), '.cache/go-build'),
  CARGO_HOME: process.env['CARGO_HOME'] ?? join(homedir(), '.cargo'),
  RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? join(homedir(), '.rustup'),
};
const INSTALLED: Readonly<Record<string, string>> = { vitest: NODE_MODULES, jest: TOOLS, mocha: TOOLS };

const CASES = Object.entries(PROJECTS).map(([name, project]) => ({
  name,
  project,
  title: project.needs === undefined ? name : `${name} [needs ${project.needs}]`,
}));

describe('the runner of a project is found and its tests are known by their ids', () => {
  test.for(CASES)('$title', async ({ name, project }, { skip }) => {
    skip(project.needs !== undefined && !hasTool(project.needs));
    const { files, mended, command, failing } = project;
    await using cli = await openCli();
    await put(cli, files);
    const installed = INSTALLED[name];
    if (installed !== undefined) await symlink(installed, join(cli.dir, 'p/node_modules'));
    const ended = await cli.run(['fix', 'p', ...mends(mended), '--json'], { env: TOOL_HOMES });
    expect(ended.stderr).toMatch(command);
    const report = reportOf(ended);
    expect(report.baseline?.evaluations[0]?.tests?.failing[0]?.id).toContain(failing);
    expect(report.outcome).toBe('success');
    expect(report.iterations[0]?.evaluations[0]).toMatchObject({
      judgedBy: 'test-ids',
      tests: { passed: 1 },
    });
  });
});

describe('a machine without the tool itself is told before any work', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['go', { 'go.mod': 'module m\n', 'a_test.go': 'package m\n' }, 'go test'],
    ['cargo', { 'Cargo.toml': '[package]\nname = "m"\n' }, 'cargo test'],
    ['maven', { 'pom.xml': '<project/>' }, 'mvn'],
    ['jest', { 'package.json': '{"devDependencies": {"jest": "*"}}' }, 'jest'],
    ['mocha', { 'package.json': '{"devDependencies": {"mocha": "*"}}' }, 'mocha'],
    [
      'a script',
      { 'package.json': '{"scripts": {"test": "sh run-all.sh"}}' },
      'npm test judges (found by package.json scripts.test), by its exit code alone',
    ],
  ])('%s', async (_, files, command) => {
    await using cli = await openCli();
    await put(cli, files);
    const bin = join(cli.dir, 'bin');
    await mkdir(bin);
    for (const tool of ['bash', 'cp', 'git', 'sh']) await symlink(await whereIs(tool), join(bin, tool));
    const ended = await cli.run(['fix', 'p', '--json'], { env: { PATH: bin } });
    expect(ended.stderr).toContain(command);
    expect([ended.code, reportOf(ended).outcome]).toEqual([3, 'unrunnable']);
  });

  test('a green by exit code alone says so in its report', async () => {
    await using cli = await openCli();
    await put(cli, { a: '' });
    const ended = await cli.run(['fix', 'p', '--check', 'grep -q 1 a', ...mends({ a: '1' })]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('judged by its exit code alone');
  });
});

describe('what cannot be judged is unrunnable, and nothing is touched', () => {
  const agent = mends({ 'calc.py': PY_RIGHT });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'a suite that does not load',
      { 'calc.py': '', 'test_calc.py': 'import no_such_module\n\n\ndef test_a():\n    pass\n' },
      /no_such_module/,
    ],
    [
      'a suite with a syntax error',
      { 'calc.py': '', 'test_calc.py': 'def test_a(:\n    pass\n' },
      /does not load|SyntaxError/,
    ],
    ['a suite without a test', { 'calc.py': '', 'conftest.py': '' }, /no tests/],
  ])('%s', async (_, files, reason) => {
    await using cli = await openCli();
    await put(cli, files);
    const before = await fingerprint(join(cli.dir, 'p'));
    const ended = await cli.run([
      'fix',
      'p',
      ...agent,
      '--in-place',
      '--check',
      'python3 -m pytest',
      '--json',
    ]);
    const report = reportOf(ended);
    expect([ended.code, report.outcome, report.iterations]).toEqual([3, 'unrunnable', []]);
    expect(report.reason).toMatch(reason);
    const { '.pytest_cache': _cache, ...after } = await withoutCaches(join(cli.dir, 'p'));
    expect(after).toEqual(before);
  });

  const LINKS: readonly [string, (dir: string) => Readonly<Record<string, string>>, string][] = [
    [
      'an editable install',
      (dir) => ({ '.venv/lib/python3.11/site-packages/__editable__.calc-1.0.pth': `${dir}/src\n` }),
      '__editable__.calc-1.0.pth',
    ],
    ['a path file', (dir) => ({ '.venv/lib/python3.11/site-packages/dev.pth': `${dir}\n` }), 'dev.pth'],
  ];
  const withLink = async (cli: Cli, link: (dir: string) => Readonly<Record<string, string>>) =>
    await put(cli, { ...PROJECTS['pytest']?.files, ...link(join(cli.dir, 'p')) });

  test.each(LINKS)(
    '%s that leads back into the original names the link and --in-place, where no room can stand there',
    async (_, link, name) => {
      await using cli = await openCli();
      await withLink(cli, link);
      const env = { PATH: `${await refusedSandbox(cli)}:${cli.env['PATH']}` };
      const ended = await cli.run(['fix', 'p', ...agent, '--json'], { env });
      const report = reportOf(ended);
      expect([ended.code, report.outcome, report.iterations]).toEqual([3, 'unrunnable', []]);
      expect(report.reason).toContain(name);
      expect(report.reason).toContain('--in-place');
      const inPlace = await cli.run(['fix', 'p', ...agent, '--in-place', '--json'], { env });
      expect(reportOf(inPlace).outcome).toBe('success');
    },
  );

  test.for(LINKS)('%s is no obstacle where a room can [needs bwrap]', async ([_, link], { skip }) => {
    skip(!(await findSandbox(process.env)).ok);
    await using cli = await openCli();
    await withLink(cli, link);
    const report = reportOf(await cli.run(['fix', 'p', ...agent, '--json']));
    expect([report.outcome, report.baseline?.room]).toEqual(['success', { kind: 'bound' }]);
  });

  test('a virtual environment that leads elsewhere is no obstacle', async () => {
    await using cli = await openCli();
    const elsewhere = { '.venv/lib/python3.11/site-packages/dev.pth': `${cli.dir}/p-of-another\n` };
    await put(cli, { ...PROJECTS['pytest']?.files, ...elsewhere });
    expect(reportOf(await cli.run(['fix', 'p', ...agent, '--json'])).outcome).toBe('success');
  });
});

/** A folder with a bubblewrap that the system refuses. */
async function refusedSandbox(cli: Cli): Promise<string> {
  await cli.write({ 'sandbox/bwrap': '#!/bin/sh\necho "not permitted" >&2\nexit 1\n' });
  await chmod(join(cli.dir, 'sandbox/bwrap'), 0o755);
  return join(cli.dir, 'sandbox');
}

async function whereIs(tool: string): Promise<string> {
  return (await run('sh', ['-c', `command -v ${tool}`])).stdout.trim();
}

async function put(cli: Cli, files: Readonly<Record<string, string>>): Promise<void> {
  await cli.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [join('p', path), text])));
}

/** What Python itself leaves behind is nobody's edit. */
async function withoutCaches(dir: string): Promise<Record<string, string>> {
  const all = Object.entries(await fingerprint(dir));
  return Object.fromEntries(all.filter(([path]) => !/__pycache__|\.pytest_cache\//.test(path)));
}
