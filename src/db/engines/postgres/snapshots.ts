import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { realAmbient } from '../../../kit/ambient.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Tables } from '../../schema/index.ts'
import type { Semaphore } from '../semaphore.ts'
import type { ComparedSchemas, SnapshotDraft, SnapshotStorage } from '../snapshot-storage.ts'
import { beginCopies, quotedName, rowsOf, tableCopies, tablesOf } from './clone-schema.ts'
import type { PgClient } from './connection.ts'
import { errorKindOf } from './errors.ts'
import { tableShape } from './table-shape.ts'
import type { Transactions } from './transactions.ts'

/** Time that the exchange of the tables waits for running transactions, per attempt; new ones wait behind it. */
const lockMs = 2_000
const maxAttempts = 10

/** Maximum number of connections that copy tables at the same time: the server then copies on as many processors. */
const copiers = 3

/** The transactions of a database and the address it was opened with. */
export interface PostgresSnapshotDependencies {
  readonly url: string
  readonly schema: string | undefined
  readonly transactions: Transactions
  /** Number of its connections, and the waiting for one. */
  readonly size: number
  readonly semaphore: Semaphore
}

/** Snapshots of a database on PostgreSQL: schemas next to its own. */
export function postgresSnapshots(dependencies: PostgresSnapshotDependencies): SnapshotStorage {
  return new SchemaSnapshots(dependencies)
}

const repeatable = 'start transaction isolation level repeatable read'
const plain = 'start transaction isolation level read committed'

class SchemaSnapshots implements SnapshotStorage {
  readonly #dependencies: PostgresSnapshotDependencies
  #schema: Promise<string> | undefined

  constructor(dependencies: PostgresSnapshotDependencies) {
    this.#dependencies = dependencies
  }

