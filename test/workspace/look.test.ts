import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Bench, bench, git, put, short } from './support.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

/** Workspaces that break tools which rely on git or on plain names. */
const WORKSPACES: readonly (readonly [string, (b: Bench) => void])[] = [
  ['a plain folder', () => {}],
  ['a repository without a commit', ({ dir }) => void git(dir, 'init', '-q')],
  [
    'a repository that ignores the file',
    ({ dir }) => {
      git(dir, 'init', '-q');
      put(dir, '.gitignore', 'src/\n*.py\n');
    },
  ],
  [
    'a sub-folder of a repository that ignores it',
    ({ root, dir }) => {
      git(root, 'init', '-q');
      put(root, '.gitignore', 'ws/\n');
      put(dir, 'x', 'x');
    },
  ],
  [
    'a repository with a nested one without a commit',
    ({ dir }) => {
      git(dir, 'init', '-q');
      mkdirSync(join(dir, 'src'), { recursive: true });
      git(join(dir, 'src'), 'init', '-q');
    },
  ],
  [
    'a repository with a nested one with a commit',
    ({ dir }) => {
      git(dir, 'init', '-q');
      git(join(dir, 'src'), 'init', '-q');
      git(join(dir, 'src'), 'add', '-A');
      git(join(dir, 'src'), 'commit', '-qm', 'inner');
      git(dir, 'add', '-A');
    },
  ],
  [
    'a submodule',
    ({ root, dir }) => {
      git(root, 'init', '-q', 'inner');
      put(join(root, 'inner'), 'src/a.py', 'one\n');
      put(join(root, 'inner'), 'src/b.py', 'two\n');
      git(join(root, 'inner'), 'add', '-A');
      git(join(root, 'inner'), 'commit', '-qm', 'c');
      rmSync(dir, { recursive: true });
      git(root, 'init', '-q', 'super');
      git(join(root, 'super'), 'submodule', '--quiet', 'add', join(root, 'inner'), 'sub');
      symlinkSync(join(root, 'super', 'sub'), dir);
    },
  ],
  [
    'files that git was told to assume unchanged',
    ({ dir }) => {
      git(dir, 'init', '-q');
      git(dir, 'add', '-A');
      git(dir, 'commit', '-qm', 'c');
      git(dir, 'update-index', '--assume-unchanged', 'src/a.py');
    },
  ],
  [
    'a clean filter that always tells the old story',
    ({ dir }) => {
      git(dir, 'init', '-q');
      git(dir, 'config', 'filter.old.clean', 'echo one');
      git(dir, 'config', 'filter.old.required', 'true');
      put(dir, '.gitattributes', '*.py filter=old -diff\n');
      git(dir, 'add', '-A');
    },
  ],
  [
    'large-file pointers without the tool for them',
    ({ dir }) => {
      git(dir, 'init', '-q');
      git(dir, 'config', 'filter.lfs.clean', 'no-such-tool clean %f');
      git(dir, 'config', 'filter.lfs.required', 'true');
      put(dir, '.gitattributes', '*.py filter=lfs diff=lfs merge=lfs -text\n');
    },
  ],
  [
    'a work tree that its repository says is elsewhere',
    ({ root, dir }) => {
      git(dir, 'init', '-q');
      git(dir, 'config', 'core.worktree', root);
    },
  ],
  [
    'links that go in circles and nowhere',
    ({ dir }) => {
      for (const [name, target] of [
        ['loop', '.'],
        ['up', '..'],
        ['none', 'no/such'],
        ['top', '/'],
        ['self', 'self'],
      ] as const)
        symlinkSync(target, join(dir, name));
    },
  ],
];

describe('what changed is seen in', () => {
  test.each(WORKSPACES)('%s', async (_, prepare) => {
    await using b = await bench({ 'src/a.py': 'one\n', 'src/b.py': 'two\n' });
    prepare(b);
    const ws = await b.open();
    expect((await ws.snapshot()).tree).toBe(ws.start.tree);
    expect(await ws.snapshot()).toBe(ws.start);

    put(b.dir, 'src/a.py', 'ONE\n');
    put(b.dir, 'src/new/c.py', 'three\n');
    rmSync(join(b.dir, 'src/b.py'));
    const now = await ws.snapshot();
    expect(short(ws.changes(ws.start, now))).toBe('~src/a.py -src/b.py +src/new/c.py');
    const { stat, patch } = await ws.diff(ws.start, now, 4000);
    expect(stat).toContain('3 files changed');
    expect(patch).toContain('-one\n+ONE\n');

    const back = await ws.restore(now, ws.start);
    expect(back.tree).toBe(ws.start.tree);
    expect(ws.changes(ws.start, back)).toEqual([]);
    expect(readFileSync(join(b.dir, 'src/b.py'), 'utf8')).toBe('two\n');
    expect(short(ws.changes(ws.start, await ws.snapshot()))).toBe('');
  });
});

