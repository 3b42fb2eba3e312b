import type { Row } from './row.ts';

/** Modules of Python that tests compare, measure and run by, and that nobody has a reason to change. */
const PYTHON_TOOLS =
  'builtins|math|cmath|operator|timeit|json|re|random|statistics|fractions|difflib|filecmp|hashlib|hmac|inspect|ast|traceback|unittest|doctest|pytest|_pytest|pluggy|numpy|pandas|os|io|subprocess|copy|functools|itertools|collections|struct|atexit|hypothesis|approvals|approvaltests';
/** Attributes that programs do set. */
const PYTHON_SETTINGS = '(?!os\\.environ\\b|builtins\\._\\b|pandas\\.options\\b)';
const PYTHON_CLOCKS = 'time|datetime|timeit';

/** An attribute of a module on the left side of an assignment, alone or among others; for the view of statements. */
const assigned = (module: string) =>
  new RegExp(
    `(?:^|[;,=]|^[ \\t]*(?:if|elif|else|try|for|while|with)\\b[^\\n]*:)[ \\t]*@${module}(?:\\.\\w+)*[ \\t]*(?:,[ \\t]*[\\w.@]+[ \\t]*)*=(?!=)`,
  );

/** A name that stands for the program that imports the module, and is used to set names of it a little later. */
const MAIN_KEPT = String.raw`\b(\w+)\s*=[^\n]*(?:@__main__\b|\bmodules(?:\.get\(|\[)\s*['"]__main__['"])[^\n]*(?:\n[^\n]*){0,8}?\n[ \t]*(?:\1\.\w+\s*=(?!=)|setattr\(\s*\1\b|vars\(\s*\1\s*\)\s*(?:\[[^\]\n]*\]\s*=(?!=)|\.update\())`;
const MAIN_IS = String.raw`(?:@__main__|(?:@?sys\.)?modules(?:\.get\(\s*['"]__main__['"]\s*\)|\[\s*['"]__main__['"]\s*\]))`;

/** It sets names of the program that imports it, which may be what checks it. */
const MAIN_NAMES = new RegExp(
  String.raw`(?:^|[;:=])[ \t]*${MAIN_IS}\.\w+\s*=(?!=)|\b(?:set|del)attr\(\s*${MAIN_IS}|(?:\bvars\(\s*${MAIN_IS}\s*\)|${MAIN_IS}\.__dict__|\.f_globals)\s*(?:\[[^\]\n]*\]\s*=(?!=)|\.update\()|${MAIN_KEPT}`,
  'm',
);

/** Whether a module of Python does so; `code` has the names of modules written out. */
export function setsNamesOfMain(code: string): boolean {
  return MAIN_NAMES.test(code);
}

