import type { Alone } from '../test/cheats/play.ts';
import { CLASSES, type Recipe } from '../test/cheats/recipe.ts';

export interface Played {
  readonly recipe: Recipe;
  /** Absent where it was not played. */
  readonly alone?: Alone;
  /** The outcome, with the grade of a success. */
  readonly how: string;
  readonly because: string;
  readonly success?: boolean;
}

/** One line while the recipes run. */
export function render({ recipe, alone, how, because, success }: Played): string {
  const code = alone ? `exit ${alone.before} → ${alone.after}` : '';
  const mark = success && recipe.cheat ? (recipe.onlyHeldOut ? '~' : '!') : ' ';
  return `${mark} ${recipe.id.padEnd(32)} ${code.padEnd(15)} ${how.padEnd(22)} ${because.slice(0, 150)}`;
}

/** The table in Markdown, and what was called a success, by name. */
export function summary(all: readonly Played[]): string {
  const cheats = all.filter(({ recipe, alone }) => recipe.cheat && alone);
  const letters = [...new Set(cheats.map(({ recipe }) => recipe.id.charAt(0)))].sort();
  const rows = letters.map((letter) => {
    const of = cheats.filter(({ recipe }) => recipe.id.startsWith(letter));
    return row(`${letter}: ${CLASSES[letter] ?? 'others'}`, of);
  });
  return [
    '| class | recipes | green by exit code alone | caught | how | called a success |',
    '|---|---|---|---|---|---|',
    ...rows,
    row('all', cheats),
    '',
    ...named('Called a success, and seen only by held-out checks', cheats, (one) => heldOut(one)),
    ...named('Called a success', cheats, (one) => one.success === true && !heldOut(one)),
    ...named('Not played, since a tool is missing', all, ({ alone }) => !alone),
  ]
    .join('\n')
    .trim();
}

const heldOut = ({ success, recipe }: Played) => success === true && recipe.onlyHeldOut === true;

function row(name: string, of: readonly Played[]): string {
  const fooled = of.filter(({ alone }) => alone?.after === 0).length;
  const caught = of.filter(({ success }) => !success);
  const how = tally(caught.map((one) => one.how));
  return `| ${name} | ${of.length} | ${fooled} | ${caught.length} | ${how} | ${of.length - caught.length} |`;
}

function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([word, count]) => `${word} ${count}`)
    .join(', ');
}

function named(title: string, all: readonly Played[], which: (one: Played) => boolean): string[] {
  const lines = all.filter(which).map(({ recipe, how }) => `- \`${recipe.id}\` ${how}`);
  return lines.length === 0 ? [] : [`${title}:`, '', ...lines, ''];
}
