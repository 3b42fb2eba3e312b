import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { type Bench, openBench } from '../support/engine.ts';
import { git } from '../workspace/support.ts';

vi.setConfig({ testTimeout: 240_000 });

const DONE = { write: { 'a.txt': 'done\n' } };
const check = (command: string) => ({ evaluators: [{ uses: 'command', as: 'check', options: { command } }] });

describe('a run goes to its end', () => {
  test.each([
    ['de_DE.UTF-8', 'Asia/Kathmandu'],
    ['ar_EG.UTF-8', 'Pacific/Chatham'],
    ['C', ''],
  ])('with the language %s and the time zone %j, and its times are UTC', async (language, zone) => {
    await using b = await openBench({ steps: [DONE] });
    b.write({ 'a.txt': 'no\n' });
    const env = { ...b.options.env, LC_ALL: language, LANGUAGE: language, TZ: zone };
    const { report } = await b.run(b.spec(check('echo "$LC_ALL $TZ"; grep -qx done a.txt')), { env });
    expect(report).toMatchObject({
      outcome: 'success',
      changedFiles: [{ path: 'a.txt', change: 'modified' }],
    });
    expect(report.baseline?.evaluations[0]?.feedback).toContain(`${language} ${zone}`.trim());
    expect(report.diffStat).toContain('1 file changed');
    for (const at of [report.startedAt, report.endedAt]) expect(at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(report.durationMs).toBeGreaterThanOrEqual(0);
  });

  test('where names are odd, and tells them as they are', async () => {
    const names = ['ü.txt', 'a b.txt', 'q"x', '-rf', 'n\nl.txt'];
    await using b = await openBench({
      steps: [{ write: Object.fromEntries(names.map((name) => [name, 'done\n'])) }],
    });
    b.write(Object.fromEntries(names.map((name) => [name, 'no\n'])));
    const { report } = await b.run(b.spec(check('for f in ./*; do grep -qx done "$f" || exit 1; done')));
    expect(report.outcome).toBe('success');
    expect(report.changedFiles.map(({ path }) => path).sort()).toEqual([...names].sort());
  });

  test('among links in circles, read-only files and large-file pointers, in a repository without a commit', async () => {
    await using b = await openBench({ steps: [DONE] });
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n';
    b.write({
      'a.txt': 'no\n',
      'locked/x.txt': 'x\n',
      'big.bin': pointer,
      '.gitattributes': '*.bin filter=lfs\n',
    });
    git(b.target, 'init', '-q');
    git(b.target, 'config', 'filter.lfs.clean', 'no-such-tool %f');
    git(b.target, 'config', 'filter.lfs.required', 'true');
    for (const [name, to] of [
      ['loop', '.'],
      ['up', '..'],
      ['none', 'no/such'],
    ] as const)
      symlinkSync(to, join(b.target, name));
    chmodSync(join(b.target, 'locked/x.txt'), 0o444);
    chmodSync(join(b.target, 'locked'), 0o555);
    const { report } = await b.run(b.spec(check('cat big.bin locked/x.txt && grep -qx done a.txt')));
    chmodSync(join(b.target, 'locked'), 0o755);
    expect(report).toMatchObject({ outcome: 'success', changedFiles: [{ path: 'a.txt' }] });
    expect(b.read('big.bin')).toBe(pointer);
  });

  test('where git ignores the very file that is to be made', async () => {
    await using b = await openBench({ steps: [{ write: { 'out/result.txt': 'done\n' } }] });
    b.write({ '.gitignore': 'out/\n' });
    git(b.target, 'init', '-q');
    const { report } = await b.run(b.spec(check('grep -qx done out/result.txt')));
    expect(report.outcome).toBe('success');
  });

  test('with line ends and byte order marks kept byte by byte', async () => {
    await using b = await openBench({ steps: [{ write: { 'a.txt': '\ufeffdone\r\nlast' } }] });
    b.write({ 'a.txt': '\ufeffno\r\nlast', 'b.txt': 'one\r\ntwo\n' });
    const { report, runDir } = await b.run(b.spec(check("grep -q $'done\\r' a.txt")));
    expect(report.outcome).toBe('success');
    const patch = readFileSync(join(runDir, 'iteration-01.patch'), 'utf8');
    expect(patch).toContain('-\ufeffno\r\n+\ufeffdone\r\n');
    expect(b.read('b.txt')).toBe('one\r\ntwo\n');
    execFileSync('git', ['apply', '--check', '--reverse', join(runDir, 'iteration-01.patch')], {
      cwd: b.target,
    });
  });

  test('where the workspace is a submodule, whose git directory is elsewhere', async () => {
    await using b: Bench = await openBench({ steps: [DONE] });
    git(b.dir, 'init', '-q', 'inner');
    execFileSync('sh', ['-c', 'echo no > inner/a.txt; rmdir target'], { cwd: b.dir });
    git(join(b.dir, 'inner'), 'add', '-A');
    git(join(b.dir, 'inner'), 'commit', '-qm', 'c');
    git(b.dir, 'init', '-q', 'super');
    git(join(b.dir, 'super'), 'submodule', '--quiet', 'add', join(b.dir, 'inner'), 'sub');
    const { report } = await b.run(
      b.spec({ ...check('git rev-parse HEAD && grep -qx done a.txt'), workspace: { dir: 'super/sub' } }),
    );
    expect(report).toMatchObject({ outcome: 'success', changedFiles: [{ path: 'a.txt' }] });
  });
});
