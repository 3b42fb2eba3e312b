import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createDefaultRegistries } from '../src/compose/registries.ts';
import { EXIT_CODES } from '../src/core/exit-codes.ts';
import { FACE_WORDS } from '../src/core/outcome.ts';
import { PRESETS } from '../src/drivers/acp-presets.ts';
import { copilot } from '../src/drivers/github-copilot.ts';
import { grok } from '../src/drivers/grok.ts';
import { builtInDrivers } from '../src/drivers/index.ts';
import { opencode } from '../src/drivers/opencode.ts';
import { LoopEngine } from '../src/loopgen.ts';
import { loadSpec } from '../src/spec/load.ts';
import { parseSpec } from '../src/spec/parse.ts';
import { tempDir } from './support/temp-dir.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../', import.meta.url));
const inRoot = (...parts: string[]) => path.join(root, ...parts);
const read = (page: string) => readFile(inRoot(page), 'utf8');

const programs = ['docs/library.md', 'docs/plugins.md'];
const readme = await read('README.md');

/** A program, and what it prints. */
interface Example {
  readonly name: string;
  readonly code: string;
  readonly prints: string;
}

/** Blocks ```` ```ts name.ts ````, each with the ```` ```text ```` block after it. */
function examplesIn(markdown: string): Example[] {
  const pattern = /^```ts (\S+)\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$/gm;
  return [...markdown.matchAll(pattern)].map(([, name = '', code = '', prints = '']) => ({
    name,
    code,
    prints,
  }));
}

const examples: readonly Example[] = [
  ...(await Promise.all(programs.map(read))).flatMap(examplesIn),
  {
    name: 'readme.ts',
    code: /^```ts\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? '',
    prints: 'true every success criterion is met\n',
  },
];

/** A project that has the examples as files and this package as its dependency. */
async function makeProject(dir: string): Promise<void> {
  await writeFile(path.join(dir, 'package.json'), '{"type": "module"}\n');
  await symlink(inRoot('node_modules'), path.join(dir, 'node_modules'));
  const compilerOptions = {
    paths: {
      'loop-generator': [inRoot('src/index.ts')],
      'loop-generator/testing': [inRoot('src/testing/index.ts')],
    },
    typeRoots: [inRoot('node_modules/@types')],
  };
  const tsconfig = { extends: inRoot('tsconfig.json'), compilerOptions, include: ['*.ts'] };
  await writeFile(path.join(dir, 'tsconfig.json'), JSON.stringify(tsconfig));
  for (const { name, code } of examples) await writeFile(path.join(dir, name), code);
}

