import type { Language } from '../families/row.ts';

/**
 * Makes the function that writes names of imported modules out, so that one pattern meets every spelling: `t.sleep`
 * after `import time as t`, and `__import__("time").sleep`, become `@time.sleep`. Lines stay where they are.
 */
export function importedNames(language: Language, code: string): (text: string) => string {
  if (language === 'python') return writer(pythonNames(code), PYTHON_CALLS);
  if (language === 'javascript') return writer(javascriptNames(code), JS_CALLS);
  return (text) => text;
}

type Names = ReadonlyMap<string, string>;
type Calls = readonly (readonly [call: RegExp, canonical: (module: string) => string])[];

const PYTHON_CALLS: Calls = [
  [/\b(?:__import__|(?:importlib\s*\.\s*)?import_module)\(\s*['"]([\w.]+)['"]\s*\)/g, (name) => `@${name}`],
  [/(?<!@)\b(?:@?sys\s*\.\s*)?modules\[\s*['"]([\w.]+)['"]\s*\](?=\s*\.)/g, (name) => `@${name}`],
];
const JS_CALLS: Calls = [
  [/\(?(?:\bawait\s+)?\b(?:import|require)\(\s*['"`]([^'"`\n]+)['"`]\s*\)\)?(?=\s*[.[,)])/g, jsModule],
];

function writer(names: Names, calls: Calls): (text: string) => string {
  const local = [...names.keys()];
  const pattern =
    local.length === 0
      ? undefined
      : // No name of an argument, a key or a variable that is set, and no whole text in quotes.
        new RegExp(
          `(?<![\\w.@$'"\`])(?:${local.map(escaped).join('|')})(?![\\w$'"\`])(?!\\s*[:=](?!=))`,
          'g',
        );
  return (text) => {
    let out = text;
    for (const [call, canonical] of calls)
      out = out.replace(call, (whole, module: string) => padded(whole, canonical(module)));
    return pattern ? out.replace(pattern, (name) => names.get(name) ?? name) : out;
  };
}

/** A call that spans lines keeps them. */
function padded(whole: string, name: string): string {
  return name + '\n'.repeat(whole.split('\n').length - 1);
}

function pythonNames(code: string): Names {
  const names = new Map<string, string>();
  for (const [, list = ''] of code.matchAll(/^[ \t]*import[ \t]+([^\n;]+)/gm))
    for (const [module, alias] of asPairs(list)) {
      const top = module.split('.')[0] ?? module;
      if (alias === undefined) names.set(top, `@${top}`);
      else names.set(alias, `@${module}`);
    }
  const from = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]*(?:\(([^)]*)\)|([^\n;]+))/gm;
  for (const [, module = '', inBrackets, onLine] of code.matchAll(from))
    for (const [name, alias] of asPairs(inBrackets ?? onLine ?? ''))
      names.set(alias ?? name, `@${module}.${name}`);
  return names;
}

/** `a, b as c` → a, and b with c. */
function asPairs(list: string): (readonly [name: string, alias: string | undefined])[] {
  return list.split(',').flatMap((part) => {
    const [name = '', as, alias] = part.trim().split(/\s+/);
    return /^[\w.]+$/.test(name) ? [[name, as === 'as' ? alias : undefined] as const] : [];
  });
}

const JS_FROM = /\bimport\s+(?:type\s+)?([^'"`;]{1,2000}?)\s*\bfrom\s*['"]([^'"\n]+)['"]/g;
const JS_REQUIRED =
  /\b(?:const|let|var)\s+(\{[^}]{0,2000}\}|[\w$]+)\s*=\s*(?:await\s+)?(?:require|import)\(\s*['"`]([^'"`\n]+)['"`]\s*\)(?!\s*[.[])/g;

function javascriptNames(code: string): Names {
  const names = new Map<string, string>();
  for (const pattern of [JS_FROM, JS_REQUIRED])
    for (const [, clause = '', module = ''] of code.matchAll(pattern))
      addClause(names, clause, jsModule(module));
  return names;
}

function addClause(names: Map<string, string>, clause: string, module: string): void {
  const whole = clause.replace(/\{[^}]*\}/, '').match(/[\w$]+/g) ?? [];
  for (const name of whole) if (name !== 'as') names.set(name, module);
  for (const part of /\{([^}]*)\}/.exec(clause)?.[1]?.split(',') ?? []) {
    const [name = '', alias = name] = part
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+as\s+|\s*:\s*/);
    if (/^[\w$]+$/.test(alias)) names.set(alias, name === 'default' ? module : `${module}.${name}`);
  }
}

/** One word for each spelling of a module. */
function jsModule(name: string): string {
  const bare = name.replace(/^node:/, '');
  if (bare === 'assert' || bare === 'assert/strict') return '@assert';
  if (bare === '@jest/globals') return '@jest';
  return `@${bare.replaceAll(/[^\w]+/g, '_')}`;
}

function escaped(text: string): string {
  return text.replaceAll('$', '\\$');
}
