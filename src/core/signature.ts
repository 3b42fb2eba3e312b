import type { Check } from './check.ts';
import { lossesOf } from './comparison.ts';
import { excerpt } from './shorten.ts';

/** Names a failure so that two runs of the same failure compare equal. */
export interface Signature {
  readonly text: string;
  /** False when it holds no information (a silent command), so that only the tree can tell progress. */
  readonly informative: boolean;
  /** True when every failing check names its failing tests. */
  readonly byTests: boolean;
}

/**
 * Test ids with place and class where the tool reports them; otherwise the exit
 * code and the output without its noise. Raw output never serves: two runs of
 * one failure differ in it, and the no-progress policy would never fire.
 */
export function signatureOf(checks: readonly Check[]): Signature {
  const parts = checks.filter((check) => check.status !== 'pass').map(describeFailure);
  return {
    text: bounded(
      parts
        .map((part) => part.text)
        .sort()
        .join('\n'),
    ),
    informative: parts.some((part) => part.informative),
    byTests: parts.length > 0 && parts.every((part) => part.byTests),
  };
}

function describeFailure(check: Check): Signature {
  const failing = check.tests?.failing ?? [];
  const head = `${check.name} ${check.cause ?? check.status}`;
  const lost = lossesOf(check.ledger).flatMap(({ what, count, ids }) => [
    `${what} ${count}`,
    ...ids.map((id) => `${what} ${id}`),
  ]);
  if (failing.length > 0 || lost.length > 0) {
    const tests = [
      ...failing.map((test) => [test.id, withoutLine(test.place), test.errorType].join(' ')),
      ...lost,
    ].sort();
    return { text: [head, ...tests].join('\n'), informative: true, byTests: true };
  }
  const output = withoutNoise(saidBy(check));
  return {
    text: `${head} exit ${check.exitCode ?? '-'}\n${output}`,
    informative: output !== '',
    byTests: false,
  };
}

/** What the command itself said: that it exited 1 is our word, and a silent one says nothing. */
function saidBy({ judgedBy, feedback }: Check): string {
  return judgedBy === 'exit-code' ? feedback.replace(/^exit code \d+\s*(?:output:)?/, '') : feedback;
}

/** Lines shift when code above them changes; the file stays. */
function withoutLine(place: string | undefined): string {
  return (place ?? '').replace(/:\d+(:\d+)?$/, '');
}

const NOISE: readonly (readonly [RegExp, string])[] = [
  [/\u001b(?:\[[0-9;?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g, ''],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?([.,]\d+)?(Z|[+-]\d\d:?\d\d)?/g, '<date>'],
  [/\b\d\d?:\d\d(:\d\d)?([.,]\d+)?\b/g, '<time>'],
  [/\b\d+([.,]\d+)?\s?(ms|milliseconds?|µs|us|ns|s|secs?|seconds?|m|mins?|minutes?)\b/gi, '<time>'],
  [/[A-Z]:\\[^\s'"]*\\Temp\\[^\s'"]*/gi, '<tmp>'],
  [/(\/private)?(\/var\/folders|\/tmp|\/var\/tmp|\/dev\/shm)\/[^\s'":)\]]*/g, '<tmp>'],
  [/\b0x[0-9a-f]+\b|@[0-9a-f]{5,16}\b/gi, '<address>'],
  [/^==\d+==/gm, '==<n>=='],
  [/\(node:\d+\)/g, '(node:<n>)'],
  [/\b1[5-9]\d{8}(\d{3})?(\.\d+)?\b/g, '<date>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  [/\b(pid|process|thread|worker|seed|random[_ -]?seed|port)([\s=:#(-]*)\d+/gi, '$1$2<n>'],
  [/(127\.0\.0\.1|localhost|\[::1\]):\d+/g, '$1:<port>'],
];

/** The text without what differs between two runs of the same failure; lines sorted, since order is noise too. */
export function withoutNoise(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of NOISE) clean = clean.replace(pattern, replacement);
  const lines = clean.split('\n').map((line) => line.trim().replace(/\s+/g, ' '));
  return [...new Set(lines.filter((line) => line !== ''))].sort().join('\n');
}

const MAX_CHARS = 1_000;

/** A long text becomes its beginning and a checksum of the whole: every iteration keeps its signature. */
function bounded(text: string): string {
  return text.length <= MAX_CHARS ? text : `${excerpt(text, MAX_CHARS)} (${text.length}, ${checksum(text)})`;
}

/** 53 bits over the whole text; enough to tell the failures of one run apart. */
function checksum(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}
