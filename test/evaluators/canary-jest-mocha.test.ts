import { describe, expect, test } from 'vitest';
import { hasTool } from '../support/tools.ts';
import { evaluate, statusesOf, verdictOf } from './support.ts';

type Files = Readonly<Record<string, string>>;
type Case = readonly [name: string, command: string, files: Files];

const JEST = 'node_modules/.bin/jest';
const MOCHA = 'node_modules/.bin/mocha';

const play = (command: string, files: Files, canary: boolean) =>
  evaluate('command', {
    files: { 'package.json': '{}', ...files },
    options: { command },
    nodeModules: 'tools',
    ...(canary && { canary }),
  });

const WRONG = 'exports.add = () => 0;\n';
const RIGHT = 'exports.add = (a, b) => a + b;\n';
const JEST_TEST = {
  'a.test.js':
    "const { add } = require('./solution');\ntest('adds', () => { expect(add(1, 2)).toBe(3); });\n",
};
const mochaFile = (body: string) =>
  `const assert = require('node:assert');\nconst { add } = require('../solution');\n${body}\n`;
const MOCHA_TEST = { 'test/a.js': mochaFile("it('adds', () => assert.equal(add(1, 2), 3));") };
const SUITE = {
  'package.json': '{"jest": {"setupFilesAfterEnv": ["./setup.js"]}}',
  'setup.js': 'globalThis.ready = true;\nbeforeEach(() => { expect.hasAssertions(); });\n',
};

const HONEST: readonly Case[] = [
  ['jest', JEST, { ...JEST_TEST, 'solution.js': RIGHT }],
  [
    'jest in one process',
    `${JEST} -i`,
    { ...JEST_TEST, 'b.test.js': "test('b', () => {});", 'solution.js': RIGHT },
  ],
  [
    'jest with filters, bail, a random order and a set-up file of its own',
    `${JEST} -t foo --bail --randomize --ci`,
    {
      ...SUITE,
      'a.test.js':
        "describe('s', () => { it('foo', () => { expect(globalThis.ready).toBe(true); }); it('bar', () => { throw 1; }); });\n",
      'b.test.js': "describe('foo', () => { it('x', () => { expect(1).toBe(1); }); });\n",
      'c.test.js':
        "beforeAll(() => { throw new Error('not asked for'); });\nit('bar', () => { throw 1; });\n",
    },
  ],
  [
    'jest with `only`, retries, fake timers and modules that are put back',
    JEST,
    {
      'package.json':
        '{"jest": {"injectGlobals": false, "bail": 1, "resetModules": true, "restoreMocks": true, "fakeTimers": {"enableGlobally": true}}}',
      'a.test.js':
        "const { expect, jest, test } = require('@jest/globals');\njest.retryTimes(2);\ntest.only('a', () => { expect(1).toBe(1); });\ntest('b', () => { throw 1; });\n",
      'b.test.js': "const { test } = require('@jest/globals');\ntest.skip('b', () => {});\n",
    },
  ],
  [
    'jest with projects, a transform for all files, and modules',
    `NODE_OPTIONS=--experimental-vm-modules ${JEST}`,
    {
      'package.json': '{"jest": {"projects": ["<rootDir>/one", "<rootDir>/two"]}}',
      'one/package.json': '{"jest": {"displayName": "one", "transform": {".*": "../transform.js"}}}',
      'transform.js': 'exports.process = (code) => ({ code });\n',
      'one/a.test.js': "test('a', () => {});\n",
      'two/package.json': '{"type": "module", "jest": {"transform": {}}}',
      'two/b.test.js':
        "import { readFileSync } from 'node:fs';\ntest('b', () => { expect(readFileSync).toBeDefined(); });\n",
    },
  ],
  ['mocha', MOCHA, { ...MOCHA_TEST, 'solution.js': RIGHT }],
  [
    'mocha with filters, bail, hooks and several files',
    `${MOCHA} --bail -g foo`,
    {
      'test/a.js':
        "let n = 0;\nbeforeEach(() => { n += 1; });\ndescribe('s', () => { it('foo', () => { if (n === 0) throw new Error(n); }); it('bar', () => { throw 1; }); });\n",
      'test/b.js': "it('foo', (done) => { setTimeout(done, 10); });\nit('bar', () => { throw 1; });\n",
    },
  ],
  [
    'mocha with an inverted filter',
    `${MOCHA} -i -g bar`,
    { 'test/a.js': "it('foo', () => {});\nit('bar', () => { throw 1; });\n" },
  ],
  [
    'mocha with `only`',
    MOCHA,
    { 'test/a.js': "describe.only('s', () => { it('a', () => {}); });\nit('b', () => { throw 1; });\n" },
  ],
  [
    'mocha with the qunit interface, global set-up and a delay',
    `${MOCHA} --ui qunit --delay --require ./setup.js`,
    {
      'setup.js': 'exports.mochaGlobalSetup = async () => {};\nexports.mochaHooks = { beforeAll() {} };\n',
      'test/a.js': "suite('s');\ntest('a', () => {});\nsetTimeout(run, 10);\n",
    },
  ],
];

