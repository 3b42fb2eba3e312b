import { describe, expect, test } from 'vitest';
import { detectTestCommand, detectTestCommands } from '../../src/core/runners/detect.ts';
import { RUNNERS, recogniseRunner } from '../../src/core/runners.ts';

describe('recogniseRunner', () => {
  test.each<[line: string, runner: string | undefined, args: string[]]>([
    ['pytest -q', 'pytest', ['-q']],
    ['py.test', 'pytest', []],
    ['python -m pytest tests', 'pytest', ['tests']],
    ['python3 -m pytest', 'pytest', []],
    ['python3.11 -B -W error -m pytest -x', 'pytest', ['-x']],
    ['.venv/bin/python -m pytest', 'pytest', []],
    ['.venv/bin/pytest -q', 'pytest', ['-q']],
    ['/usr/bin/python3 -m pytest', 'pytest', []],
    ['uv run pytest -q', 'pytest', ['-q']],
    ['uv run --frozen python -m pytest', 'pytest', []],
    ['poetry run pytest', 'pytest', []],
    ['python -m unittest discover -s tests', 'unittest', ['discover', '-s', 'tests']],
    ['node --test', 'node-test', ['--test']],
    ['node --no-warnings --test test/', 'node-test', ['--no-warnings', '--test', 'test/']],
    ['vitest', 'vitest', []],
    ['npx vitest run', 'vitest', ['run']],
    ['npx --no-install vitest run a.test.ts', 'vitest', ['run', 'a.test.ts']],
    ['pnpm exec vitest run', 'vitest', ['run']],
    ['yarn vitest run', 'vitest', ['run']],
    ['node_modules/.bin/vitest run', 'vitest', ['run']],
    ['npx jest --ci', 'jest', ['--ci']],
    ['go test ./...', 'go-test', ['./...']],
    ['cargo test --all', 'cargo-test', ['--all']],
    ['cargo +nightly test -q', 'cargo-test', ['-q']],
    ['cargo t', 'cargo-test', []],
    ['./mvnw -q test', 'maven', ['-q', 'test']],
    ['mvn -B -f app/pom.xml clean verify', 'maven', ['-B', '-f', 'app/pom.xml', 'clean', 'verify']],
    ['node_modules/.bin/mocha test', 'mocha', ['test']],
    ['node --experimental-vm-modules node_modules/.bin/jest --ci', 'jest', ['--ci']],
    ['node -r ts-node/register ./node_modules/mocha/bin/mocha.js', 'mocha', []],
    ['node ../node_modules/vitest/vitest.mjs run', 'vitest', ['run']],
    ['jest --listTests', undefined, []],
    ['mocha init', undefined, []],
    ['cargo test --no-run', undefined, []],
    ['cargo build', undefined, []],
    ['mvn -q compile', undefined, []],
    ['node scripts/jest.js', undefined, []],
    ['python -I -m pytest', undefined, []],
    ['python -E -m pytest', undefined, []],
    ['python tests/test_a.py', undefined, []],
    ['python -m http.server', undefined, []],
    ['python -c pytest', undefined, []],
    ['node test/a.test.js', undefined, []],
    ['node --test --watch', undefined, []],
    ['vitest watch', undefined, []],
    ['vitest --watch', undefined, []],
    ['vitest bench', undefined, []],
    ['go build ./...', undefined, []],
    ['npm test', undefined, []],
    ['uv pip install pytest', undefined, []],
    ['echo pytest', undefined, []],
    ['sh .venv/bin/pytest -q', undefined, []],
  ])('%s is a call of %s', (line, runner, args) => {
    const call = recogniseRunner(line.split(' '));
    expect(call?.runner.name).toBe(runner);
    if (call) expect(call.args).toEqual(args);
  });

  test('every default command is recognised as its own runner', () => {
    for (const runner of RUNNERS) {
      expect(recogniseRunner(runner.command.split(' '))?.runner.name, runner.name).toBe(runner.name);
    }
  });
});

const project = (files: Record<string, string>) => ({
  files: Object.keys(files),
  read: (path: string) => files[path],
});

const PYTEST_FILE = 'from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n';
const UNITTEST_FILE = 'import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n';
const NODE_TEST_FILE = "import test from 'node:test';\n";
const script = (test: string) => JSON.stringify({ scripts: { test } });

describe('detectTestCommand', () => {
  test.each<[name: string, files: Record<string, string>, command: string | undefined, judged?: string]>([
    ['an empty project', {}, undefined],
    ['a pytest file', { 'test_calc.py': PYTEST_FILE }, 'python3 -m pytest', 'test-ids'],
    ['pytest.ini', { 'pytest.ini': '[pytest]\n' }, 'python3 -m pytest'],
    ['a pytest section', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, 'python3 -m pytest'],
    ['a virtual environment', { 'pytest.ini': '', '.venv/pyvenv.cfg': '' }, '.venv/bin/python -m pytest'],
    ['a pyproject without pytest', { 'pyproject.toml': '[project]\nname = "x"\n' }, undefined],
    ['a requirement', { 'requirements-dev.txt': 'pytest>=7\n' }, 'python3 -m pytest'],
    ['unittest files', { 'test_calc.py': UNITTEST_FILE }, 'python3 -m unittest discover'],
    [
      'a folder of unittest files',
      { 'tests/test_a.py': UNITTEST_FILE },
      'python3 -m unittest discover -s tests',
    ],
    [
      'a package of unittest files',
      { 'tests/__init__.py': '', 'tests/test_a.py': UNITTEST_FILE },
      'python3 -m unittest discover',
    ],
    ['vitest', { 'package.json': '{"devDependencies": {"vitest": "1"}}' }, 'npx vitest run', 'test-ids'],
    ['jest', { 'package.json': '{"devDependencies": {"jest": "1"}}' }, 'npx jest', 'test-ids'],
    ['mocha', { '.mocharc.json': '{}' }, 'npx mocha', 'test-ids'],
    ['a vitest script', { 'package.json': script('vitest --coverage') }, 'npx vitest run --coverage'],
    ['a vitest run script', { 'package.json': script('vitest run src') }, 'npx vitest run src'],
    ['a node script', { 'package.json': script('node --test test/') }, 'node --test test/', 'test-ids'],
    ['a script of many commands', { 'package.json': script('tsc && vitest run') }, 'npm test', 'exit-code'],
    ['no real script', { 'package.json': script('echo "Error: no test specified" && exit 1') }, undefined],
    ['node:test files', { 'test/a.test.mjs': NODE_TEST_FILE, 'package.json': '{}' }, 'node --test'],
    ['a broken manifest', { 'package.json': '{', 'a.test.js': NODE_TEST_FILE }, 'node --test'],
    ['go', { 'go.mod': 'module x\n' }, 'go test ./...', 'test-ids'],
    ['cargo', { 'Cargo.toml': '' }, 'cargo test', 'test-ids'],
    ['maven', { 'pom.xml': '' }, 'mvn -q test', 'test-ids'],
    ['maven with its wrapper', { 'pom.xml': '', mvnw: '' }, './mvnw -q test'],
  ])('finds the command of %s', (_name, files, command, judged) => {
    const found = detectTestCommand(project(files));
    expect(found?.command).toBe(command);
    if (judged !== undefined) expect(found?.judged).toBe(judged);
  });

  test('tells what spoke for it, and every command of a mixed project', () => {
    const found = detectTestCommands(project({ 'go.mod': '', 'pytest.ini': '' }));
    expect(found.map(({ runner, because }) => [runner, because])).toEqual([
      ['pytest', 'pytest.ini'],
      ['go-test', 'go.mod'],
    ]);
  });
});
