/**
 * Maps with at most `limit` calls running at a time; results in the order of the items. After a failure no further call begins;
 * the first failure rejects once those that run have ended, so that whoever cleans up then is alone.
 */
export async function mapLimited<T, R>(
  items: readonly T[],
  limit: number,
  f: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failures: unknown[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < items.length && failures.length === 0; i = next++) {
      try {
        results[i] = await f(items[i] as T, i);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}
