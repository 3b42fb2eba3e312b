// Adds a test that has to fail to a run of mocha: a suite of its own, in the process of the tests and behind them.
const assert = require('node:assert');
const strict = require('node:assert/strict');
const { readFileSync } = require('node:fs');
const { createRequire, _cache: cache } = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const { name } = JSON.parse(readFileSync(join(__dirname, 'canary.json'), 'utf8'));

/** Each chai that the tests may have: those that were required, and the one of the project. */
async function chais() {
  const required = Object.keys(cache)
    .filter((path) => /[\\/]node_modules[\\/]chai[\\/](?:index|chai|lib[\\/]chai)\.c?js$/.test(path))
    .map((path) => cache[path].exports);
  try {
    const path = createRequire(join(process.cwd(), 'package.json')).resolve('chai');
    return [...required, await import(pathToFileURL(path).href)];
  } catch {
    // The project has none.
    return required;
  }
}

function waysOfChai({ expect, assert: assertion }) {
  const expecting = (check) => [
    () => check(1).to.equal(2),
    () => check(1).to.eq(2),
    () => check({ a: [1] }).to.deep.equal({ a: [2] }),
    () => check({ a: [1] }).to.eql({ a: [2] }),
    () => check(false).to.be.true,
    () => check(false).to.be.ok,
    () => check([1]).to.include(2),
    () => check([1]).to.have.lengthOf(2),
    () => check(() => {}).to.throw(),
    () => check(1).to.not.equal(1),
  ];
  const asserting = (check) => [
    () => check(false),
    () => check.equal(1, 2),
    () => check.strictEqual(1, 2),
    () => check.deepEqual([1], [2]),
    () => check.isTrue(false),
  ];
  return [
    ...(typeof expect === 'function' ? expecting(expect) : []),
    ...(typeof assertion === 'function' ? asserting(assertion) : []),
  ];
}

const waysOfNode = [assert, strict].flatMap((one) => [
  () => one(false),
  () => one.ok(false),
  () => one.equal(1, 2),
  () => one.strictEqual(1, 2),
  () => one.deepEqual({ a: [1] }, { a: [2] }),
  () => one.deepStrictEqual({ a: [1] }, { a: [2] }),
  () => one.notStrictEqual(1, 1),
  () => one.throws(() => {}),
  () => one.match('a', /b/),
]);

function objects(way) {
  try {
    way();
    return false;
  } catch {
    // As it has to be.
    return true;
  }
}

async function run() {
  const ways = [...waysOfNode, ...(await chais()).flatMap(waysOfChai)];
  // An assertion that was patched to hold lets the test pass.
  if (ways.every(objects)) strict.equal(1, 2, 'added by loopgen: this test has to fail');
}

function withoutBail(suite) {
  suite.bail(false);
  for (const one of suite.suites) withoutBail(one);
}

exports.addTo = (runner, { Suite, Test }) => {
  const { suite, _grep: asked } = runner;
  withoutBail(suite);
  const own = Suite.create(suite, 'loopgen');
  const test = new Test(name, run);
  test.retries(0);
  own.addTest(test);
  // Filters by name are about the project's own tests.
  if (asked !== runner._defaultGrep)
    runner._grep = { test: (title) => (title.includes(name) ? !runner._invert : asked.test(title)) };
};
