import type { MergeContext, Merged } from './merged.ts';

/** Sections of `setup.cfg` that runners and checkers read. */
const JUDGING =
  /^(?:tool:pytest|pytest|tool:interrogate|coverage(?::.*)?|tox(?::.*)?|testenv(?::.*)?|nosetests|unittest|aliases|flake8.*|mypy.*|pylint.*|pycodestyle|pydocstyle|pep8|pyflakes|isort|yapf|bandit|interrogate|mutmut|importlinter.*|tool:.*|nose2?.*|options\.entry_points)$/;

interface Section {
  /** `''` before the first header. */
  readonly name: string;
  readonly text: string;
}

/** Those of checkers of sources. */
const CHECKING =
  /^(?:flake8.*|mypy.*|pylint.*|pycodestyle|pydocstyle|pep8|pyflakes|isort|yapf|bandit|interrogate|importlinter.*)$/;

/** Lines end wherever one of the readers ends them. */
const LINES = /[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]|$)/g;

export function mergeIni(start: string, agents: string, context: MergeContext): Merged {
  const { governs, checks = governs } = context;
  const ours = sectionsOf(start).filter(isJudging);
  const judges = (section: Section) =>
    isJudging(section) &&
    ((CHECKING.test(section.name) ? checks : governs) || ours.some(({ name }) => name === section.name));
  const theirs = sectionsOf(agents);
  const mine = theirs.filter(judges);
  const names = [...new Set([...ours, ...mine].map(({ name }) => name))];
  const kept = names.filter((name) => bodyOf(ours, name) !== bodyOf(mine, name));
  if (kept.length === 0) return { text: agents, kept };
  const rest = theirs.filter((section) => !judges(section));
  const all = [...rest, ...ours].map(({ text }) =>
    /[\n\r]$/.test(text) || text === '' ? text : `${text}\n`,
  );
  return { text: all.join(''), kept: kept.map((name) => `[${name}]`) };
}

function isJudging({ name, text }: Section): boolean {
  if (name === 'options.entry_points') return /\bpytest11\b/.test(text);
  return JUDGING.test(name);
}

function bodyOf(sections: readonly Section[], name: string): string {
  return sections
    .filter((section) => section.name === name)
    .map(({ text }) => text.trim())
    .join('\n');
}

function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let name = '';
  let lines: string[] = [];
  for (const line of text.match(LINES) ?? []) {
    const header = /^\uFEFF?\[(.*)\]/.exec(line.trimEnd());
    if (header) {
      sections.push({ name, text: lines.join('') });
      name = (header[1] ?? '').trim();
      lines = [];
    }
    lines.push(line);
  }
  return [...sections, { name, text: lines.join('') }];
}
