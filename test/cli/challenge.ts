import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cli } from '../support/cli.ts';

/** A challenge whose answer is `def two(): return 2`. */
export async function challenge(cli: Cli, name = 'c'): Promise<void> {
  await cli.write({
    [`${name}/spec.md`]: '# Two\n\nWrite `two()`, which gives 2.\n',
    [`${name}/test_solution.py`]:
      'from solution import two\n\n\ndef test_two():\n    assert two() == 2\n\n\ndef test_type():\n    assert isinstance(two(), int)\n',
  });
}

export const STUB = 'def two(): ...\n';
export const WRONG = 'def two():\n    return 3\n';
export const RIGHT = 'def two():\n    return 2\n';

export const recording = (...codes: readonly string[]) =>
  JSON.stringify({ attempts: codes.map((code, i) => ({ n: i + 1, reasoning: `thought ${i + 1}`, code })) });

export const jsonIn = async (dir: string, name: string) =>
  JSON.parse(await readFile(join(dir, name), 'utf8'));
