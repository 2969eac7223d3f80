import assert from 'node:assert/strict'
import type { CompiledQuery, QueryResult } from 'kysely'
import type { SharedTransaction } from '../engine.ts'
import type { PipelinedConnection } from '../kysely-dialect.ts'
import { assertPlain } from '../value-check.ts'

/** Subset of a PostgreSQL driver's client that is used here. */
export interface PgClient {
  /** True if queries may be sent before the previous response has arrived. */
  readonly isPipelined?: boolean
  query(query: PgQuery): Promise<PgResult>
  /** Returns it to the pool, or destroys it when it is broken. */
  release(broken: boolean): void
}

export interface PgQuery {
  text: string
  values?: unknown[]
  /** Name under which the server keeps the prepared statement. */
  name?: string
}

export interface PgResult {
  command: string
  rowCount: number | null
  rows: unknown[]
}

/** Subset of a PostgreSQL driver's pool that is used here. */
export interface PgPool {
  connect(): Promise<PgClient>
  end(): Promise<void>
}

/** A PostgreSQL connection for Kysely. */
export class PostgresConnection implements PipelinedConnection, SharedTransaction {
  /** Resolves when the transaction has begun. */
  begun: Promise<void> = Promise.resolve()
  /** Number of queries that may have changed data. */
  changes = 0
  /** Called when a query was sent, before its response. */
  onSent: (() => void) | undefined
  #client: PgClient
  #nameOf: (sql: string) => string | undefined

  constructor(client: PgClient, nameOf: (sql: string) => string | undefined) {
    this.#client = client
    this.#nameOf = nameOf
  }

  get isPipelined(): boolean {
    return this.#client.isPipelined === true
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    assertPlain(parameters)
    const name = this.#nameOf(sql)
    const query = { text: sql, values: [...parameters] }
    const response = this.#client.query(name === undefined ? query : { ...query, name })
    this.onSent?.()
    const { command, rowCount, rows } = await response
    if (rowCount !== 0 && !/^\s*select\b/i.test(sql)) this.changes += 1
    // The query's type promises the row type.
    if (command === 'SELECT' || rowCount === null) return { rows: rows as R[] }
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount) }
  }

  // biome-ignore lint/correctness/useYield: streaming is not supported, so there is nothing to yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('queries are not streamed: an open stream would block all other queries of its transaction')
  }
}

/** Prepared statements per connection. */
const maxNames = 500

/**
 * Returns names for statements worth preparing: those that occur repeatedly. The first `namesKept` keep their names,
 * because a server holds what it has prepared. Lists of varying length are too rare to get one.
 */
export function createNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  let seen = new Set<string>()
  return (sql) => {
    const name = names.get(sql)
    if (name !== undefined || names.size >= maxNames) return name
    if (seen.delete(sql)) names.set(sql, `q${names.size}`)
    else {
      if (seen.size >= maxNames) seen = new Set()
      seen.add(sql)
    }
    return undefined
  }
}

const wholeNumber = (text: string): number => {
  const value = Number(text)
  assert(Number.isSafeInteger(value), 'a whole number from the database exceeds the range of JavaScript numbers')
  return value
}

/** Parsers of PostgreSQL's values by type id; they return what SQLite would. */
export const valueParsers: Readonly<Record<number, (text: string) => number>> = {
  16: (text) => (text === 't' || text === 'true' ? 1 : 0), // bool
  20: wholeNumber, // int8, such as counts
  1700: wholeNumber, // numeric, such as sums of int8
}
