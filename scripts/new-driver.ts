import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** `npm run new:driver NAME`: the driver of an agent CLI, its test, and its line in the list of drivers. */

const HERE = fileURLToPath(new URL('.', import.meta.url));
const USAGE = `npm run new:driver NAME -- [--program NAME] [--title TEXT] [--package NPM-PACKAGE]

  NAME       of the driver, as a spec uses it: small letters, digits, dashes
  --program  what the agent is called on PATH (default: NAME)
  --title    what the list says of it (default: the agent NAME)
  --package  what npm installs (default: NAME)
  --root     the clone to write into (default: this one)`;

interface Facts {
  readonly name: string;
  readonly program: string;
  readonly title: string;
  readonly install: string;
}

const FLAGS = {
  program: { type: 'string' },
  title: { type: 'string' },
  package: { type: 'string' },
  root: { type: 'string' },
} as const;

/** The arguments as they were meant. A flag before npm's `--` is npm's, and never comes here. */
function asked() {
  try {
    return parseArgs({ allowPositionals: true, options: FLAGS });
  } catch (error) {
    const [what = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new Error(`${what.charAt(0).toLowerCase()}${what.slice(1)}\n\n${USAGE}`);
  }
}

function main(): void {
  const { values, positionals } = asked();
  const [name] = positionals;
  if (name === undefined || positionals.length > 1)
    throw new Error(`one name is needed, and flags stand after "--"\n\n${USAGE}`);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new Error(`"${name}" is no name for a driver: small letters, digits, dashes\n\n${USAGE}`);
  const { program = name, title = `the agent ${name}`, root = join(HERE, '..') } = values;
  const facts = { name, program, title, install: `npm install -g ${values.package ?? name}` };
  const written = scaffold(root, facts);
  console.log(`written:\n${written.map((file) => `  ${file}`).join('\n')}\n\n${nextSteps(facts)}`);
}

/** Writes all files or none. */
function scaffold(root: string, facts: Facts): readonly string[] {
  const driver = `src/drivers/${facts.name}.ts`;
  const test = `test/drivers/${facts.name}.test.ts`;
  const list = 'src/drivers/index.ts';
  for (const file of [driver, test])
    if (existsSync(join(root, file)))
      throw new Error(
        `${file} is there already: go on in it, or choose another name; a driver that is to begin anew loses this file, its test and its entry in ${list} first`,
      );
  const files = new Map([
    [driver, filled('driver.ts.txt', facts)],
    [test, filled('test.ts.txt', facts)],
    [list, listed(readFileSync(join(root, list), 'utf8'), facts)],
  ]);
  for (const [file, text] of files) writeFileSync(join(root, file), text);
  return [...files.keys()];
}

function filled(template: string, facts: Facts): string {
  const words: Readonly<Record<string, string>> = {
    ...facts,
    title: quoted(facts.title),
    camel: camel(facts.name),
    KEY: `${upper(facts.program)}_API_KEY`,
    HOME: `${upper(facts.program)}_HOME`,
  };
  const text = readFileSync(join(HERE, 'driver-template', template), 'utf8');
  return text.replace(/\{\{(\w+)\}\}/g, (_, word: string) => words[word] ?? '');
}

/** The list of drivers with one more, in the order of names. */
function listed(list: string, { name, title, program }: Facts): string {
  const entry = [
    '  {',
    `    name: '${name}',`,
    `    description: ${quoted(title)},`,
    `    needs: '${program}',`,
    `    load: async () => (await import('./${name}.ts')).${camel(name)}Driver,`,
    '  },\n',
  ].join('\n');
  const known = [...list.matchAll(/^ {2}\{\n {4}name: '([^']+)',\n/gm)];
  const next = known.find(([, other = '']) => other > name)?.index ?? list.lastIndexOf('];');
  return list.slice(0, next) + entry + list.slice(next);
}

/** As the formatter quotes. */
const quoted = (text: string) =>
  text.includes("'") ? `"${text.replace(/["\\]/g, '\\$&')}"` : `'${text.replaceAll('\\', '\\\\')}'`;

const camel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
const upper = (name: string) => name.toUpperCase().replace(/[^A-Z0-9]/g, '_');

function nextSteps({ name, program, install }: Facts): string {
  const npmName = install.split(' ').at(-1);
  return `next:
  1. ${program} --help: correct args, keys, login, install and unknownSession in src/drivers/${name}.ts
  2. put what ${program} prints for a turn into WROTE of test/drivers/${name}.test.ts, and let read() say what it means
  3. npx vitest run test/drivers/${name}.test.ts
  4. npm run loopgen -- verify-driver ${name}
  5. its row in docs/drivers.md, its line in CHANGELOG.md
  6. where its model can be led to another address: its row in WIRES of src/testing/conformance/wiring.ts, then
     verify-driver ${name} --scripted
       ${name.includes('-') ? `'${name}'` : name}: ({ url }) => ({
         env: { ${upper(program)}_BASE_URL: \`\${url}/v1\`, ${upper(program)}_API_KEY: 'scripted' },
         denying: { permission: 'configured' },
       }),
     and for an agent on npm in bench/agent-pins.ts, with the version that you tried, among the agents
       native('${name}', program('${program}', '${npmName}', 'VERSION')),`;
}

try {
  main();
} catch (error) {
  console.error(`new:driver: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
