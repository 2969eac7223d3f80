import assert from 'node:assert/strict'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { assertPlain } from '../value-check.ts'

/** As much of a PostgreSQL driver's client as is used here. */
export interface PgClient {
  query(query: PgQuery): Promise<PgResult>
  /** Gives it back to the pool, or throws it away when it is broken. */
  release(broken: boolean): void
}

export interface PgQuery {
  text: string
  values?: unknown[]
  /** Under a name the server keeps the prepared statement. */
  name?: string
}

export interface PgResult {
  command: string
  rowCount: number | null
  rows: unknown[]
}

/** As much of a PostgreSQL driver's pool as is used here. */
export interface PgPool {
  connect(): Promise<PgClient>
  end(): Promise<void>
}

/** One connection to PostgreSQL, in Kysely's terms. */
export class PostgresConnection implements DatabaseConnection {
  /** How many queries were done that may have changed something. */
  changes = 0
  #client: PgClient
  #nameOf: (sql: string) => string | undefined

  constructor(client: PgClient, nameOf: (sql: string) => string | undefined) {
    this.#client = client
    this.#nameOf = nameOf
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    assertPlain(parameters)
    const name = this.#nameOf(sql)
    const query = { text: sql, values: [...parameters] }
    const { command, rowCount, rows } = await this.#client.query(name === undefined ? query : { ...query, name })
    if (rowCount !== 0 && !/^\s*select\b/i.test(sql)) this.changes += 1
    // What rows look like is a promise of the query's own type.
    if (command === 'SELECT' || rowCount === null) return { rows: rows as R[] }
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount) }
  }

  // biome-ignore lint/correctness/useYield: there is nothing to yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('queries are not streamed: an open one would keep all others of its transaction waiting')
  }
}

/** How many statements are kept prepared on each connection. */
const namesKept = 500

/**
 * Names for the statements that are worth preparing: those that come again. The first `namesKept` of them keep their
 * names for good, since a server holds what it has prepared; lists of varying length are seen too rarely to get one.
 */
export function createNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  let seen = new Set<string>()
  return (sql) => {
    const name = names.get(sql)
    if (name !== undefined || names.size >= namesKept) return name
    if (seen.delete(sql)) names.set(sql, `q${names.size}`)
    else {
      if (seen.size >= namesKept) seen = new Set()
      seen.add(sql)
    }
    return undefined
  }
}

const wholeNumber = (text: string): number => {
  const value = Number(text)
  assert(Number.isSafeInteger(value), 'the database answers with whole numbers that JavaScript can hold')
  return value
}

/** How PostgreSQL's values are read, by their types' ids: as SQLite would give them. */
export const valueParsers: Readonly<Record<number, (text: string) => number>> = {
  16: (text) => (text === 't' || text === 'true' ? 1 : 0), // bool
  20: wholeNumber, // int8, and counts
  1700: wholeNumber, // numeric: the sum of int8
}
