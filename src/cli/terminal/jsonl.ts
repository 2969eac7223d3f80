import type { TSchema } from 'typebox'
import { nearest } from '../../kit/nearest.ts'
import { Problem } from '../../kit/problem.ts'
import { fieldOf, type Row } from './table.ts'

/** Rows of a list for `--jsonl`: the elements of the result's list, before the envelope. */

/** Returns the name of the list in a result: the given one, else the first list. */
export function listIn(data: unknown, listName: string | undefined): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  if (listName !== undefined) return listName
  return Object.entries(data).find(([, value]) => Array.isArray(value))?.[0]
}

/** Splits a result into the rows and the rest for the last line. */
export function splitResult(
  data: unknown,
  listName: string | undefined,
): { rows: readonly Row[]; rest: object | null } {
  const name = listIn(data, listName)
  if (typeof data !== 'object' || data === null || name === undefined) return { rows: [], rest: data as object | null }
  const { [name]: list, ...rest } = data as Record<string, unknown>
  return { rows: Array.isArray(list) ? list.filter(isRow) : [], rest }
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

/** Returns the fields of `--columns`, in that order; all without it. */
export function onlyFields(row: Row, names: readonly string[] | undefined): Row {
  return names === undefined ? row : Object.fromEntries(names.map((name) => [name, fieldOf(row, name) ?? null]))
}

/** Rejects unknown field names before any request. */
export function checkFields(names: readonly string[], data: TSchema | undefined, listName: string | undefined): void {
  const known = fieldsOfList(data, listName)
  if (known === undefined) return
  const unknown = names.find((name) => !known.includes(name) && !known.includes(name.split('.')[0] ?? ''))
  if (unknown === undefined) return
  const near = nearest(unknown, known, 1)[0]
  const hint = near === undefined ? `available fields: ${known.join(', ')}` : `did you mean ${near}?`
  throw new Problem('INVALID_USAGE', `Unknown field "${unknown}"; ${hint}`, { columns: known, nearest: near })
}

/** Returns the field names of a command's rows by its schema. Undefined if rows can have any field. */
export function fieldsOfList(data: TSchema | undefined, listName: string | undefined): string[] | undefined {
  const properties = propertiesOf(data)
  const lists = Object.entries(properties ?? {}).filter(([, each]) => itemsOf(each) !== undefined)
  const [, list] = lists.find(([name]) => listName === undefined || name === listName) ?? []
  const fields = propertiesOf(itemsOf(list))
  return fields && Object.keys(fields)
}

type Schemas = Readonly<Record<string, unknown>>
const propertiesOf = (schema: unknown): Schemas | undefined => {
  const properties = isRow(schema) ? Reflect.get(schema, 'properties') : undefined
  return isRow(properties) ? (properties as Schemas) : undefined
}
const itemsOf = (schema: unknown): unknown => (isRow(schema) ? Reflect.get(schema, 'items') : undefined)
