/**
 * Maps items with limited concurrency and returns the results in input order. The first failure stops new work and is
 * thrown once the running calls have ended.
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  let failed: { readonly error: unknown } | undefined
  const worker = async () => {
    while (next < items.length && failed === undefined) {
      const at = next++
      try {
        results[at] = await work(items[at] as T, at)
      } catch (error) {
        failed ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  if (failed) throw failed.error
  return results
}
