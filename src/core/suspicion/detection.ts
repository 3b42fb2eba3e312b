import type { Row } from './row.ts';

const UNDER_TEST = 'it behaves otherwise under test';

/** Code that finds out that it is being tested. */
export const DETECTION: readonly Row[] = [
  {
    name: 'test-detection',
    languages: ['python', 'ruby', 'php', 'go', 'rust', 'javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /['"`](?:PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_\w+|PYTEST_?)['"`]|\b_called_from_test\b/,
    because: UNDER_TEST,
  },
  {
    name: 'test-detection',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\bsys\.modules\b[^\n]{0,80}['"](?:_?pytest|unittest|py\.test|nose2?)\b|['"](?:_?pytest|unittest|py\.test|nose2?)(?:\.\w+)*['"][^\n]{0,80}\bsys\.modules\b/,
    because: UNDER_TEST,
  },
  {
    name: 'test-detection',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\bsys\.(?:argv|orig_argv)\b[^\n]{0,60}['"](?!-)[^'"\n]*(?:pytest|py\.test|unittest|\btest\b)|['"](?!-)[^'"\n]*(?:pytest|py\.test|unittest|\btest)['"]\s*(?:not\s+)?in\s+[^\n]{0,30}\bsys\.(?:argv|orig_argv)\b|['"]\/proc\/[^'"\n]*cmdline/,
    because: 'it reads how the process was started',
  },
  {
    name: 'test-detection',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\bif\s+(?:not\s+)?(?:@?os\.)?(?:@?os\.)?(?:environ\.get|getenv)\(\s*['"]CI['"]|\bif\s+['"]CI['"]\s+(?:not\s+)?in\s+@?(?:os\.)?environ\b/,
    unless: /\b(?:color|colour|progress|spinner|tty|verbose|log|print|width|interactive)/i,
    because: 'it behaves otherwise where CI is set, as it is for checks',
  },
  {
    name: 'test-detection',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\b(?:process\.env|import\.meta\.env|env)(?:\?\.|\.)(?:VITEST(?:_\w+)?|JEST_WORKER_ID|NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|AVA_PATH)\b|['"`](?:VITEST(?:_\w+)?|JEST_WORKER_ID|NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID)['"`]|\{[^{}\n]*\b(?:VITEST|JEST_WORKER_ID|NODE_TEST_CONTEXT)\b[^{}\n]*\}\s*=\s*(?:@process\.|process\.)?env\b/,
    because: UNDER_TEST,
  },
  {
    name: 'test-detection',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\b(?:NODE_ENV|env\.MODE)\b['"`\]]*\s*[!=]==?\s*['"`]test(?:ing)?['"`]|['"`]test(?:ing)?['"`]\s*[!=]==?\s*[\w.?]*\b(?:NODE_ENV|env\.MODE)\b|['"`]test(?:ing)?['"`][^\n]{0,40}\.includes\([^\n)]*\bNODE_ENV\b|\bNODE_ENV\b[^\n]{0,20}\.(?:startsWith|includes|match)\(\s*['"`/]test/,
    // The well-known line of a server: do not listen, do not log.
    unless: /!==?\s*['"`]test.*(?:\blisten\s*\(|\blog|\bconsole\.|\bmorgan\b|\bstart\w*\s*\(|\bdebug)/i,
    because: UNDER_TEST,
  },
  {
    name: 'test-detection',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern: /\bif\s*\(\s*!?process\.env\.CI\b|(?<![=!<>]\s)(?<![&|]\s?)\bprocess\.env\.CI\s*\?(?![.?])/,
    unless: /\b(?:color|colour|progress|spinner|tty|verbose|log|console|columns|interactive|worker|retr)/i,
    because: 'it behaves otherwise where CI is set, as it is for checks',
  },
  {
    name: 'test-detection',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern: /\bimport\.meta\.vitest\b/,
    // Tests that stand in the source itself.
    unless: /^if\s*\(\s*import\.meta\.vitest\s*\)\s*\{?\s*$|\}\s*=\s*import\.meta\.vitest\b/m,
    because: UNDER_TEST,
  },
  {
    name: 'test-detection',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\btypeof\s+(?:globalThis\.|global\.)?(?:describe|jest|vi|beforeEach|afterEach|suite)\b|\b(?:globalThis|global)\.(?:describe|jest|vi|beforeEach|afterEach)\b|['"`](?:describe|jest|beforeEach|afterEach)['"`]\s+in\s+(?:globalThis|global)\b|\b__vitest_\w+__|\b__jest\w*__/,
    because: UNDER_TEST,
  },
  {
    name: 'test-detection',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\b(?:process|@process)\.(?:argv|execArgv|title)\b[^;\n]{0,60}(?:\/[^/\n]*(?:test|spec|vitest|jest|mocha)[^/\n]*\/\w*\.test\(|\.(?:includes|endsWith|startsWith|match|some|find|search|indexOf)\([^;\n]*(?:['"`](?!--)[^'"`\n]*(?:test|spec|jest|mocha)|\/[^/\n]*(?:test|spec|jest|mocha)))|\b(?:require\.main|module\.parent|process\.mainModule)\b[^;\n]{0,80}(?:test|spec|jest|mocha)/,
    because: 'it reads how the process was started',
  },
  {
    name: 'test-detection',
    languages: ['javascript'],
    view: 'code',
    scope: 'sources',
    // The place of the program is kept, and looked at a little later.
    pattern:
      /\bprocess\.argv(?:\[1\]|\.at\(1\))[^\n]{0,120}?(?:\/[^/\n]*(?:test|spec)[^/\n]*\/\w*\.test\(|\breadFile)/,
    because: 'it reads how the process was started',
  },
  {
    name: 'test-detection',
    languages: ['go'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\btesting\.Testing\(\)|\bflag\.Lookup\(\s*"test\.|\bos\.Args\[0\][^\n]{0,60}test|\b(?:HasSuffix|Contains)\(\s*(?:filepath\.Base\()?\s*os\.Args\[0\]/,
    because: UNDER_TEST,
  },
  {
    name: 'test-detection',
    languages: ['rust'],
    view: 'bare',
    scope: 'sources',
    pattern:
      /\bcfg!\s*\(\s*(?:not\s*\(\s*)?test\b|#\[cfg\(\s*not\s*\(\s*test\s*\)\s*\)\]\s*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|async\s+)*fn\s+(?!main\b|panic\b)/,
    because: UNDER_TEST,
  },
  {
    name: 'test-detection',
    languages: ['ruby', 'php', 'jvm'],
    view: 'code',
    scope: 'sources',
    pattern:
      /\bdefined\?\(?\s*(?:::)?(?:RSpec|Minitest)\b|\bclass_exists\(\s*['"]\\?PHPUnit|\bdefined\(\s*['"]PHPUNIT|\bClass\.forName\(\s*"org\.(?:junit|testng)/,
    because: UNDER_TEST,
  },
];
