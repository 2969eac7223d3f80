/**
 * Rows per statement: within every engine's parameter limit, and a constant size so that the prepared statement is
 * reused.
 */
const partSize = 100

/** Processes a long list in parts, in order. */
export async function inParts<Row>(
  rows: readonly Row[],
  work: (part: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += partSize) await work(rows.slice(from, from + partSize))
}
