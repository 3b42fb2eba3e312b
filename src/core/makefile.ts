import { isJudgeLike } from './judge-names.ts';

/** A makefile taken apart as far as it matters who may change what. */
interface Makefile {
  /** Rules by target: their whole text, one piece a rule. */
  readonly rules: ReadonlyMap<string, readonly Rule[]>;
  readonly variables: ReadonlyMap<string, readonly string[]>;
  /** Everything else: `include`, `export`, `ifdef`, special targets and variables. */
  readonly directives: readonly string[];
  readonly first: string | undefined;
}

interface Rule {
  readonly needs: readonly string[];
  readonly recipe: string;
}

const ASSIGNMENT = /^(?:(?:override|export|private)\s+)*([^\s:#=+?!]+)\s*(?:::?:?|[+?!])?=(.*)$/s;
const RULE = /^([^\t:=#][^:=]*?)\s*(?:&?::?)(?!=)([^;]*)(?:;(.*))?$/s;
/** Variables and targets that change how every recipe runs. */
const SPECIAL =
  /^(?:SHELL|MAKE|MAKEFLAGS|GNUMAKEFLAGS|MFLAGS|MAKEFILES|VPATH|CURDIR|\..*|PATH|PYTHON\w*|PYTEST\w*|NODE_\w*|GO\w*|BASH_ENV|ENV|CI|[LD]*LD_\w+)$/;

/**
 * Why an edit of a makefile changes what judges; undefined where it only adds to the work: other targets,
 * more files in a list, another way to build. What `test`, `check` and the like do is the start's.
 */
export function makefileObjection(start: string, agents: string): string | undefined {
  const before = parse(start);
  const after = parse(agents);
  if (before.directives.join('\n') !== after.directives.join('\n'))
    return 'what it includes and exports is the start’s';
  if (before.first !== after.first) return 'its first target is the start’s';
  for (const target of judgingTargets(before, after)) {
    const old = before.rules.get(target) ?? [];
    if (!sameRule(old, after.rules.get(target) ?? [])) return `its target "${target}" is the start’s`;
    const moved = usedBy(old, before).find((name) => !sameVariable(name, before, after));
    if (moved !== undefined) return `its variable ${moved}, which "${target}" uses, is the start’s`;
  }
  return undefined;
}

/** What make looks for beside the makefile itself. */
export interface MakeReads {
  /** Targets that judge or run by default and are no phony ones: where a file of that name stands, nothing runs. */
  readonly targets: readonly string[];
  /** Makefiles that it reads where they are there. */
  readonly includes: readonly string[];
}

/** Which other files a makefile of the start makes make look for. */
export function makeReads(text: string): MakeReads {
  const makefile = parse(text);
  const phony = new Set((makefile.rules.get('.PHONY') ?? []).flatMap(({ needs }) => needs));
  const includes = makefile.directives.flatMap(
    (directive) => /^(?:-|s)?include\s+(.+)/.exec(directive)?.[1]?.split(/\s+/) ?? [],
  );
  return {
    targets: judgingTargets(makefile, makefile).filter(
      (target) => !phony.has(target) && !/[%$*]/.test(target),
    ),
    includes: includes.filter((name) => !/[$*?]/.test(name)),
  };
}

/** The lines that make runs for targets (without any: the default one), those of what they need first. */
export function recipeLines(text: string, targets: readonly string[]): string[] {
  const makefile = parse(text);
  const seen = new Set<string>();
  const linesOf = (target: string): string[] => {
    if (seen.has(target)) return [];
    seen.add(target);
    const rules = makefile.rules.get(target) ?? patternRules(makefile, target);
    return rules.flatMap(({ needs, recipe }) => [
      ...needs.flatMap((need) => words(withValues(need, makefile)).flatMap(linesOf)),
      ...withValues(recipe, makefile)
        .split('\n')
        .map((line) => line.replace(/^[@+\-\s]+/, '')),
    ]);
  };
  const goals = targets.length > 0 ? targets : [makefile.first ?? ''];
  return goals.flatMap(linesOf).filter(Boolean);
}

function patternRules({ rules }: Makefile, target: string): readonly Rule[] {
  const fits = (pattern: string) => {
    const [before = '', after = ''] = pattern.split('%');
    return pattern.includes('%') && target.startsWith(before) && target.endsWith(after);
  };
  return [...rules].flatMap(([pattern, found]) => (fits(pattern) ? found : []));
}

/** Variables by their last value, and `$$` as the shell gets it; what make works out by itself stays as it is. */
function withValues(text: string, makefile: Makefile, depth = 0): string {
  return text.replace(/\$(?:\$|[({]([\w.-]+)[)}])/g, (whole, name?: string) => {
    if (name === undefined) return '$';
    const value = name === 'MAKE' ? 'make' : lastValue(name, makefile);
    return value === undefined || depth >= MOST_VALUES ? whole : withValues(value, makefile, depth + 1);
  });
}

/** Variables in variables. */
const MOST_VALUES = 8;

function lastValue(name: string, { variables, directives }: Makefile): string | undefined {
  const special = directives.flatMap((line) => {
    const [, own, value = ''] = ASSIGNMENT.exec(line) ?? [];
    return own === name ? [value.trim()] : [];
  });
  return [...(variables.get(name) ?? []), ...special].at(-1);
}

/** Targets of the start that judge, and those that run by default. */
function judgingTargets(before: Makefile, after: Makefile): string[] {
  return [...new Set([...before.rules.keys(), ...after.rules.keys()])].filter((target) => {
    if (!before.rules.has(target)) return target.includes('%') && isJudgeLike(target);
    return isJudgeLike(target) || ['all', 'ci', before.first].includes(target);
  });
}

function sameRule(before: readonly Rule[], after: readonly Rule[]): boolean {
  const recipes = (rules: readonly Rule[]) => rules.map(({ recipe }) => recipe).join('\n');
  const needs = new Set(after.flatMap((rule) => rule.needs));
  return (
    recipes(before) === recipes(after) && before.every((rule) => rule.needs.every((need) => needs.has(need)))
  );
}

/** Variables that the recipes of the rules use, and those that these are made of. */
function usedBy(rules: readonly Rule[], makefile: Makefile): string[] {
  const seen = new Set<string>();
  const look = (text: string) => {
    for (const [, long, short] of text.matchAll(/\$(?:[({]([\w.-]+)|(\w))/g)) {
      const name = long ?? short ?? '';
      if (seen.has(name)) continue;
      seen.add(name);
      for (const value of makefile.variables.get(name) ?? []) look(value);
    }
  };
  for (const { recipe } of rules) look(recipe);
  return [...seen];
}

/** A list of files may grow. */
function sameVariable(name: string, before: Makefile, after: Makefile): boolean {
  const old = (before.variables.get(name) ?? []).join('\n');
  const now = (after.variables.get(name) ?? []).join('\n');
  if (old === now) return true;
  const words = now.split(/\s+/);
  const isList = /\S/.test(old) && words.every((word) => /^(?:[\w./-]+\.\w+)?$/.test(word));
  return isList && old.split(/\s+/).every((word) => words.includes(word));
}

function parse(text: string): Makefile {
  const rules = new Map<string, Rule[]>();
  const variables = new Map<string, string[]>();
  const directives: string[] = [];
  for (const block of blocksOf(text)) {
    const [head = '', ...recipe] = block;
    const variable = readVariable(head);
    const rule = variable ? undefined : readRule(head, recipe);
    if (variable) push(variables, variable.name, variable.value);
    for (const target of rule?.targets ?? []) if (rule) push(rules, target, rule);
    if ((!variable && !rule) || /\$[({](?:eval|shell)\b/.test(head)) directives.push(block.join('\n'));
  }
  // The default goal is the first target that is no special one.
  const first = [...rules.keys()].find((target) => !target.startsWith('.') && !target.includes('%'));
  return { rules, variables, directives, first };
}

function readVariable(head: string): { readonly name: string; readonly value: string } | undefined {
  const [, name = '', value = ''] = ASSIGNMENT.exec(head) ?? [];
  if (name === '' || SPECIAL.test(name) || /^(?:export|override)\b/.test(head)) return undefined;
  return { name, value: value.trim() };
}

function readRule(
  head: string,
  recipe: readonly string[],
): (Rule & { readonly targets: readonly string[] }) | undefined {
  const [rule, targets = '', needs = '', inline = ''] = RULE.exec(head) ?? [];
  if (rule === undefined || isSpecial(targets.trim(), needs)) return undefined;
  return { targets: words(targets), needs: words(needs), recipe: [inline, ...recipe].join('\n').trim() };
}

/** `.PHONY` says nothing about how a recipe runs; target-specific variables and other special targets do. */
function isSpecial(target: string, needs: string): boolean {
  return (target.startsWith('.') && target !== '.PHONY' && !target.includes('/')) || needs.includes('=');
}

/** Logical lines outside of recipes, each with the recipe lines under it; comments and empty lines are left out. */
function blocksOf(text: string): string[][] {
  const blocks: string[][] = [];
  const lines = text
    .replace(/\r\n/g, '\n')
    .replace(/\\\n[ \t]*/g, ' ')
    .split('\n');
  for (const line of lines) {
    if (line.startsWith('\t')) blocks.at(-1)?.push(line.trim());
    else if (line.replace(/#.*/, '').trim() !== '') blocks.push([line.replace(/\s#.*|^#.*/, '').trim()]);
  }
  return blocks;
}

function words(text: string): string[] {
  return text.split(/[\s|]+/).filter(Boolean);
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
