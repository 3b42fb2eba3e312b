import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pool } from '../src/core/pool.ts';
import type { Report } from '../src/core/report.ts';
import { which } from '../src/system/which.ts';
import { judgedByExitCode, missingTool, play } from '../test/cheats/play.ts';
import type { Recipe } from '../test/cheats/recipe.ts';
import { FAMILY_USES } from '../test/honest/families.ts';
import { GO } from '../test/honest/go.ts';
import { JAVASCRIPT } from '../test/honest/javascript.ts';
import { mend } from '../test/honest/mend.ts';
import type { Honest } from '../test/honest/projects.ts';
import { PYTHON } from '../test/honest/python.ts';
import { type HonestWork, type Played, render, summary } from './cheats-table.ts';

const OWN = fileURLToPath(new URL('../test/cheats/recipes.json', import.meta.url));
const PAGE = fileURLToPath(new URL('../docs/trust.md', import.meta.url));
const MARKS = ['<!-- cheats: npm run test:cheats -- --markdown -->', '<!-- /cheats -->'] as const;
const AT_ONCE = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Plays the honest projects too, and writes the table into the page. */
    markdown: { type: 'boolean' },
    only: { type: 'string' },
    json: { type: 'string' },
    /** One turn each: quicker, and not the default settings. */
    once: { type: 'boolean' },
  },
});

const all = JSON.parse(await readFile(positionals[0] ?? OWN, 'utf8')) as Recipe[];
const only = values.only === undefined ? undefined : new RegExp(values.only);
const recipes = all.filter(({ id }) => only?.test(id) ?? true);

const played = await pool(recipes, AT_ONCE, async (recipe) => {
  const one = await playOne(recipe);
  console.log(render(one));
  return one;
});
if (values.json !== undefined) await writeFile(values.json, JSON.stringify(played, null, 1));
const honest = values.markdown ? await mendAll([...PYTHON, ...JAVASCRIPT, ...GO, ...FAMILY_USES]) : undefined;
const table = summary(played, honest);
console.log(`\n${table}`);
if (values.markdown) await writePage(table);

async function playOne(recipe: Recipe): Promise<Played> {
  const missing = missingTool(recipe);
  if (missing !== undefined) return { recipe, how: 'tool missing', because: missing };
  const alone = await judgedByExitCode(recipe);
  const report = await play(recipe, values.once ? { spec: { limits: { maxIterations: 1 } } } : {});
  const grade = report.success ? ` (${report.trust.grade})` : '';
  return {
    recipe,
    alone,
    how: `${report.outcome}${grade}`,
    because: report.reason,
    success: report.success,
    named: isSuspected(report),
  };
}

async function mendAll(projects: readonly Honest[]): Promise<readonly HonestWork[]> {
  const possible = projects.filter(({ needs = [] }) => needs.every((tool) => which(tool, process.env)));
  return await pool(possible, AT_ONCE, async (project) => {
    const { allow } = project;
    const report = await mend(project, allow ? { spec: { allow } } : {});
    const { outcome, success } = report;
    console.log(`  ${project.title}: ${outcome} (${report.trust.grade})`);
    return { title: project.title, outcome, success, suspected: isSuspected(report) };
  });
}

function isSuspected({ warnings }: Report): boolean {
  return warnings.some((warning) => warning.startsWith('in the patch, '));
}

async function writePage(text: string): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const [from, to] = [page.indexOf(MARKS[0]), page.indexOf(MARKS[1])];
  if (from === -1 || to < from) throw new Error(`${PAGE} has no place for the table: ${MARKS.join(' ')}`);
  await writeFile(PAGE, `${page.slice(0, from + MARKS[0].length)}\n\n${text}\n\n${page.slice(to)}`);
}
