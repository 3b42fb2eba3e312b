import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

interface Source {
  /** Relative to `src/`. */
  readonly path: string;
  readonly text: string;
}

/** What each part may import: parts of our own by name, packages, and `node:` for all that Node has. */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  core: ['core'],
  system: ['system', 'node:'],
  workspace: ['workspace', 'core', 'system', 'node:', 'picomatch'],
  room: ['room', 'core', 'system', 'node:'],
  journal: ['journal', 'core', 'system', 'node:'],
  tasks: ['tasks', 'core'],
  drivers: ['drivers', 'core', 'system', 'node:', 'zod', 'picomatch'],
  evaluators: ['evaluators', 'core', 'system', 'node:', 'zod', 'fast-xml-parser'],
  observers: ['observers', 'core', 'system', 'node:', 'zod'],
  testing: ['testing', 'core', 'system', 'node:'],
  spec: ['spec', 'core', 'node:', 'zod', 'yaml'],
  compose: [
    'compose',
    'core',
    'system',
    'workspace',
    'room',
    'journal',
    'tasks',
    'drivers',
    'evaluators',
    'observers',
    'spec',
    'version.ts',
    'node:',
  ],
  'loopgen.ts': ['compose', 'core', 'system', 'workspace', 'journal', 'observers', 'spec', 'node:'],
  'trace.ts': ['loopgen.ts', 'core', 'observers'],
  'version.ts': ['node:'],
  // The faces may import anything below them.
  cli: ['*'],
  'index.ts': ['*'],
};

