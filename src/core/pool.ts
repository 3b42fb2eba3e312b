/**
 * Runs `work` on every item, at most `limit` at a time; results in the order of the items. Where one rejects, no
 * further item begins, and the first reason is passed on once all that had begun have settled.
 */
export async function pool<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length && failures.length === 0; index = next++) {
      try {
        results[index] = await work(items[index] as T, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
