import type { Cli } from '../support/cli.ts';

export const WRONG = 'def add(a, b):\n    return a - b\n';
export const RIGHT = 'def add(a, b):\n    return a + b\n';
export const TEST = 'from target import add\n\n\ndef test_target():\n    assert add(2, 3) == 5\n';
export const CHEAT = 'def test_target():\n    assert True\n';

/** A red project with one test, run by pytest from its root. */
export async function project(cli: Cli, more: Readonly<Record<string, string>> = {}): Promise<void> {
  await cli.write({ 'p/target.py': WRONG, 'p/conftest.py': '', 'p/tests/test_target.py': TEST, ...more });
}

export const steps = (...files: readonly Record<string, string>[]) => [
  '--driver',
  'mock',
  '--driver-options',
  JSON.stringify({ steps: files.map((each) => ({ files: each })) }),
];
export const mended = steps({ 'target.py': RIGHT });
