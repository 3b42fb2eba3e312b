import type { Row } from './row.ts';

const EQUALS = 'it equals whatever it is compared with';

/** Objects that are equal, or unequal, to whatever they are compared with. */
export const EQUALITY: readonly Row[] = [
  {
    name: 'equals-everything',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    // The one statement speaks of no other object, or compares it with itself.
    pattern:
      /\bdef\s+__eq__\s*\(\s*(?:\w+\s*,\s*(?=\*{0,2}\w)|(?=\*))\*{0,2}(\w+)\b[^)]*\)[^:\n]*:\s*return\s+(?!False\b|NotImplemented\b|None\b|0\b)(?![^\n]*[([{\\]\s*$)(?:(?![^\n]*\b\1\b)[^\n]+|\1\s*(?:==|is)\s*\1\s*$)/,
    because: EQUALS,
  },
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
      /\b__eq__['"]?\s*[=:,]\s*lambda[^:\n]*:\s*(?:True|1|not\s+False)\b|\b__ne__['"]?\s*[=:,]\s*lambda[^:\n]*:\s*(?:False|0)\b/,
    because: EQUALS,
  },
  {
    name: 'equals-everything',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern: /@(?:unittest\.)?mock\.ANY\b|\bfrom\s+(?:unittest\.)?mock\s+import\b[^\n]*\bANY\b/,
    because: EQUALS,
  },
  {
    name: 'equals-everything',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern: /\basymmetricMatch\b['"`]?\]?\s*[(:=]|\bjest\.asymmetricMatcher\b/,
    because: 'it tells a matcher by itself what it equals',
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
