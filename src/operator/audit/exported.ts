import { parse } from 'csv-parse/sync'
import { type AuditEntry, type AuditFacts, chained, entryFields } from '../../domain/audit/chain.ts'
import { withoutFormula } from '../../domain/spreadsheet-formula.ts'
import { Problem } from '../../kit/problem.ts'

/** Entries of an exported audit trail, as they are in the file. */

const textFields = entryFields.filter((field) => field !== 'seq')

/** Reads a file of `audit export`: JSON if its text starts with a bracket, else CSV. Throws INVALID_FILE for another one. */
export function exportedEntries(input: string, name: string): AuditEntry[] {
  const text = input.replace(/^\uFEFF/, '')
  const isJson = text.trimStart().startsWith('[')
  const records = isJson ? jsonRecords(text, name) : csvRecords(text, name)
  return records.map((record, i) => {
    const seq = Number(record['seq'])
    const absent = textFields.find((field) => typeof record[field] !== 'string')
    if (!Number.isSafeInteger(seq) || absent !== undefined)
      throw new Problem('INVALID_FILE', `${name}: entry ${i + 1} of the file has no valid ${absent ?? 'seq'}`, {
        file: name,
      })
    const entry = { ...(record as unknown as AuditEntry), seq }
    return isJson ? entry : withoutApostrophes(entry)
  })
}

function jsonRecords(text: string, name: string): Record<string, unknown>[] {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list.map((each) => (typeof each === 'object' && each !== null ? each : {}))
  } catch {
    // The parser's message quotes the file.
  }
  throw new Problem('INVALID_FILE', `${name} is not valid JSON`, { file: name })
}

function csvRecords(text: string, name: string): Record<string, unknown>[] {
  const lines = csvLines(text, name)
  const [header = []] = lines
  const absent = entryFields.filter((field) => !header.includes(field))
  // Without its header it could be any file, and a trail without entries is intact.
  if (absent.length > 0)
    throw new Problem('INVALID_FILE', `${name} is not an exported audit trail: it has no column ${absent.join(', ')}`, {
      file: name,
    })
  return lines.slice(1).map((cells) => Object.fromEntries(header.map((field, i) => [field, cells[i]])))
}

function csvLines(text: string, name: string): string[][] {
  try {
    return parse(text, { skip_empty_lines: true, relax_column_count: true })
  } catch {
    throw new Problem('INVALID_FILE', `${name} is not valid CSV`, { file: name })
  }
}

/** Removes the apostrophes that an export puts before formulas. The hash shows which texts had one before. */
function withoutApostrophes(entry: AuditEntry): AuditEntry {
  const { previous, hash, ...facts } = entry
  const plain = Object.fromEntries(
    Object.entries(facts).map(([field, value]) => [field, typeof value === 'string' ? unescaped(value) : value]),
  ) as unknown as AuditFacts
  return chained(facts, previous).hash === hash ? entry : { ...plain, previous, hash }
}

const unescaped = (text: string): string => (withoutFormula(text.slice(1)) === text ? text.slice(1) : text)
