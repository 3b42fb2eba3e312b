import type { MergeContext, Merged } from './merged.ts';
import { type Statement, statementsOf } from './toml-statements.ts';

/** Tables that judge, dotted. */
export interface JudgingTables {
  /** Those of runners. */
  readonly runners: readonly string[];
  /** Those of checkers of sources. */
  readonly checkers: readonly string[];
}

/**
 * The agent's TOML with the tables under `judging` as they were at the start. Where one of them is
 * written in a way that cannot be taken apart (inside a table that is not its own), the whole file is the start's.
 */
export function mergeToml(
  start: string,
  agents: string,
  { runners, checkers }: JudgingTables,
  { governs, checks = governs }: MergeContext,
): Merged {
  const ours = statementsOf(start);
  const theirs = statementsOf(agents);
  if (!theirs) return { text: start, kept: ['all of it (it cannot be read)'] };
  if (!ours) return { text: agents, kept: [] };
  const pathsOf = (judging: readonly string[], all: boolean) =>
    judging
      .map((path) => path.split('.'))
      .filter((path) => all || ours.some((statement) => under(statement, path)));
  const paths = [...pathsOf(runners, governs), ...pathsOf(checkers, checks)];
  const judges = (statement: Statement) => paths.some((path) => under(statement, path));
  const old = ours.filter(judges);
  const now = theirs.filter(judges);
  const differs = (path: readonly string[]) => {
    const textUnder = (list: readonly Statement[]) =>
      textOf(list.filter((statement) => under(statement, path)));
    return textUnder(old) !== textUnder(now);
  };
  const kept = paths.filter(differs).map((path) => `[${path.join('.')}]`);
  if (kept.length === 0) return { text: agents, kept };
  if (old.some((statement) => !ownsItsTable(statement, paths))) return { text: start, kept };
  const rest = theirs.filter((statement) => !judges(statement));
  return { text: joined([...rest, ...old]), kept };
}

/** True for what lies under the path, and for a value that could hold it (`tool = {pytest = …}`). */
function under({ path, isHeader }: Statement, wanted: readonly string[]): boolean {
  const short = Math.min(path.length, wanted.length);
  const meets = wanted.slice(0, short).every((part, i) => part === path[i]);
  return meets && (path.length >= wanted.length || (!isHeader && path.length > 0));
}

/** True where the header above the statement lies under a judging path itself, so that it moves along. */
function ownsItsTable(statement: Statement, paths: readonly (readonly string[])[]): boolean {
  const { isHeader, table } = statement;
  return isHeader || paths.some((path) => path.every((part, i) => part === table[i]));
}

function textOf(statements: readonly Statement[]): string {
  return statements.map(({ table, text }) => `${JSON.stringify(table)} ${text.trim()}`).join('\n');
}

function joined(statements: readonly Statement[]): string {
  const text = statements.map((statement) => statement.lead + statement.text).join('');
  return text.endsWith('\n') ? text : `${text}\n`;
}
