// Set-up file of Vitest: adds a test that has to fail to every test file, in its realm and after its other tests.
import { beforeAll, expect, test } from 'vitest';
import { name } from './canary-settings.mjs';

const GLOBALS = ['test', 'it', 'describe', 'expect'];
const before = GLOBALS.map((key) => globalThis[key]);
const assertions = await import('node:assert').then(
  ({ default: assert }) => assert,
  // Not every environment has it.
  () => undefined,
);

function waysOf(check) {
  const nothing = () => {};
  return [
    () => check(1).toBe(2),
    () => check({ a: [1] }).toEqual({ a: [2] }),
    () => check({ a: [1] }).toStrictEqual({ a: [2] }),
    () => check({ a: 1 }).toMatchObject({ a: 2 }),
    () => check(false).toBeTruthy(),
    () => check(true).toBeFalsy(),
    () => check(1).toBeUndefined(),
    () => check(undefined).toBeDefined(),
    () => check(1).toBeNull(),
    () => check([1]).toContain(2),
    () => check([1]).toHaveLength(2),
    () => check('a').toMatch(/b/),
    () => check(1).toBeGreaterThan(2),
    () => check(1).toBeCloseTo(2),
    () => check(nothing).toThrow(),
    () => check(1).not.toBe(1),
    () => check(1).to.equal(2),
    () => check({ a: 1 }).to.deep.equal({ a: 2 }),
  ];
}

function ways() {
  const checks = typeof globalThis.expect === 'function' ? [expect, globalThis.expect] : [expect];
  const asserting = assertions
    ? [
        () => assertions.equal(1, 2),
        () => assertions.strictEqual(1, 2),
        () => assertions.deepEqual([1], [2]),
        () => assertions.deepStrictEqual([1], [2]),
        () => assertions.ok(false),
      ]
    : [];
  return [...checks.flatMap(waysOf), ...asserting];
}

function objects(way) {
  try {
    way();
    return false;
  } catch {
    // As it has to be.
    return true;
  }
}

test(name, { retry: 0 }, () => {
  // What was patched to hold, or put in the place of the runner's own functions, lets the test pass.
  const same = GLOBALS.every((key, i) => before[i] === undefined || globalThis[key] === before[i]);
  if (same && ways().every(objects)) expect(1, 'added by loopgen: this test has to fail').toBe(2);
});

beforeAll(function moveToTheEnd() {
  // The suite is the first or the second argument, by the version; a declared one is taken for a fixture.
  // biome-ignore lint/complexity/noArguments: see above
  const tasks = [...arguments].find((argument) => Array.isArray(argument?.tasks))?.tasks ?? [];
  const at = tasks.findIndex((task) => task.name === name);
  if (at < 0) return;
  const [canary] = tasks.splice(at, 1);
  // Filters by name and `only` are about the project's own tests.
  canary.mode = 'run';
  tasks.push(canary);
});
