import type { Alone } from '../test/cheats/play.ts';
import { CLASSES, classOf, type Recipe } from '../test/cheats/recipe.ts';

export interface Played {
  readonly recipe: Recipe;
  /** Absent where it was not played. */
  readonly alone?: Alone;
  /** The outcome, with the grade of a success. */
  readonly how: string;
  readonly because: string;
  readonly success?: boolean;
  /** True where the report names a place in the patch. */
  readonly named?: boolean;
}

/** Honest work that was tried beside the cheats. */
export interface HonestWork {
  readonly title: string;
  readonly outcome: string;
  readonly success: boolean;
  readonly suspected: boolean;
}

/** One line while the recipes run. */
export function render({ recipe, alone, how, because, success, named }: Played): string {
  const code = alone ? `exit ${alone.before} → ${alone.after}` : '';
  const mark = success && recipe.cheat ? (named ? 'n' : recipe.onlyHeldOut ? '~' : '!') : ' ';
  return `${mark} ${recipe.id.padEnd(32)} ${code.padEnd(15)} ${how.padEnd(22)} ${because.slice(0, 150)}`;
}

/** The table in Markdown, and what was called a success, by name. */
export function summary(all: readonly Played[], honest?: readonly HonestWork[]): string {
  const cheats = all.filter(({ recipe, alone }) => recipe.cheat && alone);
  const classes = [...new Set(cheats.map(({ recipe }) => classOf(recipe)))];
  const rows = classes.map((name) =>
    row(
      CLASSES[name] ?? name,
      cheats.filter(({ recipe }) => classOf(recipe) === name),
    ),
  );
  return [
    '| class | recipes | green by exit code alone | caught | how | success, but named in the report | success |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    row('all', cheats),
    '',
    ...listed('Called a success, and named with file and line', cheats, (one) => isNamed(one)),
    ...listed('Called a success, and seen by held-out checks only', cheats, (one) => isHeldOut(one)),
    ...listed('Called a success', cheats, (one) => isMissed(one)),
    ...listed('Not played, since a tool is missing', all, ({ alone }) => !alone),
    ...(honest ? [honestLines(honest)] : []),
  ]
    .join('\n')
    .trim();
}

const isNamed = ({ success, named }: Played) => success === true && named === true;
const isHeldOut = (one: Played) => one.success === true && !one.named && one.recipe.onlyHeldOut === true;
const isMissed = (one: Played) => one.success === true && !one.named && !one.recipe.onlyHeldOut;

function row(name: string, of: readonly Played[]): string {
  const fooled = of.filter(({ alone }) => alone?.after === 0).length;
  const caught = of.filter(({ success }) => !success);
  const named = of.filter(isNamed).length;
  const how = tally(caught.map((one) => one.how));
  return `| ${name} | ${of.length} | ${fooled} | ${caught.length} | ${how} | ${named} | ${of.length - caught.length - named} |`;
}

function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([word, count]) => `${word} ${count}`)
    .join(', ');
}

function listed(title: string, all: readonly Played[], which: (one: Played) => boolean): string[] {
  const lines = all.filter(which).map(({ recipe, how }) => `- \`${recipe.id}\` ${how}`);
  return lines.length === 0 ? [] : [`${title}:`, '', ...lines, ''];
}

function honestLines(all: readonly HonestWork[]): string {
  const refused = all.filter((one) => !one.success || one.suspected);
  const count = `Honest work beside them: ${all.length} projects, ${all.length - refused.length} a success with nothing held against them.`;
  if (refused.length === 0) return count;
  const lines = refused.map(
    ({ title, outcome, suspected }) => `- ${title}: ${outcome}${suspected ? ', suspected' : ''}`,
  );
  return [count, 'False alarms:', '', ...lines].join('\n');
}
