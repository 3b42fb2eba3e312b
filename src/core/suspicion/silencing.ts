import type { Row } from './row.ts';

const TYPES = 'it silences the type checker';
const STYLE = 'it silences the linter';
const COVERAGE = 'it takes code out of the coverage';
const SKIPS = 'it takes a test out of the run';

/** Comments, casts and marks by which a tool looks away. A suite whose tests are known by their ids is not blinded. */
export const SILENCING: readonly Row[] = [
  row(
    'silenced-types',
    'python',
    /#\s*(?:type:\s*ignore|pyright:\s*(?:ignore|basic|off|report\w+\s*=\s*(?:false|none))|mypy:\s*(?:ignore-errors|disable|no-|allow-)|ty:\s*ignore|pyre-(?:ignore|fixme)|pytype:\s*(?:disable|skip-file))/,
    TYPES,
  ),
  {
    name: 'silenced-types',
    languages: ['python'],
    view: 'bare',
    scope: 'sources',
    pattern: /\bno_type_check\b|\bcast\s*\(\s*@?(?:typing\.)?Any\b/,
    because: TYPES,
    harmlessByIds: true,
  },
  {
    name: 'silenced-types',
    languages: ['javascript'],
    view: 'code',
    scope: 'anywhere',
    pattern: /\bdeclare\s+module\s+(['"])[^'"\n]+\1\s*(?:;|$)/,
    because: TYPES,
    harmlessByIds: true,
  },
  row(
    'silenced-types',
    'javascript',
    /(?:\/\/|\/\*|^|\*|\/)\s*@ts-(?:ignore|nocheck|expect-error)\b/i,
    TYPES,
  ),
  {
    name: 'silenced-types',
    languages: ['javascript'],
    view: 'bare',
    scope: 'sources',
    pattern: /\bas\s+(?:any|never|unknown\s+as)\b|(?<![\w$)\]])<(?:any|never|unknown)>/,
    because: TYPES,
    harmlessByIds: true,
  },
  row(
    'silenced-style',
    'python',
    /#\s*(?:(?:ruff|flake8):\s*)?noqa\b|#\s*(?:pylint:\s*(?:disable|skip-file)|nosec\b|fmt:\s*(?:off|skip)|isort:\s*skip|bandit:\s*skip)/,
    STYLE,
  ),
  row(
    'silenced-style',
    'javascript',
    /(?:\/\/|\/\*|^|\*)\s*(?:eslint(?:-disable|\s+[@\w/-]+\s*:)|tslint:disable|oxlint-disable|biome-ignore|deno-lint-ignore|stylelint-disable|prettier-ignore|jshint\s+ignore|standard-disable)/,
    STYLE,
  ),
  row(
    'silenced-style',
    'go',
    /^\/\/\s*nolint\b|\/\/\s*nolint\b|\/\/\s*(?:lint:(?:ignore|file-ignore)|#nosec)\b/,
    STYLE,
  ),
  {
    name: 'silenced-style',
    languages: ['rust'],
    view: 'bare',
    scope: 'anywhere',
    pattern: /#!?\[\s*allow\s*\(/,
    because: STYLE,
    harmlessByIds: true,
  },
  {
    name: 'silenced-style',
    languages: ['jvm'],
    view: 'bare',
    scope: 'anywhere',
    pattern: /@(?:SuppressWarnings|SuppressFBWarnings|Suppress|SuppressLint)\b/,
    because: STYLE,
    harmlessByIds: true,
  },
  row('silenced-style', 'jvm', /\/\/\s*(?:NOSONAR|NOPMD)\b|CHECKSTYLE[:.]\s*OFF/, STYLE),
  row('silenced-style', 'ruby', /#\s*rubocop:\s*(?:disable|todo)\b/, STYLE),
  row(
    'silenced-style',
    'php',
    /@(?:phpstan-ignore|psalm-suppress|phan-suppress)|phpcs:(?:ignore|disable)/,
    STYLE,
  ),
  row('silenced-style', 'c', /\/[/*]\s*(?:NOLINT|cppcheck-suppress|coverity\[)/, STYLE),
  {
    name: 'silenced-style',
    languages: ['dotnet'],
    view: 'bare',
    scope: 'anywhere',
    pattern: /^[ \t]*#(?:pragma\s+warning\s+disable|nullable\s+disable)\b/,
    because: STYLE,
    harmlessByIds: true,
  },
  row('not-covered', 'python', /#\s*pragma:\s*no\s*(?:cover|branch|mutate)/, COVERAGE),
  row(
    'not-covered',
    'javascript',
    /(?:\/\/|\/\*)[\s*!]*(?:istanbul|c8|v8)\s+ignore|(?:\/\/|\/\*)\s*node:coverage\s+(?:ignore|disable)|\bStryker\s+disable\b/,
    COVERAGE,
  ),
  row('not-covered', 'php', /@codeCoverageIgnore/, COVERAGE),
  row('not-covered', 'ruby', /#\s*:nocov:/, COVERAGE),
  skips(
    'python',
    /\b(?:pytest\.)?mark\.(?:skip|xfail)\b(?!if)|\bunittest\.(?:skip|expectedFailure)\b(?!If|Unless)|^[ \t]*@(?:skip\(|expectedFailure\b)|^[ \t]*collect_ignore(?:_glob)?\s*=|^[ \t]*pytestmark\s*=[^\n]*\b(?:skip|xfail)\b(?!if)/,
  ),
  skips(
    'javascript',
    /(?<![\w.$])(?:(?:@(?:vitest|test|jest)\.)?(?:it|test|describe|suite|context)(?:\.concurrent|\.sequential)?\.(?:skip|only|todo|fixme|fails|failing)\b(?!If)|(?:x|f)(?:it|describe|test)\s*\()/,
  ),
  skips('go', /^[ \t]*[tb]\.Skip(?:Now|f)?\(/),
  skips('rust', /#\[\s*ignore\b/),
  skips('jvm', /@(?:Disabled|Ignore)\b(?!If|On|For)/),
  skips('ruby', /^[ \t]*(?:xit|xdescribe|xcontext|fit|fdescribe|pending|skip)\b\s*(?:['"(]|$)/),
  {
    name: 'skipped-tests',
    languages: ['python'],
    view: 'code',
    scope: 'sources',
    pattern: /@(?:pytest\.(?:skip|xfail|exit|importorskip)\(|unittest\.SkipTest\b)|\braise\s+SkipTest\b/,
    because: 'it skips the tests that call it',
    harmlessByIds: true,
  },
];

function row(
  name: string,
  language: NonNullable<Row['languages']>[number],
  pattern: RegExp,
  because: string,
): Row {
  return {
    name,
    languages: [language],
    view: 'comments',
    scope: 'anywhere',
    pattern,
    because,
    harmlessByIds: true,
  };
}

function skips(language: NonNullable<Row['languages']>[number], pattern: RegExp): Row {
  return {
    name: 'skipped-tests',
    languages: [language],
    view: 'code',
    scope: 'tests',
    pattern,
    because: SKIPS,
    harmlessByIds: true,
  };
}
