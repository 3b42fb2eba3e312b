/** The middle of the values; of an even number the lower one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** `12.3 ms`, `1.20 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return `${ms < 100 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** How long `action` takes, in milliseconds. */
export async function timed(action: () => unknown): Promise<number> {
  const began = performance.now();
  await action();
  return performance.now() - began;
}
