import { stringify } from 'yaml';
import type { Plan } from '../compose/plan.ts';
import { describeCriteria } from '../core/criteria.ts';
import type { Limits } from '../core/spec.ts';
import { duration } from '../observers/phrases.ts';
import type { Style } from '../observers/style.ts';
import { harmless, oneLine } from '../observers/text-width.ts';
import { pathRow, row } from './render-parts.ts';

/** What `loopgen run --dry-run` prints: places, checks, guards, caps, the resolved spec and the first prompt. */
export function renderDryRun(plan: Plan, style: Style): string {
  const { spec } = plan;
  return [
    style.colours.bold(`${oneLine(spec.name)}: nothing runs, nothing is written`),
    ...pathRow('works in', `${plan.workdir}${spec.workspace.mode === 'copy' ? ' (on a copy of it)' : ''}`),
    ...pathRow('records', plan.stateDir),
    ...row('agent', oneLine(spec.driver.uses), style),
    ...spec.escalate.flatMap(({ after, driver }) =>
      row('then', `${oneLine(driver.uses)}, after ${after.join(' or ')}`, style),
    ),
    ...plan.commands.flatMap(({ check, command }) =>
      row('check', `${oneLine(check)}: ${oneLine(command)}`, style),
    ),
    ...row('done when', describeCriteria(spec.success), style),
    ...guardRows(plan, style),
    ...row('caps', caps(spec.limits).join(` ${style.symbols.dot} `), style),
    ...plan.notices.flatMap((notice) => row('notice', oneLine(notice), style)).map(style.colours.yellow),
    '',
    ...section('spec, resolved', stringify(spec, { lineWidth: 0 }), style),
    ...section('first prompt, system part', plan.firstPrompt.system, style),
    ...section('first prompt', plan.firstPrompt.prompt, style),
  ].join('\n');
}

function guardRows({ rules }: Plan, style: Style): string[] {
  const on = rules.filter(({ reaction }) => reaction !== 'off');
  if (on.length === 0) return row('guards', 'none', style);
  return on.flatMap(({ name, reaction, because, paths }) =>
    row('guard', `${name} (${reaction}): ${paths.map(oneLine).join(', ')}; ${oneLine(because)}`, style),
  );
}

function caps(limits: Limits): string[] {
  const optional: readonly (readonly [string, string | undefined])[] = [
    ['a turn', time(limits.iterationTimeoutMs)],
    ['silence', time(limits.idleTimeoutMs)],
    ['the whole run', time(limits.maxDurationMs)],
    ['cost', limits.maxCostUsd === undefined ? undefined : `$${limits.maxCostUsd}`],
    ['tokens', limits.maxTokens?.toLocaleString('en-US')],
  ];
  const set = optional.filter(([, value]) => value !== undefined).map(([name, value]) => `${name} ${value}`);
  const unset = optional.filter(([, value]) => value === undefined).map(([name]) => name);
  return [
    `${limits.maxIterations} iterations`,
    `patience ${limits.patience}`,
    ...set,
    ...(unset.length > 0 ? [`no cap on ${unset.join(', ')}`] : []),
  ];
}

const time = (ms: number | undefined) => (ms === undefined ? undefined : duration(ms));

/** Text that is copied: as it is, never cut or wrapped. */
function section(title: string, text: string, { colours, symbols }: Style): string[] {
  const rule = symbols.rule.repeat(2);
  return [colours.bold(`${rule} ${title} ${rule}`), harmless(text).trimEnd(), ''];
}
