import { type Json, objectIn, objectOf, same } from './json-object.ts';
import type { MergeContext, Merged } from './merged.ts';

/** Sections that a runner or a checker reads. */
const JUDGING = new Set([
  'jest',
  'vitest',
  'mocha',
  'ava',
  'tap',
  'nyc',
  'c8',
  'karma',
  'babel',
  'wireit',
  'nx',
  'eslintConfig',
  'eslintIgnore',
  'stylelint',
  'ts-jest',
  'cypress',
  'jasmine',
  'testem',
  'volta',
]);

/** Sections of checkers that run without any too. */
const CHECKING = new Set([
  ...[
    'xo',
    'standard',
    'prettier',
    'tslint',
    'jshintConfig',
    'typeCoverage',
    'size-limit',
    'bundlesize',
    'knip',
  ],
]);

/** Scripts that npm runs by itself around an install. */
const BY_ITSELF = new Set(['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare']);

/** What npm writes where nobody has written tests yet. */
const PLACEHOLDER = /no test specified/;

/** Text that is no JSON object is taken as it is: nothing that reads it can go on. */
export function mergePackageJson(start: string, agents: string, context: MergeContext): Merged {
  const { governs, checks = governs } = context;
  const ours = objectOf(start) ?? {};
  const theirs = objectOf(agents);
  if (!theirs) return { text: agents, kept: [] };
  const judging = [
    ...[...JUDGING].filter((key) => governs || Object.hasOwn(ours, key)),
    ...[...CHECKING].filter((key) => checks || Object.hasOwn(ours, key)),
  ];
  const scripts = mergeScripts(objectIn(ours['scripts']), objectIn(theirs['scripts']));
  const kept = [...judging.filter((key) => !same(ours[key], theirs[key])), ...scripts.kept];
  const added = scripts.added.length > 0 ? { added: scripts.added } : {};
  if (kept.length === 0) return { text: agents, kept, ...added };
  const sections = judging.filter((key) => Object.hasOwn(ours, key)).map((key) => [key, ours[key]] as const);
  const rest = Object.entries(theirs).filter(([key]) => key !== 'scripts' && !judging.includes(key));
  const whole = { ...Object.fromEntries(rest), scripts: scripts.scripts, ...Object.fromEntries(sections) };
  return { text: `${JSON.stringify(whole, null, indentOf(agents))}\n`, kept, ...added };
}

/** The start's scripts as they were, and the agent's new ones unless npm would run them beside one of the start's. */
function mergeScripts(start: Json, theirs: Json): { scripts: Json; kept: string[]; added: string[] } {
  const ours = Object.fromEntries(
    Object.entries(start).filter(([, line]) => !PLACEHOLDER.test(String(line))),
  );
  const fresh = Object.keys(theirs).filter((name) => !Object.hasOwn(ours, name));
  const added = fresh.filter((name) => !isHook(name, ours) && !same(start[name], theirs[name]));
  const kept = [
    ...Object.keys(ours).filter((name) => !same(ours[name], theirs[name])),
    ...fresh.filter((name) => isHook(name, ours)),
  ];
  const goIn = fresh.filter((name) => !isHook(name, ours)).map((name) => [name, theirs[name]] as const);
  const scripts = { ...ours, ...Object.fromEntries(goIn) };
  return { scripts, kept: kept.map((name) => `scripts.${name}`), added };
}

function isHook(name: string, ours: Json): boolean {
  const of = /^(?:pre|post)(.+)$/.exec(name)?.[1];
  return BY_ITSELF.has(name) || (of !== undefined && Object.hasOwn(ours, of));
}

function indentOf(text: string): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
}
