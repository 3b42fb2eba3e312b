import type { Language } from './families/row.ts';

/** A program that checks sources without running them, and what makes it look away. Plain data. */
export interface Checker {
  /** As people call it: `tsc`. */
  readonly name: string;
  /** Its programs and those that take the same words, also as modules behind `python -m`. */
  readonly programs: readonly string[];
  readonly languages: readonly Language[];
  /** A construct that it honours, in the line where it stands. */
  readonly honours: RegExp;
  /** It checks types: one that allows everything tells it nothing. */
  readonly ofTypes?: true;
  /** What it writes when it complains: then it was red itself, and not something else behind the same exit code. */
  readonly complains: RegExp;
  /** Where that is documented. */
  readonly source: string;
}

const AT = String.raw`^\S+?[:(]\d+[:,]\d+\)?:?\s`;

export const CHECKERS: readonly Checker[] = [
  {
    name: 'tsc',
    programs: ['tsc', 'vue-tsc', 'tsgo', 'svelte-check', 'astro'],
    languages: ['javascript'],
    honours:
      /@ts-(?:ignore|nocheck|expect-error)\b|\bas\s+(?:any|never|unknown)\b|<(?:any|never|unknown)>|\bdeclare\s+module\b/i,
    ofTypes: true,
    complains: /\berror TS\d+|svelte-check found [1-9]/,
    source: 'https://www.typescriptlang.org/tsconfig/#noCheck',
  },
  {
    name: 'deno',
    programs: ['deno'],
    languages: ['javascript'],
    honours:
      /@ts-(?:ignore|nocheck|expect-error)\b|\bas\s+(?:any|never|unknown)\b|<(?:any|never|unknown)>|deno-lint-ignore|deno-fmt-ignore/i,
    ofTypes: true,
    complains: /\bTS\d+ \[ERROR\]|^error\[/m,
    source: 'https://docs.deno.com/runtime/reference/cli/lint/',
  },
  {
    name: 'mypy',
    programs: ['mypy', 'dmypy', 'ty', 'pyre'],
    languages: ['python'],
    honours:
      /#\s*(?:type:\s*ignore|mypy:|ty:\s*ignore|pyre-)|\bno_type_check\b|\bcast\s*\(\s*["']?(?:[\w@]+\.)?Any\b/,
    ofTypes: true,
    complains: /^\S+?:\d+:(?:\d+:)? error:|^Found \d+ errors? in|^error\[/m,
    source:
      'https://mypy.readthedocs.io/en/stable/common_issues.html#spurious-errors-and-locally-silencing-the-checker',
  },
  {
    name: 'pyright',
    programs: ['pyright', 'basedpyright'],
    languages: ['python'],
    honours: /#\s*(?:type:\s*ignore|pyright:)|\bno_type_check\b|\bcast\s*\(\s*["']?(?:[\w@]+\.)?Any\b/,
    ofTypes: true,
    complains: /- error: |\b[1-9]\d* errors?,/,
    source: 'https://github.com/microsoft/pyright/blob/main/docs/comments.md',
  },
  {
    name: 'ruff',
    programs: ['ruff'],
    languages: ['python'],
    honours: /#\s*(?:(?:ruff|flake8):|noqa\b|fmt:|isort:|nosec\b|type:\s*ignore)/,
    complains: /^Found \d+ error|^Would reformat|^\s*--> /m,
    source: 'https://docs.astral.sh/ruff/linter/#error-suppression',
  },
  {
    name: 'flake8',
    programs: ['flake8', 'pycodestyle', 'pyflakes', 'pydocstyle'],
    languages: ['python'],
    honours: /#\s*(?:flake8:\s*)?noqa\b/,
    complains: new RegExp(`${AT}[A-Z]{1,4}\\d+`, 'm'),
    source: 'https://flake8.pycqa.org/en/stable/user/violations.html',
  },
  {
    name: 'pylint',
    programs: ['pylint'],
    languages: ['python'],
    honours: /#\s*pylint:/,
    complains: new RegExp(`${AT}[CRWEF]\\d{4}`, 'm'),
    source: 'https://pylint.readthedocs.io/en/stable/user_guide/messages/message_control.html',
  },
  {
    name: 'bandit',
    programs: ['bandit'],
    languages: ['python'],
    honours: /#\s*nosec\b/,
    complains: />> Issue:/,
    source: 'https://bandit.readthedocs.io/en/latest/config.html',
  },
  {
    name: 'black',
    programs: ['black', 'isort', 'yapf', 'blue'],
    languages: ['python'],
    honours: /#\s*(?:fmt:|isort:|yapf:)/,
    complains: /would reformat|incorrectly sorted|^--- /m,
    source: 'https://black.readthedocs.io/en/stable/usage_and_configuration/the_basics.html',
  },
  {
    name: 'eslint',
    programs: ['eslint', 'eslint_d', 'xo', 'standard', 'semistandard', 'ts-standard', 'next'],
    languages: ['javascript'],
    honours: /eslint-disable|\/\*\s*eslint\s|standard-disable/,
    complains: /^\s*\d+:\d+\s+error\s|\b[1-9]\d* problems?\b|standard: /m,
    source: 'https://eslint.org/docs/latest/use/configure/rules#disabling-rules',
  },
  {
    name: 'oxlint',
    programs: ['oxlint'],
    languages: ['javascript'],
    honours: /(?:oxlint|eslint)-disable/,
    complains: /^Found \d+ warnings? and [1-9]\d* errors?/m,
    source: 'https://oxc.rs/docs/guide/usage/linter/ignore-comments',
  },
  {
    name: 'tslint',
    programs: ['tslint'],
    languages: ['javascript'],
    honours: /tslint:disable/,
    complains: /^ERROR: /m,
    source: 'https://palantir.github.io/tslint/usage/rule-flags/',
  },
  {
    name: 'biome',
    programs: ['biome', 'rome'],
    languages: ['javascript'],
    honours: /biome-ignore/,
    complains: /^Found [1-9]\d* errors?\.|Some errors were emitted/m,
    source: 'https://biomejs.dev/analyzer/suppressions/',
  },
  {
    name: 'prettier',
    programs: ['prettier'],
    languages: ['javascript'],
    honours: /prettier-ignore/,
    complains: /^\[warn\] |^\[error\] /m,
    source: 'https://prettier.io/docs/ignore',
  },
  {
    name: 'golangci-lint',
    programs: ['golangci-lint', 'staticcheck', 'revive', 'gosec', 'golint'],
    languages: ['go'],
    honours: /\/\/\s*(?:nolint\b|lint:|revive:disable|#nosec)/,
    complains: /^\S+?\.go:\d+:/m,
    source: 'https://golangci-lint.run/docs/linters/false-positives/',
  },
  {
    name: 'clippy',
    programs: ['cargo-clippy', 'clippy'],
    languages: ['rust'],
    honours: /#!?\[\s*allow\s*\(/,
    complains: /^error(?:\[\w+\])?:/m,
    source: 'https://doc.rust-lang.org/clippy/usage.html',
  },
  {
    name: 'rubocop',
    programs: ['rubocop', 'standardrb'],
    languages: ['ruby'],
    honours: /rubocop:|standard:disable/,
    complains: /\b[1-9]\d* offenses?\b/,
    source: 'https://docs.rubocop.org/rubocop/configuration.html',
  },
  {
    name: 'phpstan',
    programs: ['phpstan', 'psalm', 'phan', 'phpcs'],
    languages: ['php'],
    honours: /@(?:phpstan-ignore|psalm-suppress|phan-suppress)|phpcs:/,
    complains: /\[ERROR\]|^ERROR|FOUND \d+ ERROR/m,
    source: 'https://phpstan.org/user-guide/ignoring-errors',
  },
  {
    name: 'clang-tidy',
    programs: ['clang-tidy', 'cppcheck'],
    languages: ['c'],
    honours: /NOLINT|cppcheck-suppress/,
    complains: /(?:error|warning): /,
    source: 'https://clang.llvm.org/extra/clang-tidy/#suppressing-undesired-diagnostics',
  },
  {
    name: 'checkstyle',
    programs: ['checkstyle', 'checkstyle:check', 'pmd', 'pmd:check', 'spotbugs:check', 'detekt', 'ktlint'],
    languages: ['jvm'],
    honours: /@Suppress|NOPMD|CHECKSTYLE|NOSONAR|ktlint-disable/,
    complains: /\[(?:ERROR|WARN)\]|\.(?:java|kt):\d+/,
    source: 'https://checkstyle.org/filters/suppresswarningsfilter.html',
  },
];
