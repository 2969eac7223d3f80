/** Formats records as CSV (RFC 4180, LF line endings). */
export async function csvOf(records: readonly (readonly unknown[])[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  return stringify([...records])
}