describe('the look at the tree', () => {
  test('odd names come through diff, patch and restore', async () => {
    const names = [
      'ü.py',
      'a b.py',
      'q"x',
      "it's",
      'n\nl.py',
      '-rf',
      'back\\slash',
      't\tab',
      'e\u0301.txt',
      '*.py',
      ':(top)x',
      'caf\xe9',
    ];
    await using b = await bench();
    const place = (name: string) =>
      Buffer.concat([Buffer.from(`${b.dir}/`), name === 'caf\xe9' ? bytes(name) : Buffer.from(name)]);
    for (const name of names) writeFileSync(place(name), `old ${name}\n`);
    const ws = await b.open();
    for (const name of names) writeFileSync(place(name), `new ${name}\n`);
    const now = await ws.snapshot();
    const paths = ws.changes(ws.start, now).map(({ path }) => path);
    expect([...paths].sort()).toEqual([...names.slice(0, -1), 'caf\\xe9'].sort());
    expect((await ws.diff(ws.start, now, 10_000)).stat).toContain(`${names.length} files changed`);

    const back = await ws.restore(now, ws.start, ['n\nl.py', 'caf\\xe9', '-rf']);
    expect(ws.changes(ws.start, back)).toHaveLength(names.length - 3);
    expect(readFileSync(place('caf\xe9'), 'utf8')).toBe('old caf\xe9\n');
    await ws.restore(back, ws.start);
    for (const name of names) expect(readFileSync(place(name), 'utf8')).toBe(`old ${name}\n`);
  });

  test('an edit that keeps size and time is seen, and one within the same tick', async () => {
    await using b = await bench({ 'a.txt': 'aaaa', 'b.txt': 'aaaa' });
    const past = new Date('2020-01-01');
    utimesSync(join(b.dir, 'a.txt'), past, past);
    const ws = await b.open();
    writeFileSync(join(b.dir, 'a.txt'), 'bbbb');
    utimesSync(join(b.dir, 'a.txt'), past, past);
    let last = await ws.snapshot();
    expect(short(ws.changes(ws.start, last))).toBe('~a.txt');
    for (const letter of 'cdefghijklmnop') {
      writeFileSync(join(b.dir, 'b.txt'), letter.repeat(4));
      const next = await ws.snapshot();
      expect(short(ws.changes(last, next))).toBe('~b.txt');
      last = next;
    }
  });

  test('a change of mode alone is a change; a touch is none', async () => {
    await using b = await bench({ 'a.sh': 'x', 'b.txt': 'x' });
    const ws = await b.open();
    chmodSync(join(b.dir, 'a.sh'), 0o600);
    utimesSync(join(b.dir, 'b.txt'), new Date(), new Date());
    expect(short(ws.changes(ws.start, await ws.snapshot()))).toBe('~a.sh');
  });

  test('a file that becomes a link, a folder or a pipe is a change', async () => {
    await using b = await bench({ a: 'x', b: 'x', target: 'x' });
    const ws = await b.open();
    for (const name of ['a', 'b']) unlinkSync(join(b.dir, name));
    symlinkSync('target', join(b.dir, 'a'));
    put(b.dir, 'b/inner', 'y');
    const now = await ws.snapshot();
    expect(short(ws.changes(ws.start, now))).toBe('~a -b +b/inner');
    expect((await ws.diff(ws.start, now, 4000)).patch).toContain('new file mode 120000');
  });

  test('line ends, byte order marks and missing newlines are bytes like others', async () => {
    const content = Buffer.from('\ufeffone\r\ntwo\nthree');
    await using b = await bench();
    put(b.dir, 'a.txt', content);
    put(b.dir, '.gitattributes', '* text=auto eol=lf\n');
    const ws = await b.open();
    put(b.dir, 'a.txt', '\ufeffone\r\nTWO\nthree');
    const now = await ws.snapshot();
    const patch = readFileSync(await ws.savePatch(ws.start, now, join(b.root, 'p.patch')), 'utf8');
    expect(patch).toContain('-two\n+TWO\n');
    expect(patch).not.toContain('-one');
    await ws.restore(now, ws.start);
    expect(readFileSync(join(b.dir, 'a.txt')).equals(content)).toBe(true);
  });

  test('going back to an earlier state has its tree again', async () => {
    await using b = await bench({ a: '1' });
    const ws = await b.open();
    put(b.dir, 'a', '2');
    const second = await ws.snapshot();
    put(b.dir, 'a', '1');
    const third = await ws.snapshot();
    expect(second.tree).not.toBe(ws.start.tree);
    expect(third.tree).toBe(ws.start.tree);
    expect(ws.changes(ws.start, third)).toEqual([]);
    expect(short(ws.changes(third, second))).toBe('~a');
  });

  test('artefacts and ignored paths are seen, but are no work and not in the tree', async () => {
    await using b = await bench({ 'a.ts': '1', 'debug.log': 'x' });
    const ws = await b.open({ ignore: ['generated/'] });
    put(b.dir, 'debug.log', 'y');
    put(b.dir, 'coverage/lcov.info', 'y');
    put(b.dir, 'src/generated/a.ts', 'y');
    const now = await ws.snapshot();
    expect(short(ws.changes(ws.start, now))).toBe('(+coverage/lcov.info) (~debug.log) (+src/generated/a.ts)');
    expect(now.tree).toBe(ws.start.tree);
    expect(await ws.diff(ws.start, now, 1000)).toEqual({ stat: '', patch: '' });
    await ws.restore(now, ws.start);
    expect(readFileSync(join(b.dir, 'debug.log'), 'utf8')).toBe('x');
    expect(lstatSync(join(b.dir, 'coverage'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('dependencies, caches, state and own files are not seen', async () => {
    await using b = await bench({ 'a.ts': '1', 'env/pyvenv.cfg': '', 'node_modules/x/i.js': '1' });
    const ws = await b.open({
      stateDir: join(b.dir, '.loopgen'),
      ownFiles: [join(b.dir, 'out', 'trace.jsonl')],
    });
    for (const path of [
      'node_modules/x/i.js',
      'env/lib/a.py',
      'src/__pycache__/a.pyc',
      '.loopgen/runs/1',
      'out/trace.jsonl',
    ])
      put(b.dir, path, 'changed');
    const now = await ws.snapshot();
    expect(ws.changes(ws.start, now)).toEqual([]);
    await ws.restore(now, ws.start);
    expect(readFileSync(join(b.dir, 'out/trace.jsonl'), 'utf8')).toBe('changed');
  });

  test('a marker file that the agent adds does not hide a folder that was seen', async () => {
    await using b = await bench({ 'src/a.py': '1', 'target/check.sh': '1' });
    const ws = await b.open();
    put(b.dir, 'src/pyvenv.cfg', '');
    put(b.dir, 'Cargo.toml', '');
    put(b.dir, 'src/a.py', '2');
    put(b.dir, 'target/check.sh', '2');
    expect(short(ws.changes(ws.start, await ws.snapshot()))).toBe(
      '+Cargo.toml ~src/a.py +src/pyvenv.cfg (~target/check.sh)',
    );
  });

  test('a marker file that goes does not turn a folder of dependencies into work', async () => {
    await using b = await bench({ 'env/pyvenv.cfg': '', 'env/lib/a.py': '' });
    const ws = await b.open();
    rmSync(join(b.dir, 'env/pyvenv.cfg'));
    const now = await ws.snapshot();
    expect(ws.changes(ws.start, now)).toEqual([]);
    await ws.restore(now, ws.start);
    expect(readFileSync(join(b.dir, 'env/lib/a.py'), 'utf8')).toBe('');
  });

  test('watched files are work wherever they lie', async () => {
    await using b = await bench({
      'build/check.sh': '1',
      'node_modules/t/verify.js': '1',
      'build/other': '1',
    });
    const watch = ['build/check.sh', join(b.dir, 'node_modules/t/verify.js'), 'not/there.sh'];
    const ws = await b.open({ watch });
    for (const path of ['build/check.sh', 'node_modules/t/verify.js', 'build/other', 'not/there.sh'])
      put(b.dir, path, '2');
    const now = await ws.snapshot();
    expect(short(ws.changes(ws.start, now))).toBe(
      '~build/check.sh (~build/other) ~node_modules/t/verify.js +not/there.sh',
    );
    rmSync(join(b.dir, 'node_modules'), { recursive: true });
    const gone = await ws.snapshot();
    await ws.restore(gone, ws.start, ['node_modules/t/verify.js']);
    expect(readFileSync(join(b.dir, 'node_modules/t/verify.js'), 'utf8')).toBe('1');
  });

  test('a snapshot of another workspace is refused', async () => {
    await using b = await bench();
    const ws = await b.open();
    expect(() => ws.changes(ws.start, { tree: ws.start.tree })).toThrow('another workspace');
  });
});

describe('what is kept', () => {
  test('a large file is known by its hash, told, and cannot be put back', async () => {
    await using b = await bench({ 'big.bin': 'x'.repeat(2000), 'a.txt': '1' });
    const ws = await b.open({ limits: { fileBytes: 1000 } });
    expect(ws.notices.join()).toContain('"big.bin" is larger than');
    put(b.dir, 'big.bin', 'y'.repeat(2000));
    put(b.dir, 'a.txt', '2');
    const now = await ws.snapshot();
    expect(short(ws.changes(ws.start, now))).toBe('~a.txt ~big.bin');
    expect(now.tree).not.toBe(ws.start.tree);
    expect(readFileSync(await ws.savePatch(ws.start, now, join(b.root, 'p')), 'utf8')).not.toContain(
      'big.bin',
    );
    await expect(ws.restore(now, ws.start)).rejects.toMatchObject({ code: 'cannot-restore' });
    expect(readFileSync(join(b.dir, 'a.txt'), 'utf8')).toBe('2');
    const back = await ws.restore(now, ws.start, ['a.txt']);
    expect(short(ws.changes(ws.start, back))).toBe('~big.bin');
  });

  test('a workspace that is too large is told, and what is beyond the limit is still seen', async () => {
    await using b = await bench(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, `${n}`])));
    const ws = await b.open({ limits: { files: 5 } });
    expect(ws.notices.join()).toContain('too large to be kept whole');
    for (let n = 0; n < 20; n++) put(b.dir, `f${n}`, `changed ${n}`);
    expect(ws.changes(ws.start, await ws.snapshot())).toHaveLength(20);
  });
});

describe('the workspace itself', () => {
  test('that was removed is an empty folder again, and its files are deleted ones that can be put back', async () => {
    await using b = await bench({ 'src/a': '1', b: '2' });
    const ws = await b.open();
    rmSync(b.dir, { recursive: true });
    const now = await ws.snapshot();
    expect(short(ws.changes(ws.start, now))).toBe('-b -src/a');
    await ws.restore(now, ws.start);
    expect(readFileSync(join(b.dir, 'src/a'), 'utf8')).toBe('1');
  });

  test('that was replaced by a link is an error that says so, and the link stays', async () => {
    await using b = await bench({ a: '1' });
    const ws = await b.open();
    renameSync(b.dir, join(b.root, 'moved'));
    symlinkSync('moved', b.dir);
    await expect(ws.snapshot()).rejects.toMatchObject({
      code: 'workspace-replaced',
      message: expect.stringContaining('a link was put in its place'),
    });
    expect(lstatSync(b.dir).isSymbolicLink()).toBe(true);
  });

  test('that lost its rights is an error that says so', async () => {
    await using b = await bench({ a: '1' });
    const ws = await b.open();
    chmodSync(b.dir, 0);
    // Rights mean nothing to root, so it looks as somebody else, who may come as far as the workspace.
    chmodSync(b.root, 0o755);
    const asRoot = process.geteuid?.() === 0;
    if (asRoot) process.seteuid?.(65534);
    try {
      await expect(ws.snapshot()).rejects.toMatchObject({ code: 'workspace-locked' });
    } finally {
      if (asRoot) process.seteuid?.(0);
    }
  });

  test('whose records were removed in the run ends in an error that says so', async () => {
    await using b = await bench({ a: '1' });
    const ws = await b.open();
    put(b.dir, 'a', '2');
    // Looking again makes some of the folders anew.
    rmSync(join(b.root, 'stores'), { recursive: true });
    const now = await ws.snapshot();
    await expect(ws.diff(ws.start, now, 1000)).rejects.toMatchObject({
      code: 'records-gone',
      hint: expect.stringContaining('--state-dir'),
    });
  });
});

describe('the diff', () => {
  test('is cut with a note, while the saved patch is whole', async () => {
    await using b = await bench();
    const ws = await b.open();
    put(b.dir, 'long.txt', 'some line\n'.repeat(5000));
    put(b.dir, 'bin', Buffer.from([0, 1, 2, 255]));
    const now = await ws.snapshot();
    const { patch } = await ws.diff(ws.start, now, 2000);
    expect(patch.length).toBeLessThanOrEqual(2000);
    expect(patch).toContain('left out');
    const whole = (await ws.diff(ws.start, now, 1_000_000)).patch;
    expect(whole).toContain('Binary files differ\ndiff --git a/long.txt');
    expect(whole).toMatch(/^index 0000000\.\.[0-9a-f]{7}$/m);
    const file = await ws.savePatch(ws.start, now, join(b.root, 'deep/er/p.patch'));
    expect(readFileSync(file, 'utf8').match(/^\+some line$/gm)).toHaveLength(5000);
    const empty = join(b.root, 'other');
    mkdirSync(empty);
    git(empty, 'apply', file);
    expect(readFileSync(join(empty, 'bin')).equals(Buffer.from([0, 1, 2, 255]))).toBe(true);
  });

  test('a patch of named paths holds those only', async () => {
    await using b = await bench({ a: '1', 'b.log': '1' });
    const ws = await b.open();
    for (const path of ['a', 'b.log', 'c']) put(b.dir, path, '2');
    const now = await ws.snapshot();
    const patch = readFileSync(await ws.savePatch(ws.start, now, join(b.root, 'p'), ['b.log']), 'utf8');
    expect(patch).toContain('b.log');
    expect(patch).not.toContain('a/a');
  });
});
