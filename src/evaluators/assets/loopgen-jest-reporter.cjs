// Reporter of Jest: writes one line at the end, in the shape of Jest's JSON report, with the nonce of this run.
const { appendFileSync } = require('node:fs');

const NAMES = ['LOOPGEN_NONCE', 'LOOPGEN_REPORT', 'LOOPGEN_CANARY'];
const [nonce, file, canary] = NAMES.map((name) => process.env[name]);
// The workers and the realms of the tests inherit this environment: they are not to find it there.
for (const name of NAMES) delete process.env[name];

// `pending` is what Jest calls a test that was left out.
const STATUSES = { pending: 'skipped', focused: 'skipped' };

const write = (fields) => appendFileSync(file, `\n${JSON.stringify({ ...fields, n: nonce })}\n`);

function testOf(test) {
  const status = STATUSES[test.status] ?? test.status;
  return {
    ancestorTitles: test.ancestorTitles,
    title: test.title,
    // It is marked to fail, and did. Before Jest 30 that is not told.
    status: test.failing === true && status === 'passed' ? 'xfailed' : status,
    duration: test.duration ?? undefined,
    failureMessages: test.failureMessages,
    invocations: test.invocations ?? 1,
  };
}

function fileOf(result) {
  const own = result.testExecError;
  return {
    name: result.testFilePath,
    status: own || result.numFailingTests > 0 ? 'failed' : 'passed',
    message: result.failureMessage ?? '',
    // What kept the file from loading, or a hook behind its last test that failed.
    ...(own && { ownFailure: String(own.stack || own.message || own) }),
    assertionResults: result.testResults.map(testOf),
  };
}

const isOwn = (path, name) => path.split(/[\\/]/).some((part) => part === name);

class Reporter {
  configs = new Set();

  constructor() {
    write({ e: 'begin', runner: 'jest' });
  }

  // Called before the file is handed to a worker, together with the configuration.
  onTestFileStart(test) {
    write({ e: 'start', file: test.path });
    const { config } = test.context;
    if (canary === undefined || this.configs.has(config)) return;
    this.configs.add(config);
    if (!isOwn(config.runner ?? 'jest-runner', 'jest-runner'))
      this.without('the project has a runner of its own');
    else if (!isOwn(config.testRunner ?? 'jest-circus', 'jest-circus'))
      this.without('the tests run in another framework than jest-circus');
    else config.setupFilesAfterEnv.push(canary);
  }

  // Older versions.
  onTestStart(test) {
    this.onTestFileStart(test);
  }

  onTestResult(test) {
    write({ e: 'done', file: test.path });
  }

  onRunComplete(_contexts, results) {
    const { runExecError } = results;
    if (runExecError) write({ e: 'problem', message: String(runExecError.message ?? runExecError) });
    if (results.wasInterrupted) write({ e: 'problem', message: 'the run was interrupted' });
    const testResults = results.testResults.map(fileOf);
    const { numTotalTests, success } = results;
    write({ e: 'report', report: { numTotalTests, success, testResults } });
  }

  without(because) {
    write({ e: 'no-canary', because });
  }
}

module.exports = Reporter;
