// Reporter of mocha: writes one line at the end, in the shape of Jest's JSON report, with the nonce of this run.
const { appendFileSync } = require('node:fs');
const { _cache: cache } = require('node:module');

const NAMES = ['LOOPGEN_NONCE', 'LOOPGEN_REPORT', 'LOOPGEN_CANARY'];
const [nonce, report, canary] = NAMES.map((name) => process.env[name]);
// Test files are loaded after the reporter: they are not to find it there.
for (const name of NAMES) delete process.env[name];

const write = (fields) => appendFileSync(report, `\n${JSON.stringify({ ...fields, n: nonce })}\n`);

/** What mocha has loaded of itself. */
function ofMocha(name) {
  const path = Object.keys(cache).find((one) => one.replaceAll('\\', '/').endsWith(`/mocha/lib/${name}.js`));
  return path && cache[path].exports;
}

function fileOf(runnable) {
  for (let one = runnable; one; one = one.parent) if (one.file) return one.file;
  return '(no file)';
}

const titlesOf = (runnable) => runnable.titlePath?.() ?? [runnable.fullTitle()];
const idOf = (test) => [fileOf(test), ...titlesOf(test)].join(' > ');
const cwd = process.cwd();
/** mocha takes the current folder off the paths in a stack. */
const describe = (error) =>
  String(error?.stack || error?.message || error).replace(
    /(\(|\bat )([^\s():/][^\s():]*:\d+:\d+)/g,
    (_all, before, place) => `${before}${cwd}/${place}`,
  );

class Reporter {
  files = new Map();

  constructor(runner, options) {
    this.runner = runner;
    this.options = options ?? {};
    const Spec = ofMocha('reporters/spec');
    if (Spec) this.screen = new Spec(runner, options);
    runner.once('start', () => this.start());
    runner.on('test', (test) => write({ e: 'start', file: idOf(test) }));
    runner.on('test end', (test) => write({ e: 'done', file: idOf(test) }));
    runner.on('pass', (test) => this.add(test, this.options.dryRun ? 'skipped' : 'passed'));
    runner.on('fail', (test, error) => this.add(test, 'failed', error));
    runner.on('pending', (test) => this.add(test, 'skipped'));
    runner.once('end', () => this.end());
  }

  start() {
    const { runner, options } = this;
    const isParallel = options.parallel || /Parallel/.test(runner.constructor.name);
    // In parallel the tests are not here.
    this.planned = isParallel ? 0 : (runner.grepTotal?.(runner.suite) ?? 0);
    if (canary === undefined) return;
    const Mocha = ofMocha('mocha');
    if (isParallel) write({ e: 'no-canary', because: 'the tests run in parallel workers' });
    else if (!Mocha) write({ e: 'no-canary', because: 'mocha was loaded in an unusual way' });
    else require(canary).addTo(runner, Mocha);
  }

  add(test, status, error) {
    const file = fileOf(test);
    const results = this.files.get(file) ?? [];
    this.files.set(file, results);
    const titles = titlesOf(test);
    results.push({
      ancestorTitles: titles.slice(0, -1),
      title: titles.at(-1),
      status,
      duration: test.duration,
      failureMessages: error === undefined ? [] : [describe(error)],
      invocations: 1 + (test.currentRetry?.() ?? 0),
    });
  }

  end() {
    const testResults = [...this.files].map(([name, assertionResults]) => ({
      name,
      status: assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
      assertionResults,
    }));
    const reported = testResults.reduce((sum, one) => sum + one.assertionResults.length, 0);
    const numTotalTests = Math.max(reported, this.planned ?? 0);
    const success = testResults.every(({ status }) => status === 'passed');
    const { failures } = this.runner;
    const failedCode = this.options.posixExitCodes ? 1 : Math.min(failures, 255);
    write({ e: 'report', failedCode, report: { numTotalTests, success, testResults } });
  }

  done(failures, end) {
    if (typeof this.screen?.done === 'function') this.screen.done(failures, end);
    else end(failures);
  }
}

module.exports = Reporter;
