import type { Score } from '../core/score.ts';
import { isRecord } from './reports/report-file.ts';

/** What a metric is held against. */
export interface MetricLimits {
  readonly minValue?: number | undefined;
  readonly maxValue?: number | undefined;
  readonly baseline?: number | undefined;
  readonly direction: 'increase' | 'decrease';
  /** Absent: anything better will do. */
  readonly minDelta?: number | undefined;
}

/** The number at a dot path of a JSON text, or why there is none. */
export function readMetric(
  json: string,
  path: string,
): { readonly value: number } | { readonly problem: string } {
  const parsed = parse(json);
  if (parsed === undefined)
    return { problem: json.trim() === '' ? 'no JSON was printed' : 'the output is not JSON' };
  const value = at(parsed.value, path);
  if (value === undefined) return { problem: `the JSON has no ${path}${keysOf(parsed.value)}` };
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return { problem: `${path} is not a number but ${JSON.stringify(value).slice(0, 100)}` };
  }
  return { value };
}

/** The whole text as JSON, else its last line (tools print banners above it). */
function parse(json: string): { readonly value: unknown } | undefined {
  const text = json.replace(/^\uFEFF/, '').trim();
  for (const candidate of [text, text.slice(text.lastIndexOf('\n') + 1)]) {
    try {
      return { value: JSON.parse(candidate) };
    } catch {
      // Not JSON as it stands; the caller says so.
    }
  }
  return undefined;
}

function at(value: unknown, path: string): unknown {
  if (isRecord(value) && Object.hasOwn(value, path)) return value[path];
  let here: unknown = value;
  for (const step of path.split('.')) {
    if (Array.isArray(here)) here = here[Number(step)];
    else if (isRecord(here) && Object.hasOwn(here, step)) here = here[step];
    else return undefined;
  }
  return here;
}

function keysOf(value: unknown): string {
  const keys = isRecord(value) ? Object.keys(value).slice(0, 10) : [];
  return keys.length === 0 ? '' : ` (it has ${keys.join(', ')})`;
}

export function meetsLimits(value: number, limits: MetricLimits): boolean {
  const { minValue, maxValue } = limits;
  if (minValue !== undefined && value < minValue) return false;
  if (maxValue !== undefined && value > maxValue) return false;
  return beatsBaseline(value, limits);
}

function beatsBaseline(value: number, { baseline, direction, minDelta }: MetricLimits): boolean {
  if (baseline === undefined) return true;
  const gain = direction === 'increase' ? value - baseline : baseline - value;
  // 0.3 - 0.1 is not 0.2 in binary: a gain of exactly minDelta counts.
  const slack = Number.EPSILON * Math.max(1, Math.abs(value), Math.abs(baseline)) * 4;
  return minDelta === undefined ? gain > 0 : gain >= minDelta - slack;
}

/** `at least 0.9 and better than 0.8 by 0.05`. */
export function describeLimits({ minValue, maxValue, baseline, direction, minDelta }: MetricLimits): string {
  const parts: string[] = [];
  if (minValue !== undefined) parts.push(`at least ${minValue}`);
  if (maxValue !== undefined) parts.push(`at most ${maxValue}`);
  if (baseline !== undefined) {
    const way = direction === 'increase' ? 'above' : 'below';
    parts.push(minDelta === undefined ? `${way} ${baseline}` : `${minDelta} or more ${way} ${baseline}`);
  }
  return parts.join(' and ');
}

/** The score, and which way is better: down for `decrease`, and where only an upper limit is set. */
export function scoreOf(value: number, limits: MetricLimits): Score {
  const { minValue, maxValue, baseline, direction } = limits;
  if (baseline !== undefined || direction === 'decrease') {
    return { value, better: direction === 'increase' ? 'up' : 'down' };
  }
  return { value, better: maxValue !== undefined && minValue === undefined ? 'down' : 'up' };
}