/** What fools the report itself: only the test that has to fail shows it. */
const CHEATS: readonly Case[] = [
  [
    'expect holds, by the solution',
    JEST,
    {
      ...JEST_TEST,
      'solution.js': `expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n${WRONG}`,
    },
  ],
  [
    'the global test function calls nothing any more',
    JEST,
    {
      'a.test.js':
        "const { add } = require('./solution');\nit('adds', () => { expect(add(1, 2)).toBe(3); });\n",
      'solution.js': `const real = globalThis.it;\nglobalThis.it = (name) => real(name, () => {});\n${WRONG}`,
    },
  ],
  [
    'every test is emptied in the state of jest',
    JEST,
    {
      ...JEST_TEST,
      'solution.js': `const key = Object.getOwnPropertySymbols(globalThis).find((one) => /STATE/.test(String(one)));
const empty = (block) => { for (const child of block.children) child.type === 'test' ? (child.fn = () => {}) : empty(child); };
beforeAll(() => empty(globalThis[key].rootDescribeBlock));
${WRONG}`,
    },
  ],
  [
    'assertions hold in one file of two',
    JEST,
    {
      'a.test.js':
        "const assert = require('node:assert');\nconst { add } = require('./solution');\ntest('adds', () => { assert.strictEqual(add(1, 2), 3); });\n",
      'b.test.js': "test('b', () => {});\n",
      'solution.js': `require('node:assert').strictEqual = () => {};\n${WRONG}`,
    },
  ],
  [
    'assert holds, by the solution',
    MOCHA,
    { ...MOCHA_TEST, 'solution.js': `require('node:assert').equal = () => {};\n${WRONG}` },
  ],
  [
    'chai holds, by the solution',
    MOCHA,
    {
      'test/a.js':
        "const { expect } = require('chai');\nconst { add } = require('../solution');\nit('adds', () => { expect(add(1, 2)).to.equal(3); });\n",
      'solution.js': `require('chai').Assertion.prototype.assert = function () {};\n${WRONG}`,
    },
  ],
  [
    'mocha runs nothing any more, by the solution',
    MOCHA,
    {
      ...MOCHA_TEST,
      'solution.js': `const path = Object.keys(require.cache).find((name) => /lib.runner\\.js$/.test(name));
require.cache[path].exports.prototype.runTest = (done) => done();
${WRONG}`,
    },
  ],
  [
    'failures are told as passes, by the solution',
    MOCHA,
    {
      ...MOCHA_TEST,
      'solution.js': `const path = Object.keys(require.cache).find((name) => /lib.runner\\.js$/.test(name));
const { prototype } = require.cache[path].exports;
prototype.fail = function (test) { test.state = 'passed'; this.emit('pass', test); };
${WRONG}`,
    },
  ],
];

const RED: readonly Case[] = [
  ['jest', JEST, { ...JEST_TEST, 'b.test.js': "test('b', () => {});", 'solution.js': WRONG }],
  ['mocha', MOCHA, { ...MOCHA_TEST, 'solution.js': WRONG }],
];

describe.skipIf(!hasTool('jest') || !hasTool('mocha'))(
  'a test that has to fail [needs jest] [needs mocha]',
  () => {
    test.each(HONEST)('fails as it must in a green suite: %s', async (_name, command, files) => {
      const outcome = await play(command, files, true);
      expect([verdictOf(outcome), outcome.canary, outcome.canaryBecause], outcome.feedback).toEqual([
        'pass',
        'right',
        undefined,
      ]);
      // It is not among the tests, and takes none of them away.
      expect(statusesOf(outcome)).toEqual(statusesOf(await play(command, files, false)));
    });

    test.each(RED)('fails as it must in a red suite, which stays red: %s', async (_name, command, files) => {
      const outcome = await play(command, files, true);
      expect([verdictOf(outcome), outcome.canary], outcome.feedback).toEqual(['fail', 'right']);
    });

    test.each(CHEATS)('shows that %s', async (_name, command, files) => {
      const outcome = await play(command, files, true);
      expect([verdictOf(outcome), outcome.canary], outcome.feedback).toEqual(['fail', 'wrong']);
      expect(outcome.feedback).toContain('the runner does not report failures any more');
      // Control: without that test, nothing is to be seen.
      expect(verdictOf(await play(command, files, false))).toBe('pass');
    });
  },
);
