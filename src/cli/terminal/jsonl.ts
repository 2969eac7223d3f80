import type { TSchema } from 'typebox'
import { Problem } from '../../kit/problem.ts'
import { nearest } from '../../world/config/did-you-mean.ts'
import { fieldOf, type Row } from './table.ts'

/** The rows of a list as `--jsonl` prints them: the elements of the result's own list, in front of how the run ended. */

/** The name of the list in a result: the first there is, unless the command says which. */
export function listIn(data: unknown, said: string | undefined): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  if (said !== undefined) return said
  return Object.entries(data).find(([, value]) => Array.isArray(value))?.[0]
}

/** A result taken apart: the rows that get lines of their own, and what is left for the last line. */
export function takenApart(data: unknown, said: string | undefined): { rows: readonly Row[]; rest: object | null } {
  const name = listIn(data, said)
  if (typeof data !== 'object' || data === null || name === undefined) return { rows: [], rest: data as object | null }
  const { [name]: list, ...rest } = data as Record<string, unknown>
  return { rows: Array.isArray(list) ? list.filter(isRow) : [], rest }
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

/** The fields that `--columns` names, in that order; all where it names none. */
export function onlyFields(row: Row, names: readonly string[] | undefined): Row {
  return names === undefined ? row : Object.fromEntries(names.map((name) => [name, fieldOf(row, name) ?? null]))
}

/** Refuses a name that no row of the command's list has, before any service is asked. */
export function checkFields(names: readonly string[], data: TSchema | undefined, said: string | undefined): void {
  const known = fieldsOfList(data, said)
  if (known === undefined) return
  const unknown = names.find((name) => !known.includes(name) && !known.includes(name.split('.')[0] ?? ''))
  if (unknown === undefined) return
  const near = nearest(unknown, known, 1)[0]
  const hint = near === undefined ? `there are ${known.join(', ')}` : `did you mean ${near}?`
  throw new Problem('INVALID_USAGE', `A row has no field "${unknown}"; ${hint}`, { columns: known, nearest: near })
}

/** The fields of a command's rows by its schema; undefined where a row may have any. */
export function fieldsOfList(data: TSchema | undefined, said: string | undefined): string[] | undefined {
  const properties = propertiesOf(data)
  const lists = Object.entries(properties ?? {}).filter(([, each]) => itemsOf(each) !== undefined)
  const [, list] = lists.find(([name]) => said === undefined || name === said) ?? []
  const fields = propertiesOf(itemsOf(list))
  return fields && Object.keys(fields)
}

type Schemas = Readonly<Record<string, unknown>>
const propertiesOf = (schema: unknown): Schemas | undefined => {
  const found = isRow(schema) ? Reflect.get(schema, 'properties') : undefined
  return isRow(found) ? (found as Schemas) : undefined
}
const itemsOf = (schema: unknown): unknown => (isRow(schema) ? Reflect.get(schema, 'items') : undefined)
