// Reads a report of vitest's json reporter and the counts of test:agents, prints `N passed, N failed, N skipped`,
// the sum of both, as the last line, and fails where a test failed, none ran, or one was skipped whose tool is here.
// A test that needs a tool says so in its title: `… [needs bwrap]`. Bubblewrap is here only where the system lets it work.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const [file, status, agentsFile, agentsStatus] = process.argv.slice(2);
const report = JSON.parse(readFileSync(file, 'utf8'));
const agents = existsSync(agentsFile)
  ? JSON.parse(readFileSync(agentsFile, 'utf8'))
  : { passed: 0, failed: 0, skipped: 0 };
const passed = report.numPassedTests + agents.passed;
const failed = report.numFailedTests + agents.failed;
const skipped = report.numTotalTests - report.numPassedTests - report.numFailedTests + agents.skipped;

const WALLS = [
  '--unshare-pid',
  '--cap-drop',
  'ALL',
  '--ro-bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
];
/** Without them Maven would need the network. */
const PLUG_INS = join(homedir(), '.m2/repository/org/apache/maven/surefire/surefire-junit4');
const works = {
  bwrap: () => succeeds('bwrap', [...WALLS, '--', 'true']),
  root: () => process.getuid?.() === 0,
  mvn: () => existsSync(PLUG_INS) && succeeds('sh', ['-c', 'command -v mvn']),
};
const isHere = (tool) =>
  works[tool]?.() ??
  (existsSync(`test/tools/node_modules/.bin/${tool}`) || succeeds('sh', ['-c', `command -v ${tool}`]));

function succeeds(program, args) {
  return spawnSync(program, args).status === 0;
}

const wrong = [];
for (const suite of report.testResults) {
  if (suite.status === 'failed' && suite.assertionResults.length === 0)
    wrong.push(`did not load: ${suite.name}`);
  for (const test of suite.assertionResults) {
    if (test.status === 'passed' || test.status === 'failed') continue;
    const needed = [...test.fullName.matchAll(/\[needs ([\w.-]+)\]/g)].map(([, tool]) => tool);
    if (needed.every(isHere)) wrong.push(`skipped, though it could have run: ${test.fullName}`);
  }
}
if (report.numPassedTests === 0) wrong.push('no test ran');
if (agents.skipped > 0) wrong.push(`${agents.skipped} scenarios of agents were skipped`);
if (agentsStatus !== '0' && agents.failed === 0) wrong.push(`test:agents exited with ${agentsStatus}`);
if (status !== '0' && report.numFailedTests === 0 && wrong.length === 0)
  wrong.push(`the runner exited with ${status}`);
for (const line of wrong) console.log(line);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 || wrong.length > 0 ? 1 : 0);
