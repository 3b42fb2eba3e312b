import type { Row } from './row.ts';

const EQUALS = 'it equals whatever it is compared with';

/** Objects that are equal, or unequal, to whatever they are compared with. */
export const EQUALITY: readonly Row[] = [
  {
    name: 'equals-everything',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern: /\bdef\s+__ne__\s*\([^)]*\)[^:\n]*:\s*return\s+(?:False|0|not\s+True)\b/,
    because: 'it differs from nothing',
  },
  {
    name: 'equals-everything',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\b__eq__['"]?\s*[=:,]\s*@?(?:[\w.@]+\.)?(?:__ne__|ne|truth)\b(?!\s*=)|\b__ne__['"]?\s*[=:,]\s*(?:lambda[^:\n]*:\s*(?:False|0)\b|@?(?:[\w.@]+\.)?(?:__eq__|eq)\b)/,
    because: EQUALS,
  },
  {
    name: 'equals-everything',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern:
      /@(?:unittest\.)?mock\.ANY\b|@pytest\.approx\s*\(|\bfrom\s+(?:unittest\.)?mock\s+import\b[^\n]*\bANY\b/,
    because: EQUALS,
  },
  {
    name: 'equals-everything',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\basymmetricMatch\b['"`]?\]?\s*[(:=,}]|\bjest\.asymmetricMatcher\b|['"`](?:asymm?e?\w*|jest\.asym\w*)['"`]\s*\+/,
    because: 'it tells a matcher by itself what it equals',
  },
  {
    name: 'equals-everything',
    languages: ['javascript'],
    view: 'bare',
    scope: 'sources',
    pattern:
      /(?:\[\s*Symbol\.toPrimitive\s*\]|\bvalueOf\b)\s*(?:[:=]\s*)?(?:function\s*)?\([^)]*\)\s*(?:=>\s*)?\{?\s*(?:return\s+)?[\w.$\s]*(?:\+\+|--|\.(?:shift|pop|next)\s*\()|(?:\[\s*Symbol\.toPrimitive\s*\]|\bvalueOf\b)\s*(?:[:=]\s*)?(?:function\s*)?\([^)]*\)\s*(?:=>\s*)?\{?\s*(?:return\s+)?(?:\+\+|--)/,
    because: 'it is another value each time it is compared',
  },
  {
    name: 'equals-everything',
    languages: ['javascript', 'jvm', 'dotnet'],
    view: 'bare',
    scope: 'sources',
    pattern: /\b[eE]quals\s*(?:[:=]\s*(?:function\s*)?)?\([^)]*\)[^{};\n]{0,40}\{\s*return\s+true\s*;?\s*\}/,
    because: EQUALS,
  },
  {
    name: 'equals-everything',
    languages: ['javascript'],
    view: 'bare',
    scope: 'sources',
    pattern: /\bequals\s*[:=]\s*\([^)]*\)\s*=>\s*true\b/,
    because: EQUALS,
  },
  {
    name: 'equals-everything',
    languages: ['rust'],
    view: 'bare',
    scope: 'sources',
    pattern: /\bfn\s+eq\s*\(\s*&self\b[^)]*\)\s*->\s*bool\s*\{\s*true\s*\}/,
    because: EQUALS,
  },
  {
    name: 'equals-everything',
    languages: ['ruby'],
    view: 'bare',
    scope: 'sources',
    pattern: /\bdef\s+(?:==|eql\?|equal\?)\s*\(?[^)\n;]*\)?\s*[\n;]\s*true\s*[\n;]\s*end\b/,
    because: EQUALS,
  },
  {
    name: 'equals-everything',
    languages: ['c', 'dotnet'],
    view: 'bare',
    scope: 'sources',
    pattern: /\boperator\s*==\s*\([^)]*\)[^{;]{0,40}\{\s*return\s+true\s*;\s*\}/,
    because: EQUALS,
  },
];
