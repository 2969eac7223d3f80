/**
 * Rows per statement: within every engine's parameter limit, and a constant size so that the prepared statement is
 * reused.
 */
const partSize = 100

/** Splits a long list into parts. */
export function partsOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  const count = Math.ceil(rows.length / partSize)
  return Array.from({ length: count }, (_, i) => rows.slice(i * partSize, (i + 1) * partSize))
}

/** Processes a long list in parts, in order. */
export async function inParts<Row>(
  rows: readonly Row[],
  work: (part: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (const part of partsOf(rows)) await work(part)
}
