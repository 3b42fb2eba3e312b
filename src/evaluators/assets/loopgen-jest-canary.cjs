// Set-up file of Jest: adds a test that has to fail to every test file, in its realm and after its other tests.
const { beforeAll, expect, test } = require('@jest/globals');
const assertions = require('node:assert');

const name = 'CANARY_NAME';
const GLOBALS = ['test', 'it', 'describe', 'expect'];
const before = GLOBALS.map((key) => globalThis[key]);

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
  ];
}

function ways() {
  const checks = typeof globalThis.expect === 'function' ? [expect, globalThis.expect] : [expect];
  return [
    ...checks.flatMap(waysOf),
    () => assertions.equal(1, 2),
    () => assertions.strictEqual(1, 2),
    () => assertions.deepEqual([1], [2]),
    () => assertions.deepStrictEqual([1], [2]),
    () => assertions.ok(false),
  ];
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

test(name, () => {
  // What was patched to hold, or put in the place of the framework's own functions, lets the test pass.
  const same = GLOBALS.every((key, i) => before[i] === undefined || globalThis[key] === before[i]);
  // Added by loopgen: this test has to fail.
  if (same && ways().every(objects)) expect(1).toBe(2);
});

const symbol = Object.getOwnPropertySymbols(globalThis).find(
  (one) => one.description === 'JEST_STATE_SYMBOL',
);
const state = symbol && globalThis[symbol];

if (state) {
  const root = state.rootDescribeBlock;
  const canary = root.children.find((child) => child.name === name);
  const pattern = state.testNamePattern;
  const isEnabled = (child, path) => {
    if (child.type === 'describeBlock')
      return child.children.some((one) => isEnabled(one, [...path, child.name]));
    const asked = pattern?.test([...path, child.name].join(' ')) ?? true;
    return child !== canary && child.mode !== 'skip' && child.mode !== 'todo' && asked && isFocused(child);
  };
  const isFocused = (child) => !state.hasFocusedTests || child.mode === 'only';
  // Filters by name are about the project's own tests; but where none of a file's tests runs, its hooks are not to run.
  state.testNamePattern = {
    test: (id) =>
      id === name ? root.children.some((child) => isEnabled(child, [])) : (pattern?.test(id) ?? true),
  };
  state.randomize = false;
  beforeAll(function moveToTheEnd() {
    if (state.hasFocusedTests) canary.mode = 'only';
    root.children.splice(root.children.indexOf(canary), 1);
    root.children.push(canary);
  });
}