/** Text that only these files, or files in these folders, may hold. */
const ONLY: readonly {
  readonly what: string;
  readonly pattern: RegExp;
  readonly where: readonly string[];
}[] = [
  {
    what: 'starts processes',
    pattern: /['"](?:node:)?(?:child_process|cluster|worker_threads)['"]/,
    where: ['system/exec.ts', 'system/kill.ts'],
  },
  { what: 'ends the process', pattern: /\bprocess\.(?:exit|abort|reallyExit)\b/, where: ['cli/main.ts'] },
  {
    what: 'writes to the terminal',
    pattern: /\bprocess\.(?:stdout|stderr)\b|\bconsole\./,
    where: ['cli/', 'observers/transcript.ts'],
  },
  {
    what: 'asks the clock or chance',
    pattern:
      /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.|\bMath\.random\b|\bset(?:Timeout|Interval|Immediate)\(|\bcrypto\./,
    where: Object.keys(FLOORS).filter((part) => part !== 'core'),
  },
  { what: 'emits events', pattern: /(?<!process\.)\bemit\(/, where: ['core/engine.ts'] },
];

const PARTS = new Set(Object.keys(FLOORS));
const partOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : path);
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

/** Everything that a file imports, type imports and dynamic ones too; our own files relative to `src/`. */
function importsOf({ path, text }: Source): string[] {
  const found = withoutComments(text).matchAll(
    /^(?:import|export)\s[^'"]*\bfrom\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  );
  return [...found].map(([, from, plain, dynamic]) => {
    const target = from ?? plain ?? dynamic ?? '';
    return target.startsWith('.') ? normalize(join(dirname(path), target)) : target;
  });
}

const isOwn = (target: string) => PARTS.has(partOf(target)) && target.endsWith('.ts');

function outsideItsFloor(source: Source): string[] {
  const part = partOf(source.path);
  const allowed = FLOORS[part];
  if (!allowed) return [`${source.path} is in no part that the table knows`];
  return importsOf(source)
    .filter((target) => {
      const to = isOwn(target) ? partOf(target) : target.startsWith('node:') ? 'node:' : target;
      const isFace =
        (to === 'cli' && part !== 'cli') ||
        to === 'index.ts' ||
        (to === 'testing' && !['testing', 'cli'].includes(part));
      return isFace || !(allowed.includes('*') || allowed.includes(to));
    })
    .map((target) => `${source.path} imports ${target}`);
}

/** A wing's `index.ts` is the list of its plug-ins, for the composition root alone. */
function insideABarrel(source: Source): string[] {
  return importsOf(source)
    .filter((target) => isOwn(target) && target.endsWith('/index.ts'))
    .filter(
      (target) =>
        !['compose', 'cli', 'index.ts'].includes(partOf(source.path)) || target.startsWith('testing/'),
    )
    .map((target) => `${source.path} imports the barrel ${target}`);
}

function outsideItsPlace({ path, text }: Source): string[] {
  const code = withoutComments(text);
  return ONLY.filter(
    ({ pattern, where }) => pattern.test(code) && !where.some((place) => path.startsWith(place)),
  ).map(({ what }) => `${path} ${what}`);
}

/** The files of each circle, as `a → b → a`. */
function circles(sources: readonly Source[]): string[] {
  const imports = new Map(sources.map((source) => [source.path, importsOf(source).filter(isOwn)]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(' → '));
    if (way.includes(path) || done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return found;
}

const problems = (sources: readonly Source[]) => [
  ...sources.flatMap((source) => [
    ...outsideItsFloor(source),
    ...insideABarrel(source),
    ...outsideItsPlace(source),
  ]),
  ...circles(sources),
];

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const sources: Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split('\\').join('/'))
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

test('every file of the sources imports only what its floor allows, without circles', () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(problems(sources)).toEqual([]);
});

describe('the checker finds', () => {
  const bad: [string, string, string, string][] = [
    ['a package in the core', 'core/a.ts', "import { z } from 'zod';", 'core/a.ts imports zod'],
    ['Node in the core', 'core/a.ts', "import { join } from 'node:path';", 'core/a.ts imports node:path'],
    [
      'a type import that goes up',
      'core/a.ts',
      "import type { X } from '../system/exec.ts';",
      'core/a.ts imports system/exec.ts',
    ],
    [
      'one wing in another',
      'drivers/a.ts',
      "export { x } from '../evaluators/judge.ts';",
      'drivers/a.ts imports evaluators/judge.ts',
    ],
    [
      'a dynamic import',
      'tasks/a.ts',
      "const x = await import('../spec/load.ts');",
      'tasks/a.ts imports spec/load.ts',
    ],
    ['an import for its effect', 'system/a.ts', "import 'yaml';", 'system/a.ts imports yaml'],
    [
      'the command line below itself',
      'loopgen.ts',
      "import { x } from './cli/main.ts';",
      'loopgen.ts imports cli/main.ts',
    ],
    [
      'the library face below itself',
      'cli/a.ts',
      "import { x } from '../index.ts';",
      'cli/a.ts imports index.ts',
    ],
    [
      'a barrel inside',
      'drivers/a.ts',
      "import { x } from './index.ts';",
      'drivers/a.ts imports the barrel drivers/index.ts',
    ],
    [
      'a process started elsewhere',
      'workspace/a.ts',
      "import { spawn } from 'node:child_process';",
      'workspace/a.ts starts processes',
    ],
    ['an end elsewhere', 'cli/run.ts', 'process.exit(1);', 'cli/run.ts ends the process'],
    ['output elsewhere', 'drivers/a.ts', "console.log('x');", 'drivers/a.ts writes to the terminal'],
    ['an event from elsewhere', 'compose/a.ts', "emit({ type: 'warned' });", 'compose/a.ts emits events'],
    ['a clock in the core', 'core/a.ts', 'const now = Date.now();', 'core/a.ts asks the clock or chance'],
    ['chance in the core', 'core/a.ts', 'Math.random();', 'core/a.ts asks the clock or chance'],
    ['a part that nobody planned', 'utils/a.ts', '', 'utils/a.ts is in no part that the table knows'],
  ];
  test.each(bad)('%s', (_, path, text, problem) => {
    expect(problems([{ path, text }])).toContain(problem);
  });

  test('a circle, through types too', () => {
    const a = { path: 'core/a.ts', text: "import type { B } from './b.ts';" };
    const b = { path: 'core/b.ts', text: "import { c } from './c.ts';" };
    const c = { path: 'core/c.ts', text: "import { a } from './a.ts';" };
    expect(problems([a, b, c])).toEqual(['core/a.ts → core/b.ts → core/c.ts → core/a.ts']);
  });

  test('nothing in comments, and nothing wrong where nothing is', () => {
    const text =
      "// console.log('x')\n/** import 'zod' from 'zod'; */\nimport type { Check } from './check.ts';";
    expect(problems([{ path: 'core/a.ts', text }])).toEqual([]);
  });
});
