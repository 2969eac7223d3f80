/** How many rows one statement takes: few enough for every engine's count of parameters, and a text that comes again. */
const partSize = 100

/** Does something with a long list part by part, in order. */
export async function inParts<Row>(
  rows: readonly Row[],
  work: (part: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += partSize) await work(rows.slice(from, from + partSize))
}
