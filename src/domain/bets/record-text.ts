/** Single fields of a record's text. Parsing all of a record takes ten times as long. */

/** A record with the fields that a book finds it by. */
export interface ReadBet {
  readonly recSeq: number
  readonly slipId: string
  readonly rev: number
  readonly username: string
  readonly settledAt: string
  /** The whole record as compact JSON. */
  readonly record: string
}

/** Fields of a record whose names occur nowhere else in it. */
export type OwnText = 'status' | 'username' | 'currency' | 'winLoss'

/**
 * Returns a text field of a record; undefined if there is none or the record is not JSON. Quotes inside a JSON text are escaped,
 * so that no text can imitate a field.
 */
export function textIn(record: string, name: OwnText): string | undefined {
  const key = `"${name}":"`
  const begin = record.indexOf(key) + key.length
  const end = begin < key.length ? -1 : record.indexOf('"', begin)
  const text = end < 0 ? undefined : record.slice(begin, end)
  if (text !== undefined && !text.includes('\\')) return text
  const value = parsed(record)[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns whether a record is of a seat on site, which has no wallet. */
export function isOnsite(record: string): boolean {
  return record.includes('"onsite"') && parsed(record)['onsite'] === true
}

function parsed(record: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(record)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
