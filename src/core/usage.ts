/** What one turn of an agent used. A field that the agent does not tell is absent: unknown is not zero. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: number;
  /** The agent's own inner turns. */
  readonly agentTurns?: number;
}

const KEYS = ['inputTokens', 'outputTokens', 'costUsd', 'agentTurns'] as const satisfies (keyof Usage)[];

/** The sum of two usages; a field known on one side only keeps that side's value. */
export function addUsage(a: Usage, b: Usage | undefined): Usage {
  if (!b) return a;
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = {};
  for (const key of KEYS) {
    const value = a[key] === undefined && b[key] === undefined ? undefined : (a[key] ?? 0) + (b[key] ?? 0);
    if (value !== undefined) sum[key] = value;
  }
  return sum;
}

/** Input and output tokens together; undefined where neither is known. */
export function tokensOf(usage: Usage): number | undefined {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return undefined;
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}

/** What is usable of a usage that a plug-in gave: numbers that can be counted. Undefined where there is none. */
export function knownUsage(given: unknown): Usage | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const known: { -readonly [K in keyof Usage]: Usage[K] } = {};
  for (const key of KEYS) {
    const value: unknown = Reflect.get(given, key);
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) known[key] = value;
  }
  return Object.keys(known).length > 0 ? known : undefined;
}
