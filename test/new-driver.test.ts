import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type TempDir, tempDir } from './support/temp-dir.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PACKAGES = join(ROOT, 'node_modules');

/** The parts of this clone that a driver touches. */
async function clone(dir: TempDir): Promise<void> {
  for (const part of ['src', 'test/drivers', 'test/support', 'biome.json', 'package.json'])
    await cp(join(ROOT, part), join(dir.path, part), { recursive: true });
  await symlink(PACKAGES, join(dir.path, 'node_modules'));
}

interface Ended {
  readonly code: number;
  readonly output: string;
}

const node = (args: readonly string[], cwd: string) =>
  new Promise<Ended>((resolve) => {
    const env = { ...process.env, NO_COLOR: '1', CI: 'true' };
    execFile(process.execPath, [...args], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });

/** Runs the generator on a clone. */
const make = (dir: TempDir, ...args: readonly string[]) =>
  node(['--import', 'tsx', 'scripts/new-driver.ts', '--root', dir.path, ...args], ROOT);

/** Types of these files and of all that they import. */
async function typesOf(dir: TempDir, files: readonly string[]): Promise<Ended> {
  const config = { extends: join(ROOT, 'tsconfig.json'), include: [], files };
  const compilerOptions = { typeRoots: [join(PACKAGES, '@types')] };
  await writeFile(join(dir.path, 'tsconfig.json'), JSON.stringify({ ...config, compilerOptions }));
  return await node([join(PACKAGES, 'typescript/bin/tsc'), '-p', '.'], dir.path);
}

const lint = (dir: TempDir, files: readonly string[]) =>
  node([join(PACKAGES, '@biomejs/biome/bin/biome'), 'check', ...files], dir.path);

const tested = (dir: TempDir, file: string) =>
  node([join(PACKAGES, 'vitest/vitest.mjs'), 'run', '--config', 'vitest.config.mjs', file], dir.path);

/** What an author does: the recorded events, and what they mean. */
const EVENTS = `[
  { type: 'start', sessionId: 's-1' },
  { type: 'tool', name: 'write', input: { path: 'hello.txt' } },
  { type: 'text', text: 'I wrote hello.txt.' },
  { type: 'done', tokens: { in: 10, out: 2 } },
]`;
const CASES = `case 'start':
      return [...session, { note: 'turn' }];
    case 'tool':
      return [{ note: 'acted', tool: textAt(event, 'name') ?? 'tool', ...inputOf(at(event, 'input')) }];
    case 'text':
      return [{ note: 'said', text: textAt(event, 'text') ?? '' }];
    case 'done': {
      const count = (key: string) => numberAt(event, 'tokens', key);
      const usage = known({ inputTokens: count('in'), outputTokens: count('out') });
      return [
        { note: 'used-in-all', usage },
        { note: 'ended', as: 'completed' },
      ];
    }
    default:`;

describe('new:driver', { timeout: 600_000 }, () => {
  test('makes a driver that compiles and is well-formed, and whose test says what is still to be written', async () => {
    await using dir = await tempDir();
    await clone(dir);
    const made = await make(dir, 'acme-agent', '--program', 'acme', '--title', "Acme's agent");
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining('src/drivers/acme-agent.ts') });
    expect(made.output).toMatch(
      /'acme-agent': \(\{ url \}\) => \(\{\n +env: \{ ACME_BASE_URL: .* ACME_API_KEY: 'scripted' \},/,
    );
    const [driver, suite] = ['src/drivers/acme-agent.ts', 'test/drivers/acme-agent.test.ts'];
    const files = [driver, suite, 'src/drivers/index.ts'];
    expect(await typesOf(dir, files)).toEqual({ code: 0, output: '' });
    expect((await lint(dir, files)).output).not.toMatch(/error|×|Found/);
    await writeFile(join(dir.path, 'vitest.config.mjs'), 'export default {};\n');
    const red = await tested(dir, suite);
    expect(red.code).not.toBe(0);
    expect(red.output).toContain('put what acme printed for a turn into WROTE');
    expect(red.output).toMatch(/1 failed.*4 passed/);

    const edit = async (file: string, from: string, to: string) => {
      const text = await readFile(join(dir.path, file), 'utf8');
      expect(text).toContain(from);
      await writeFile(join(dir.path, file), text.replace(from, to));
    };
    await edit(suite, 'readonly object[] = []', `readonly object[] = ${EVENTS}`);
    expect((await tested(dir, suite)).output).toContain('has to say in notes what the events of WROTE mean');
    await edit(driver, 'default:', CASES);
    await edit(driver, 'import type { Note }', 'import { inputOf, type Note }');
    await edit(driver, '{ type Fields, textAt }', '{ at, type Fields, known, numberAt, textAt }');
    const green = await tested(dir, suite);
    expect(green).toMatchObject({ code: 0, output: expect.stringContaining('5 passed') });
    expect(await typesOf(dir, files)).toEqual({ code: 0, output: '' });
  });

  test('makes of the name of a driver that there is one like it, in the same place of the list', async () => {
    await using dir = await tempDir();
    await clone(dir);
    const list = join(dir.path, 'src/drivers/index.ts');
    const before = await readFile(list, 'utf8');
    await rm(join(dir.path, 'src/drivers/grok.ts'));
    await rm(join(dir.path, 'test/drivers/grok.test.ts'));
    await writeFile(list, before.replace(/ {2}\{\n {4}name: 'grok',\n[\s\S]*?\n {2}\},\n/, ''));
    expect(await readFile(list, 'utf8')).not.toContain('grok');
    const title = "xAI's Grok Build CLI";
    expect(await make(dir, 'grok', '--title', title, '--package', '@xai-official/grok')).toMatchObject({
      code: 0,
    });
    expect(await readFile(list, 'utf8')).toBe(before);
    const shape = async (root: string) => {
      const text = await readFile(join(root, 'src/drivers/grok.ts'), 'utf8');
      const table = /^export const grok: AgentCli<Options> = \{\n([\s\S]*?)^\};$/m.exec(text)?.[1] ?? '';
      return {
        keys: [...table.matchAll(/^ {2}(\w+)[:,]/gm)].map(([, key]) => key),
        facts: table.split('\n').slice(0, 4),
        parts: [...text.matchAll(/^(?:export |async )*(?:const|function|type) (\w+)/gm)].map(
          ([, name]) => name,
        ),
      };
    };
    const [ours, theirs] = [await shape(dir.path), await shape(ROOT)];
    expect(ours.facts).toEqual(theirs.facts);
    expect(theirs.keys.filter((key) => ours.keys.includes(key))).toEqual(ours.keys);
    expect(theirs.parts.filter((part) => ours.parts.includes(part))).toEqual(ours.parts);
    expect(ours.keys.length).toBeGreaterThan(9);
  });

  test.each<[string, readonly string[], RegExp]>([
    ['no name', [], /one name is needed, and flags stand after "--"/],
    ['two names', ['a', 'b'], /one name is needed, and flags stand after "--"/],
    ['a name that is none', ['My_Agent'], /small letters, digits, dashes/],
    ['a name that leads elsewhere', ['../evil'], /small letters, digits, dashes/],
    [
      'a driver that there is',
      ['grok'],
      /grok\.ts is there already: go on in it, or choose another name; .*src\/drivers\/index\.ts/,
    ],
    [
      'a flag that there is not',
      ['a', '--titel', 'x'],
      /^new:driver: unknown option '--titel'\n\nnpm run new:driver NAME/,
    ],
    [
      'a flag without its value',
      ['a', '--title'],
      /^new:driver: option '--title.*\n\nnpm run new:driver NAME/,
    ],
  ])('%s ends with exit code 2 and writes nothing', async (_, args, told) => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, 'src/drivers'), { recursive: true });
    const list = await readFile(join(ROOT, 'src/drivers/index.ts'), 'utf8');
    await writeFile(join(dir.path, 'src/drivers/index.ts'), list);
    await writeFile(join(dir.path, 'src/drivers/grok.ts'), '');
    const { code, output } = await make(dir, ...args);
    expect(code).toBe(2);
    expect(output).toMatch(told);
    expect(await readFile(join(dir.path, 'src/drivers/index.ts'), 'utf8')).toBe(list);
  });
});

test('the skill and the steps that are printed name files that are there', async () => {
  const texts = await Promise.all(
    ['.claude/skills/add-driver/SKILL.md', 'scripts/new-driver.ts'].map((file) =>
      readFile(join(ROOT, file), 'utf8'),
    ),
  );
  const named = texts.flatMap(
    (text) => text.match(/\b(?:src|bench|docs|test)\/[\w/.-]+\.(?:ts|md)\b/g) ?? [],
  );
  const files = [...new Set(named)].filter((file) => !/NAME/.test(file));
  expect(files.length).toBeGreaterThan(4);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
