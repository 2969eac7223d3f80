/**
 * Creates a cache of values that are made again at little cost. When it would hold more than `max` values, all are dropped.
 */
export function createCache<T>(max: number): (key: string, make: (key: string) => T) => T {
  const values = new Map<string, T>()
  return (key, make) => {
    const known = values.get(key)
    if (known !== undefined || values.has(key)) return known as T
    const value = make(key)
    if (values.size >= max) values.clear()
    values.set(key, value)
    return value
  }
}
