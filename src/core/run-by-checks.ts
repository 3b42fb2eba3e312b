import { commandsOf, executionOf } from './command-line.ts';
import { type LineAt, pathIn } from './lines-behind.ts';
import { languageOf, type StartTree } from './start-tree.ts';

/** Lines that ask something of the program. How a program itself gives up (`throw`, `exit 1`) is none. */
const ASSERTS: Readonly<Record<string, RegExp>> = {
  python: /^\s*assert\b|\bAssertionError\b|\bself\.(?:assert|fail)\w*\(/,
  javascript: /\bassert(?:\.\w+)*\(|\bexpect\(/,
  shell:
    /\bassert\b|(?:^|[\s;&|!(])(?:test|\[\[?)\s[^\n]*\$\(|\bgrep\s+-\w*q|(?:^|[\s;&|])(?:cmp|diff)\s|\b(?:pytest|unittest|vitest|jest|mocha|go\s+test|cargo\s+test|node\s+--test)\b/,
};

/** Scripts of the start that checks judged by an exit code run, so that they are the verdict. */
export function runByChecks(lines: readonly LineAt[], start: StartTree): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { line, cwd } of lines) {
    for (const { command, cwd: at } of commandsOf(line, cwd)) {
      const { script } = executionOf(command) ?? {};
      const path = script === undefined ? undefined : pathIn(at, script);
      if (path !== undefined && start.has(path)) found.add(path);
    }
  }
  return found;
}

/** True where a line by which the script fails is gone: the check would ask for less, or for something else. */
export function assertsOtherwise(path: string, before: string, now: string): boolean {
  const asserts = ASSERTS[languageOf(path) ?? 'shell'];
  if (!asserts) return false;
  const left = new Set(now.split('\n').map((line) => line.trim()));
  return before.split('\n').some((line) => asserts.test(line) && !left.has(line.trim()));
}