describe('examples in programs', () => {
  test.each(programs)('every program in %s has its output under it', async (page) => {
    const text = await read(page);
    expect(examplesIn(text)).toHaveLength(text.match(/^```ts/gm)?.length ?? 0);
    expect(examplesIn(text).length).toBeGreaterThan(3);
  });

  test('the programs hold under the strict flags of the compiler', { timeout: 400_000 }, async () => {
    await using dir = await tempDir();
    await makeProject(dir.path);
    const tsc = inRoot('node_modules/typescript/bin/tsc');
    const checked = await run(process.execPath, [tsc, '-p', '.'], { cwd: dir.path }).catch((error) => error);
    expect(checked.stdout).toBe('');
  });

  test.each(examples)('the program $name prints what the page says', async ({ name, prints }) => {
    await using dir = await tempDir();
    await makeProject(dir.path);
    const env = { ...process.env, XDG_STATE_HOME: path.join(dir.path, 'state-home'), NO_COLOR: '1' };
    const tsx = inRoot('node_modules/tsx/dist/loader.mjs');
    const { stdout } = await run(process.execPath, ['--import', tsx, name], { cwd: dir.path, env });
    expect(stdout).toBe(prints);
  });
});

/** Stands in for an agent: reads its prompt, and mends one thing a turn. */
const AGENT = String.raw`
import { readFileSync, writeFileSync } from 'node:fs';
readFileSync(0);
const pattern = '/^(?=.)(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?$/';
const guard = readFileSync('duration.mjs', 'utf8').includes('3600') ? 'if (!found) throw new RangeError(text);' : '';
writeFileSync('duration.mjs', 'export function seconds(text) { const found = ' + pattern + '.exec(text); ' + guard +
  'const [, h = 0, m = 0, s = 0] = found ?? []; return h * 3600 + m * 60 + Number(s); }');
`;

/** The first own spec of the README as files, with the script in the agent's place. Gives the spec's path. */
async function walk(dir: string): Promise<string> {
  const stub = /^echo '(.*)' > project\/duration\.mjs$/m.exec(readme)?.[1] ?? '';
  const tests = /^```js\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? '';
  const spec = /^```yaml\n(name: duration\n[\s\S]*?)^```$/m.exec(readme)?.[1] ?? '';
  await mkdir(path.join(dir, 'project'));
  await writeFile(path.join(dir, 'agent.mjs'), AGENT);
  await writeFile(path.join(dir, 'project/duration.mjs'), stub);
  await writeFile(path.join(dir, 'project/duration.test.mjs'), tests);
  const file = path.join(dir, 'duration.loop.yaml');
  await writeFile(file, spec.replace(/command: codex .*/, 'command: node ../agent.mjs'));
  return file;
}

test('the first own spec of the README is red at the start and done in two turns', async () => {
  await using dir = await tempDir();
  const specFile = await walk(dir.path);
  const { spec } = await loadSpec(specFile);
  const engine = new LoopEngine(createDefaultRegistries());
  const place = { baseDir: dir.path, specFile, stateDir: path.join(dir.path, 'state') };
  expect((await engine.check(spec, place)).verdict.status).toBe('fail');
  const report = await engine.run(spec, place);
  expect(report).toMatchObject({ outcome: 'success', iterations: [{ status: 'fail' }, { status: 'pass' }] });
});

const pages = [
  ...['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'examples/README.md'],
  ...(await readdir(inRoot('docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ...(await readdir(inRoot('docs/decisions'))).map((name) => `docs/decisions/${name}`),
];

describe.each(pages)('%s', (page) => {
  test('every link leads to a file that is there', async () => {
    const links = [...(await read(page)).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(
      ([, link = '']) => link,
    );
    const dead = links.filter(
      (link) => !/^https?:/.test(link) && !existsSync(inRoot(path.dirname(page), link)),
    );
    expect(dead).toEqual([]);
  });

  test('every spec in it can be read', async () => {
    const blocks = [...(await read(page)).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
      ([, text = '']) => text,
    );
    for (const block of blocks.filter((text) => text.includes('\nevaluators:'))) {
      expect(parseSpec(parse(block)).evaluators.length).toBeGreaterThan(0);
    }
  });
});

test('the page on outcomes has a row for each, with its exit code and the words of the faces', async () => {
  const page = await read('docs/outcomes.md');
  const rows = [...page.matchAll(/^\| `([\w-]+)` \| .* \| (\d+) \| (\S+) \| (\S+) \|$/gm)];
  const told = rows.map(([, kind, code, fix, tdd]) => [kind, Number(code), fix, tdd]);
  const known = Object.entries(EXIT_CODES).map(([kind, code]) => {
    const words = FACE_WORDS[kind as keyof typeof FACE_WORDS];
    return [kind, code, words.fix, words.tdd];
  });
  expect(told.toSorted()).toEqual(known.toSorted());
});

test('the page on drivers has a row for each, and installs agents as the drivers say', async () => {
  const page = await read('docs/drivers.md');
  const installs = (name: string) => page.split('\n').filter((line) => line.startsWith(`| \`${name}\` |`));
  const [table = ''] = /^\| driver \|[\s\S]*?\n\n/m.exec(page) ?? [];
  const rows = [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(builtInDrivers.map(({ name }) => name));
  for (const { name, install } of [grok, copilot, opencode])
    expect(installs(name)[0]).toContain(`\`${install}\``);
  for (const [name, { install }] of Object.entries(PRESETS))
    expect(installs(name)).toContainEqual(expect.stringContaining(`\`${install}\``));
});
