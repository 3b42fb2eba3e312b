/** Milliseconds since some fixed moment. Never jumps back, whatever happens to the wall clock. */
export function monotonicMs(): number {
  return performance.now();
}
