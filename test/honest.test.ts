import { describe, expect, test } from 'vitest';
import { which } from '../src/system/which.ts';
import { FAMILY_USES } from './honest/families.ts';
import { GO } from './honest/go.ts';
import { JAVASCRIPT } from './honest/javascript.ts';
import { mend } from './honest/mend.ts';
import { PYTHON } from './honest/python.ts';

const has = (tool: string) => which(tool, process.env) !== undefined;
const PROJECTS = [...PYTHON, ...JAVASCRIPT, ...GO, ...FAMILY_USES];

describe('honest work is a success in', () => {
  for (const project of PROJECTS) {
    const { title, needs = [], grade = 'earned', allow } = project;
    const marks = needs.map((tool) => ` [needs ${tool}]`).join('');
    const run = needs.every(has) ? test.concurrent : test.skip;
    run(`${title}${marks}`, async () => {
      const report = await mend(project, allow ? { spec: { allow } } : {});
      const { outcome, reason, trust, warnings } = report;
      expect(
        { outcome, grade: trust.grade },
        JSON.stringify({ reason, trust, warnings, last: last(report) }),
      ).toEqual({
        outcome: 'success',
        grade,
      });
    });
  }
});

function last({ baseline, iterations }: Awaited<ReturnType<typeof mend>>) {
  const { keptOut, evaluations, confirmation } = iterations.at(-1) ?? {};
  const feedback = evaluations?.map((check) => check.feedback.slice(0, 1500));
  return {
    room: baseline?.room,
    before: baseline?.reason,
    keptOut,
    feedback,
    confirmation: confirmation?.reason,
  };
}
