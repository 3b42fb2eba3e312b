// Loaded into every process of `node --test` by --import. In the process of a test file it adds a test that has to
// fail, once all others have ended.

// Loaded into every process of `node --test` by --import. In the process of a test file it adds a test that has to
// fail, once all others have ended.
import assert, * as named from 'node:assert';
import strict from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { name, root } from './canary-settings.mjs';

const HARNESS = 'NativeModule internal/test_runner/harness';

function takeOutOfEnvironment() {
  // What the test starts in its turn is not a test file.
  const option = `--import=${import.meta.url}`;
  const left = (process.env.NODE_OPTIONS ?? '').replace(option, '').trim();
  if (left === '') delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = left;
}

function ways(context) {
  const nothing = () => {};
  const all = [assert, strict, named, ...(context.assert ? [context.assert] : [])];
  return [
    ...all.flatMap((one) => [
      () => one.ok(false),
      () => one.equal(1, 2),
      () => one.strictEqual(1, 2),
      () => one.deepEqual({ a: [1] }, { a: [2] }),
      () => one.deepStrictEqual({ a: [1] }, { a: [2] }),
      () => one.notStrictEqual(1, 1),
      () => one.throws(nothing),
      () => one.match('a', /b/),
    ]),
    () => assert(false),
    () => strict(false),
    () => assert.fail('has to fail'),
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

const file = () => {
  const entry = realpathSync(process.argv[1]);
  return relative(realpathSync(root), entry);
};

async function runCanary() {
  // Keeps the process from ending before the test did.
  const alive = setInterval(() => {}, 1000);
  try {
    const { test } = await import('node:test');
    const options = process.execArgv.includes('--test-only') ? { only: true } : {};
    await test(`${name} ${file()}`, options, (context) => {
      // An assertion that was patched to hold lets the test pass.
      if (ways(context).every(objects)) assert.strictEqual(1, 2, 'added by loopgen: this test has to fail');
    });
  } finally {
    clearInterval(alive);
    // Whatever waits for the end of the process is told again.
    setImmediate(() => {});
  }
}

if (process.env.NODE_TEST_CONTEXT !== undefined) {
  takeOutOfEnvironment();
  const emit = process.emit;
  let due = true;
  // The runner closes its report at `beforeExit`: that one is held back until the test has run.
  process.emit = function emitLater(event, ...args) {
    if (event !== 'beforeExit' || !due || !process.moduleLoadList.includes(HARNESS)) {
      return Reflect.apply(emit, this, [event, ...args]);
    }
    due = false;
    runCanary();
    return true;
  };
}