/** Code that changes, in memory, the runner, a library, or the clock. */
export const PATCHES: readonly Row[] = [
  {
    name: 'patched-clock',
    languages: ['python'],
    view: 'statements',
    scope: 'sources',
    pattern: assigned(`(?:${PYTHON_CLOCKS})\\.\\w+`),
    because: 'it replaces the clock',
  },
  {
    name: 'patched-clock',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern: new RegExp(`\\bsetattr\\(\\s*@(?:${PYTHON_CLOCKS})\\b`),
    because: 'it replaces the clock',
  },
  {
    name: 'patched-clock',
    languages: ['javascript'],
    view: 'bare',
    scope: 'sources',
    pattern:
      /(?:\bDate\.(?:now|prototype\.\w+)|\b(?:@perf_hooks\.)?performance\.(?:now|timeOrigin|mark|measure)|\bprocess\.hrtime(?:\.bigint)?|\b(?:globalThis|global|window|self)\.(?:Date|performance|setTimeout|setInterval))\s*=(?![=>])/,
    because: 'it replaces the clock',
  },
  {
    name: 'patched-clock',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\b(?:Object\.(?:assign|definePropert(?:y|ies))|Reflect\.(?:set|defineProperty))\(\s*(?:@perf_hooks\.)?(?:Date|performance|process\.hrtime)\b/,
    because: 'it replaces the clock',
  },
  {
    name: 'patched-library',
    languages: ['python'],
    view: 'statements',
    scope: 'sources',
    pattern: assigned(
      `${PYTHON_SETTINGS}(?:(?:${PYTHON_TOOLS})\\.\\w+|sys\\.(?:exit|_getframe|settrace|setprofile|exc_info)\\b)`,
    ),
    because: 'it replaces a part of the runner or of a library',
  },
  {
    name: 'patched-library',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern: new RegExp(
      `\\b(?:set|del)attr\\(\\s*@(?:${PYTHON_TOOLS}|sys(?=\\s*,\\s*['"](?:exit|_getframe)))\\b|(?:\\bvars\\(\\s*@(?:${PYTHON_TOOLS}|${PYTHON_CLOCKS})\\b[\\w.]*\\s*\\)|@(?:${PYTHON_TOOLS}|${PYTHON_CLOCKS})(?:\\.\\w+)*\\.__dict__)\\s*(?:\\[(?!\\s*['"]_['"])[^\\]\\n]*\\]\\s*=(?!=)|\\.update\\()|\\b__builtins__\\s*(?:\\.\\w+|\\[[^\\]\\n]*\\])\\s*=(?!=)|\\bmodules\\[\\s*['"](?:${PYTHON_TOOLS}|${PYTHON_CLOCKS})(?<!os)(?:\\.\\w+)*['"]\\s*\\]\\s*=(?!=)`,
    ),
    because: 'it replaces a part of the runner or of a library',
  },
  {
    name: 'patched-library',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern: /@(?:forbiddenfruit\b|(?:unittest\.)?mock\.patch\b|_pytest\.monkeypatch|pytest\.MonkeyPatch)/,
    because: 'it replaces parts of other modules while they run',
  },
  {
    name: 'patched-main',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern: MAIN_NAMES,
    because: 'it replaces names of the program that runs it',
  },
  {
    name: 'patched-library',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\.__code__\s*=(?!=)|\bsetattr\([^\n]*['"]__code__['"]|\.__globals__\s*(?:\[[^\]\n]*\]\s*=(?!=)|\.update\()/,
    because: 'it replaces the code of functions while they are used',
  },
  {
    name: 'patched-runner',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /@(?:assert|vitest|jest|chai|expect|test|mocha)(?:\.[\w$]+)*(?:\.[\w$]+|\[[^\]\n]+\])\s*=(?![=>])|\b(?:Object\.(?:assign|definePropert(?:y|ies))|Reflect\.(?:set|defineProperty))\(\s*@(?:assert|vitest|jest|chai|expect|test|mocha)\b/,
    because: 'it replaces a part of the runner or of its assertions',
  },
  {
    name: 'patched-runner',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /@(?:vitest|jest|expect|chai)(?:\.expect)?\.(?:extend|addEqualityTesters?|setState|use)\s*\(|(?<![\w.@$])(?:globalThis\.)?expect\.(?:extend|addEqualityTesters?|setState)\s*\(|\b(?:Test|Runner|Runnable|Assertion)\.prototype(?:\.\w+|\[[^\]\n]+\])\s*=(?![=>])|\bAssertion\.overwrite(?:Method|Property)\b/,
    because: 'it changes the matchers of the runner',
  },
  {
    name: 'patched-runner',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\bSymbol\.for\(\s*['"`]\$?\$?(?:jest|vitest|expect|chai)\b(?!\.asymmetricMatcher)|\bcustomEqualityTesters\b/,
    because: 'it changes the matchers of the runner',
  },
  {
    name: 'patched-runner',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /@(?:vitest\.vi|jest\.jest|vitest|jest)\.(?:mock|doMock|spyOn|stubGlobal|useFakeTimers|setSystemTime|setConfig)\s*\(|(?<![\w.@$])(?:globalThis\.)?(?:vi|jest)\.(?:mock|doMock|spyOn|stubGlobal|useFakeTimers|setSystemTime|setConfig)\s*\(/,
    because: 'it replaces parts of other modules while tests run',
  },
  {
    name: 'patched-library',
    languages: ['javascript'],
    view: 'bare',
    scope: 'sources',
    pattern:
      /(?<![\w.$])(?:globalThis\.)?(?:Object\.(?:is|keys|entries|values|getOwnPropertyNames|prototype\.(?:hasOwnProperty|toString|valueOf|isPrototypeOf))|Math\.(?:abs|min|max|round|floor|ceil|random|sqrt|pow)|JSON\.(?:parse|stringify)|Number\.(?:isNaN|isInteger|isFinite|prototype\.\w+)|Array\.(?:isArray|from)|process\.(?:exit|reallyExit|emit))\s*=(?![=>])/,
    because: 'it replaces a part of the language',
  },
  {
    name: 'forced-exit',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\bprocess\.(?:on|once|addListener|prependListener)\(\s*['"`](?:exit|beforeExit)['"`][^\n]{0,80}(?:\n[^\n]{0,120}){0,2}?(?:\bexitCode\s*=\s*0\b|\bprocess\.(?:exit|reallyExit)\(\s*0?\s*\))|\bprocess\.reallyExit\b/,
    because: 'it decides the exit code of the process',
  },
  {
    name: 'forced-exit',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern: /@?\batexit\.register\(\s*(?:@?os\._exit|lambda[^\n]*_exit\(\s*0?\s*\))/,
    because: 'it decides the exit code of the process',
  },
  {
    name: 'linked-name',
    languages: ['go'],
    view: 'comments',
    scope: 'sources',
    pattern: /^\/\/go:linkname\s+\w+\s+(?:testing|time|runtime|os|reflect)\./,
    because: 'it reaches into the runner or the clock',
  },
  {
    name: 'forged-report',
    languages: ['python', 'javascript', 'go'],
    view: 'code',
    scope: 'sources',
    pattern:
      /['"`](?:[^'"`\n]*\b(?:PASSED|passed)\s+[\w./-]+::|[^'"`\n]*<test(?:suites?|case)\b|\s*--- PASS: |[^'"`\n]*\b\d+ passed\b|ok \d+ - )/,
    because: 'it writes what a runner reports',
  },
  {
    name: 'hidden-code',
    languages: ['python', 'javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\b(?:exec|eval|Function)\s*\([^\n]{0,80}(?:b64decode|b85decode|fromhex|unhexlify|decompress|rot_?13|\batob\(|base64)/,
    because: 'it runs code that cannot be read',
  },
];
