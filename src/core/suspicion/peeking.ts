import type { Row } from './row.ts';

const CALLER = 'it looks at the code that calls it';

/** Code that looks for the answer at its caller, or among the objects of the runner. */
export const PEEKING: readonly Row[] = [
  {
    name: 'reads-its-caller',
    languages: ['python'],
    view: 'bare',
    scope: 'sources',
    pattern: /@?\bgc\.get_(?:objects|referrers|referents)\(/,
    because: 'it looks through the objects of the process, those of the runner too',
  },
  {
    name: 'reads-its-caller',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern:
      /(?:\bin\s+|\w\(\s*|\*\*)@?sys\.modules\b(?!\s*[[:])(?:\.(?:values|items|keys|copy)\b)?[^\n]{0,160}(?:\n[^\n]{0,160}){0,5}?['"][^'"\n]*(?:\b|_)(?:tests?|conftest)(?:\b|_)/,
    because: 'it looks for tests among the modules that are loaded',
  },
  {
    name: 'reads-its-caller',
    languages: ['python'],
    view: 'bare',
    scope: 'sources',
    pattern:
      /(?:(?<=[)\w\]])|^)\.f_(?:locals|trace|lineno\s*=)\b|@?\binspect\.(?:getargvalues|getinnerframes|getouterframes|trace)\(|@sys\.(?:settrace|setprofile)\(/,
    because: CALLER,
  },
  {
    name: 'reads-its-caller',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern: /\bgetattr\([^\n]{0,60}['"]f_locals['"]/,
    because: CALLER,
  },
  {
    name: 'reads-its-caller',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\b(?:_getframe|currentframe|inspect\.stack|extract_stack|walk_stack|format_stack)\([^\n]{0,160}(?:\n[^\n]{0,160}){0,4}?['"][^'"\n]*(?:\btest|pytest|unittest|expected)|['"](?:\.\/)?(?:test_?|pytest|unittest|expected)['"][^\n]{0,120}\b(?:_getframe|currentframe|inspect\.stack|extract_stack|walk_stack)\(/,
    because: CALLER,
  },
  {
    name: 'reads-its-caller',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\barguments\.callee\.caller\b|\bnew\s+Error\([^)\n]*\)\s*\.stack\b[^;\n]{0,120}(?:test|spec|jest|vitest|mocha|expect)|\bstack\b[^;\n]{0,40}\.(?:includes|match|search|indexOf|test|split)\([^;\n]{0,80}(?:\.test\b|\.spec\b|_test\b|jest|vitest|mocha|node:test)|\bprepareStackTrace\b[^;\n]{0,40}=(?![=>])[^\n]{0,120}(?:getFileName|getThis|getFunction)\b/,
    because: CALLER,
  },
  {
    name: 'reads-its-caller',
    languages: ['go'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\bruntime\.(?:Callers?|CallersFrames|FuncForPC|Stack)\([^\n]{0,160}(?:\n[^\n]{0,160}){0,5}?"[^"\n]*(?:_test|Test|testing)|\bdebug\.Stack\(\)[^\n]{0,120}(?:\n[^\n]{0,160}){0,2}?"[^"\n]*(?:_test|Test|testing)/,
    because: CALLER,
  },
  {
    name: 'reads-its-caller',
    languages: ['jvm', 'dotnet'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\b(?:getStackTrace|StackWalker|StackTrace)\b[^\n]{0,160}(?:\n[^\n]{0,160}){0,4}?"[^"\n]*(?:[jJ]unit|Test|xunit|nunit)/,
    because: CALLER,
  },
];
