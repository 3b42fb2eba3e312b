// Reporter of Vitest: writes one line at the end, in the shape of Jest's JSON report, with the nonce of this run.
import { appendFileSync } from 'node:fs';

const NAMES = ['LOOPGEN_NONCE', 'LOOPGEN_REPORT', 'LOOPGEN_CANARY'];
const [nonce, file, canary] = NAMES.map((name) => process.env[name]);
// The workers inherit this environment: they are not to find it there.
for (const name of NAMES) delete process.env[name];

const STATUSES = {
  pass: 'passed',
  fail: 'failed',
  skip: 'skipped',
  todo: 'todo',
  run: 'pending',
  queued: 'pending',
};

const textOf = (error) => String(error?.stack || error?.message || error);
const isTest = (task) => task.type === 'test' || task.type === 'custom';
const tasksIn = (suite) => (suite.tasks ?? []).flatMap((task) => (isTest(task) ? [task] : tasksIn(task)));
const suitesIn = (suite) => [suite, ...(suite.tasks ?? []).filter((task) => !isTest(task)).flatMap(suitesIn)];

function ancestorsOf(task) {
  const names = [];
  for (
    let suite = task.suite;
    suite && suite.type === 'suite' && suite.filepath === undefined;
    suite = suite.suite
  ) {
    // Older versions have a suite without a name around all tests of a file.
    if (suite.name !== '') names.unshift(suite.name);
  }
  return names;
}

function testOf(task) {
  const status = STATUSES[task.result?.state ?? task.mode] ?? 'skipped';
  return {
    ancestorTitles: ancestorsOf(task),
    title: task.name,
    // It is marked to fail, and did.
    status: task.fails === true && status === 'passed' ? 'xfailed' : status,
    duration: task.result?.duration,
    failureMessages: (task.result?.errors ?? []).map(textOf),
    invocations: 1 + (task.result?.retryCount ?? 0),
  };
}

function fileOf(task) {
  const own = suitesIn(task).flatMap((suite) => suite.result?.errors ?? [])[0];
  return {
    name: task.filepath,
    status: task.result?.state === 'fail' ? 'failed' : 'passed',
    message: task.result?.errors?.[0]?.message ?? '',
    // A hook that failed, or what kept the file from loading.
    ...(own !== undefined && { ownFailure: own.message ?? String(own) }),
    assertionResults: tasksIn(task).map(testOf),
  };
}

const write = (fields) => appendFileSync(file, `\n${JSON.stringify({ ...fields, n: nonce })}\n`);

class Reporter {
  onInit(vitest) {
    this.vitest = vitest;
    write({ e: 'begin', runner: 'vitest', version: vitest.version });
    if (canary === undefined) return;
    const projects = vitest.projects ?? [];
    const foreign = projects.some((project) => project.config.browser?.enabled);
    if (foreign || projects.length === 0) write({ e: 'no-canary', because: 'the tests run in a browser' });
    // The project of the root shares its configuration with the whole.
    for (const config of new Set([vitest, ...projects].map((one) => one.config))) {
      config.bail = 0;
      config.retry = 0;
      config.sequence.shuffle = false;
      if (!foreign) config.setupFiles = [...config.setupFiles, canary];
    }
  }

  onFinished() {
    this.end();
  }

  onTestRunEnd() {
    this.end();
  }

  end() {
    if (this.ended) return;
    this.ended = true;
    const { state } = this.vitest;
    for (const error of state.getUnhandledErrors())
      write({ e: 'problem', message: String(error?.message ?? error) });
    const testResults = state.getFiles().map(fileOf);
    const tests = testResults.flatMap((one) => one.assertionResults);
    const success = testResults.every((one) => one.status === 'passed');
    write({ e: 'report', report: { numTotalTests: tests.length, success, testResults } });
  }
}

// biome-ignore lint/style/noDefaultExport: Vitest takes a reporter as the default export
export default Reporter;
