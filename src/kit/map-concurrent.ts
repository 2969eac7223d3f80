/**
 * Does the same for each, so many at once, and answers in their order. The first failure ends it: nothing new is begun, and
 * it is thrown once what is under way has ended.
 */
export async function atOnce<T, R>(
  items: readonly T[],
  most: number,
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
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  if (failed) throw failed.error
  return results
}