  async list() {
    const prefix = await this.#prefix('snapshot')
    const schemas = await this.#run(plain, (client) =>
      rowsOf<{ schema: string; name: string | null }>(
        client,
        `select nspname as schema, obj_description(oid, 'pg_namespace') as name from pg_namespace where starts_with(nspname, $1)`,
        [prefix],
      ),
    )
    return schemas.flatMap(({ schema, name }) => (name === null ? [] : [{ name, url: this.#urlOf(schema) }]))
  }

  async copyLive(): Promise<SnapshotDraft> {
    return this.#copyOf(await this.#main())
  }

  async copySnapshot(name: string): Promise<SnapshotDraft> {
    return this.#copyOf(await this.#schemaOf(name))
  }

  empty(): Promise<SnapshotDraft> {
    return this.#draft()
  }

  compare<T>(from: string, to: string, work: (q: Kysely<Tables>, schemas: ComparedSchemas) => Promise<T>): Promise<T> {
    const schemaIn = (url: string) => new URL(url).searchParams.get('schema') ?? 'public'
    return this.#dependencies.transactions.once('read', async (q) => {
      await sql`set local statement_timeout = 0`.execute(q)
      return work(q, { from: schemaIn(from), to: schemaIn(to), shapeOf: (table) => tableShape(q, table) })
    })
  }

  async remove(name: string): Promise<boolean> {
    const schema = await this.#schemaOf(name)
    return this.#run(plain, async (client) => {
      const found = await rowsOf(client, 'select 1 from pg_namespace where nspname = $1', [schema])
      await drop(client, schema)
      return found.length > 0
    })
  }

  async sweep(): Promise<void> {
    const prefix = await this.#prefix('draft')
    await this.#run(plain, async (client) => {
      const text = 'select nspname as schema from pg_namespace where starts_with(nspname, $1)'
      for (const { schema } of await rowsOf<{ schema: string }>(client, text, [prefix])) await drop(client, schema)
    })
  }

  async #draft(): Promise<SnapshotDraft & { readonly schema: string }> {
    const schema = `${await this.#prefix('draft')}${realAmbient().id().toLowerCase()}`
    return {
      schema,
      url: this.#urlOf(schema),
      publish: (name) => this.#publish(schema, name),
      load: () => this.#load(schema),
      discard: () => this.#run(plain, (client) => drop(client, schema)),
    }
  }

  async #copyOf(schema: string): Promise<SnapshotDraft> {
    const draft = await this.#draft()
    try {
      await this.#run(plain, (client) => client.query({ text: `create schema ${quotedName(draft.schema)}` }))
      await this.#run(repeatable, (client) => this.#copy(client, schema, draft.schema))
      return draft
    } catch (error) {
      await draft.discard()
      throw error
    }
  }

  /** Copies all tables in several transactions, which see the database as the first one does. */
  async #copy(client: PgClient, from: string, to: string): Promise<void> {
    const [row] = await rowsOf<{ id: string }>(client, 'select pg_export_snapshot() as id')
    const copies = await tableCopies(client, from)
    const copyNext = async (each: PgClient) => {
      await beginCopies(each, to)
      for (let next = copies.shift(); next; next = copies.shift()) await each.query({ text: next.statements })
    }
    const others = Array.from({ length: Math.min(copiers, this.#dependencies.size) - 1 }, () =>
      this.#run(repeatable, async (other) => {
        await other.query({ text: `set transaction snapshot '${row?.id}'` })
        await copyNext(other)
      }),
    )
    const ends = await Promise.allSettled([copyNext(client), ...others])
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  async #publish(draft: string, name: string): Promise<boolean> {
    const schema = await this.#schemaOf(name)
    return this.#run(plain, async (client) => {
      const taken = await rowsOf(client, 'select 1 from pg_namespace where nspname = $1', [schema])
      if (taken.length > 0) return false
      await client.query({ text: `alter schema ${quotedName(draft)} rename to ${quotedName(schema)}` })
      // The name has letters, digits, hyphens and underscores only.
      await client.query({ text: `comment on schema ${quotedName(schema)} is '${name.replaceAll("'", "''")}'` })
      return true
    })
  }

  /** Exchanges the tables in one transaction. Every transaction of a world reads its own row first, and so waits for it. */
  async #load(draft: string): Promise<void> {
    const main = await this.#main()
    const old = `${draft}_old`
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#run(plain, (client) => exchange(client, { main, draft, old }))
        break
      } catch (error) {
        if (errorKindOf(error) !== 'timeout' && errorKindOf(error) !== 'conflict') throw error
        if (attempt >= maxAttempts)
          throw new Problem('STORE_BUSY', 'The database is in use by a long transaction; nothing was loaded', {
            outcome: 'none',
          })
        await wait(50 * attempt)
      }
    }
    await this.#run(plain, async (client) => {
      await drop(client, old)
      await drop(client, draft)
    })
  }

  #run<T>(statement: string, work: (client: PgClient) => Promise<T>): Promise<T> {
    return this.#dependencies.semaphore.run(async () => {
      const client = await this.#dependencies.transactions.begin(statement)
      let isDone = false
      try {
        const value = await work(client)
        await client.query({ text: 'commit' })
        isDone = true
        return value
      } finally {
        // A failed transaction ends with its connection.
        client.release(!isDone)
      }
    })
  }

  #main(): Promise<string> {
    this.#schema ??= this.#run(plain, async (client) => {
      const [row] = await rowsOf<{ schema: string }>(client, 'select current_schema() as schema')
      return this.#dependencies.schema ?? row?.schema ?? 'public'
    })
    return this.#schema
  }

  async #prefix(kind: 'snapshot' | 'draft'): Promise<string> {
    return `countroom_${kind}_${sha256Hex(await this.#main()).slice(0, 10)}_`
  }

  async #schemaOf(name: string): Promise<string> {
    return `${await this.#prefix('snapshot')}${sha256Hex(name).slice(0, 16)}`
  }

  #urlOf(schema: string): string {
    const url = new URL(this.#dependencies.url)
    url.searchParams.set('schema', schema)
    return url.href
  }
}

async function exchange(
  client: PgClient,
  { main, draft, old }: { readonly main: string; readonly draft: string; readonly old: string },
): Promise<void> {
  const [target, source, away] = [main, draft, old].map(quotedName)
  await client.query({ text: `set local lock_timeout = ${lockMs}` })
  await client.query({ text: `lock table ${target}.store_world in access exclusive mode` })
  const moves = [
    ...(await tablesOf(client, main)).map((name) => `alter table ${target}.${quotedName(name)} set schema ${away}`),
    ...(await tablesOf(client, draft)).map((name) => `alter table ${source}.${quotedName(name)} set schema ${target}`),
  ]
  await client.query({ text: [`create schema ${away}`, ...moves].join(';') })
}

async function drop(client: PgClient, schema: string): Promise<void> {
  await client.query({ text: `drop schema if exists ${quotedName(schema)} cascade` })
}
