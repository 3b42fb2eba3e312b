import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/spec/config.ts';
import { type TempDir, tempDir } from '../support/temp-dir.ts';

describe('the configuration', () => {
  test('is empty where there is no file', async () => {
    await using dir = await tempDir();
    expect(await load(dir)).toEqual({ sources: {} });
  });

  test.each([
    ['loopgen.config.json', '{"driver": {"uses": "ollama", "options": {"model": "m"}}}'],
    ['loopgen.config.yaml', 'driver:\n  uses: ollama\n  options: { model: m }\n'],
    ['package.json', '{"name": "p", "loopgen": {"driver": {"uses": "ollama", "options": {"model": "m"}}}}'],
  ])('is read from %s above the spec', async (name, text) => {
    await using dir = await tempDir();
    await put(dir, `project/${name}`, text);
    const { driver, sources } = await load(dir);
    expect(driver).toEqual({ uses: 'ollama', options: { model: 'm' }, session: 'resume' });
    expect(sources.driver?.file).toBe(path.join(dir.path, 'project', name));
  });

  test('is the nearest one, not all of them', async () => {
    await using dir = await tempDir();
    await put(dir, 'loopgen.config.yaml', 'stateDir: outer\n');
    await put(dir, 'project/loops/package.json', '{"name": "no-key-of-ours", "loopgenx": 1}');
    await put(dir, 'project/loopgen.config.yaml', 'driver: { uses: inner }\n');
    const config = await load(dir);
    expect(config.driver?.uses).toBe('inner');
    expect(config.stateDir).toBeUndefined();
  });

  test('takes from the user what the project does not set, key by key', async () => {
    await using dir = await tempDir();
    await put(dir, 'project/loopgen.config.yaml', 'driver: { uses: near }\n');
    await put(
      dir,
      'home/.config/loopgen/config.yaml',
      'driver: { uses: far, options: { a: 1 } }\nobservers: [{ uses: jsonl }]\n',
    );
    const config = await load(dir);
    expect(config.driver).toEqual({ uses: 'near', options: {}, session: 'resume' });
    expect(config.observers).toEqual([{ uses: 'jsonl', name: 'jsonl', options: {} }]);
  });

  test('of the user may lie elsewhere', async () => {
    await using dir = await tempDir();
    await put(dir, 'xdg/loopgen/config.json', '{"stateDir": "state"}');
    const config = await load(dir, path.join(dir.path, 'xdg'));
    expect(config.stateDir).toBe(path.join(dir.path, 'xdg/loopgen/state'));
  });

  test.each([
    ['runs', 'project/runs'],
    ['/var/loopgen', undefined],
    ['~/loopgen', 'home/loopgen'],
  ])('has the state folder %s as an absolute path', async (stateDir, expected) => {
    await using dir = await tempDir();
    await put(dir, 'project/loopgen.config.yaml', `stateDir: ${stateDir}\n`);
    const config = await load(dir);
    expect(config.stateDir).toBe(expected === undefined ? stateDir : path.join(dir.path, expected));
  });
});

describe('a configuration with something wrong in it', () => {
  test.each([
    ['project/loopgen.config.yaml', 'drivr: { uses: x }\n', '1:1', 'unknown key "drivr"'],
    [
      'project/loopgen.config.yaml',
      'driver:\n  uses: x\n  option: {}\n',
      '3:3',
      'driver: unknown key "option"',
    ],
    ['project/loopgen.config.yaml', 'observers: jsonl\n', '1:12', 'observers must be a list'],
    ['project/loopgen.config.json', '{"stateDir": 3}', '1:14', 'stateDir must be a path'],
    ['project/loopgen.config.json', '{"stateDir": "x",}', '1:18', 'is not JSON'],
    ['project/package.json', '{"name": "p",\n "loopgen": {\n  "state": "x"}}', '3:3', 'unknown key "state"'],
    ['project/package.json', '{"name": "p",\n "loopgen": {},}', '2:16', 'is not JSON'],
    ['home/.config/loopgen/config.yaml', 'a:\n\tb: 1\n', '2:1', 'a tab'],
  ])('%s is told with its place', async (name, text, place, message) => {
    await using dir = await tempDir();
    await put(dir, name, text);
    const error = await load(dir).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'bad-config', message: expect.stringContaining(message) });
    const [line, column] = place.split(':').map(Number);
    expect(error).toMatchObject({ at: { file: path.join(dir.path, name), line, column } });
  });

  test('two files in one folder are an error, since neither can be meant', async () => {
    await using dir = await tempDir();
    await put(dir, 'project/loopgen.config.yaml', '{}\n');
    await put(dir, 'project/loopgen.config.json', '{}\n');
    await expect(load(dir)).rejects.toMatchObject({ code: 'bad-config', hint: 'keep one of the two' });
  });

  test('a broken package.json without a key of ours is nobody’s concern', async () => {
    await using dir = await tempDir();
    await put(dir, 'project/package.json', '{"name": ');
    expect(await load(dir)).toEqual({ sources: {} });
  });
});

/** The spec lies in `project/loops`. The temporary folder itself lies under no configuration. */
async function load(dir: TempDir, configHome?: string) {
  const from = path.join(dir.path, 'project', 'loops');
  await mkdir(from, { recursive: true });
  return await loadConfig({ from, home: path.join(dir.path, 'home'), configHome });
}

async function put(dir: TempDir, name: string, text: string): Promise<void> {
  const file = path.join(dir.path, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
