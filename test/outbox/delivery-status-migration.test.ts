import { CompiledQuery, type Kysely, sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { world as worldMigrations } from '../../src/db/migrations/world/index.ts'
import type { Reader, Tx } from '../../src/db/store.ts'
import { deleteEnded, deliveriesBy, leaseDue, nextDueAt, releaseReordered, urlsDue } from '../../src/outbox/queries.ts'
import { keepingEngines } from '../support/databases/engines.ts'

const now = 1_000_000
const url = 'https://a.example/'
const oldTexts = {
  delay: 'held back by an injected fault',
  reorder: 'held back by an injected fault until a later delivery was sent',
  firstDelay: 'held back by a fault that is set',
  firstReorder: 'held back, by a fault that is set, for a later one to go first',
}

/** A delivery in the format of the previous version, with the values that determine its status. */
interface OldRow {
  readonly id: string
  readonly state?: 'owed' | 'delivered' | 'dead'
  readonly due_at?: number
  readonly claim?: string
  readonly tries?: number
  readonly most_tries?: number
  readonly attempts?: number
  readonly ended_at?: number
  readonly last_error?: string
  readonly revived_by?: string
}

const oldRows: readonly OldRow[] = [
  { id: 'a-new', due_at: 10 },
  {
    id: 'b-retried',
    due_at: now + 5,
    tries: 2,
    most_tries: 3,
    attempts: 12,
    last_error: 'answered 500',
    revived_by: 'console',
  },
  { id: 'c-in-flight', due_at: now + 60_000, claim: 'L1' },
  { id: 'd-lease-expired', due_at: now - 1, claim: 'L2', tries: 1, attempts: 1, last_error: 'answered 500' },
  { id: 'e-delayed', due_at: now + 600_000, last_error: oldTexts.delay },
  { id: 'f-reordered', due_at: now + 60_000, last_error: oldTexts.reorder },
  { id: 'g-delayed-0.1', due_at: now + 600_000, last_error: oldTexts.firstDelay },
  { id: 'h-reordered-0.1', due_at: now + 60_000, last_error: oldTexts.firstReorder },
  { id: 'i-held-and-leased', due_at: now + 60_000, claim: 'L3', last_error: oldTexts.delay },
  { id: 'j-delivered', state: 'delivered', due_at: 10, tries: 1, attempts: 1, ended_at: 20 },
  { id: 'k-failed', state: 'dead', due_at: 10, tries: 10, attempts: 10, ended_at: 20, last_error: 'answered 410' },
  { id: 'l-disabled', state: 'dead', due_at: 10, ended_at: 20, last_error: 'the webhook is disabled' },
]

describe.each(keepingEngines)('a world migrated on $name', (engine) => {
  async function migrated() {
    const database = await engine.database()
    const { steps } = worldMigrations
    const end = steps.findIndex(({ name }) => name === '0105-delivery-status')
    expect(end).toBeGreaterThan(0)
    const old = await database.open({ migrations: { ...worldMigrations, steps: steps.slice(0, end) }, now: () => now })
    await old.write(async ({ q }) => {
      for (const row of oldRows) await insertOld(q as Kysely<unknown>, row)
    })
    await old.close()
    const store = await database.open({ migrations: worldMigrations, now: () => now })
    onTestFinished(() => store.close())
    const rows = () => store.read(async (reader) => byId(await deliveriesBy(reader, { limit: 100 })))
    return { store, rows }
  }

  test('gives each delivery the status it had', async () => {
    const { rows } = await migrated()
    const statuses = (await rows()).map(({ id, status, held_by }) => [id, status, held_by])
    expect(statuses).toEqual([
      ['a-new', 'pending', null],
      ['b-retried', 'pending', null],
      ['c-in-flight', 'leased', null],
      ['d-lease-expired', 'leased', null],
      ['e-delayed', 'held', 'delay'],
      ['f-reordered', 'held', 'reorder'],
      ['g-delayed-0.1', 'held', 'delay'],
      ['h-reordered-0.1', 'held', 'reorder'],
      ['i-held-and-leased', 'leased', 'delay'],
      ['j-delivered', 'delivered', null],
      ['k-failed', 'failed', null],
      ['l-disabled', 'failed', null],
    ])
  })

  test('keeps the times, the leases and the numbers of attempts', async () => {
    const { rows } = await migrated()
    for (const [i, row] of (await rows()).entries()) {
      const old = oldRows[i]
      expect(row).toMatchObject({
        id: old?.id,
        scheduled_at: old?.due_at,
        lease: old?.claim ?? null,
        attempt: old?.tries ?? 0,
        max_attempts: old?.most_tries ?? null,
        total_attempts: old?.attempts ?? 0,
        ended_at: old?.ended_at ?? null,
        last_error: old?.last_error ?? null,
        redelivered_by: old?.revived_by ?? null,
      })
    }
  })

  test('continues sending: due deliveries are leased, and one held for a later delivery is released by it', async () => {
    const { store, rows } = await migrated()
    expect(await store.read((reader) => nextDueAt(reader, []))).toBe(10)
    expect(await store.read((reader) => urlsDue(reader, [], 10))).toEqual([url])
    await store.write((tx) => releaseReordered(tx, url))
    const leased = await store.write((tx) => leaseDue(tx, url, { lease: 'L9', leaseMs: 60_000, limit: 100 }))
    expect(leased.map(({ id }) => id)).toEqual(['a-new', 'd-lease-expired', 'f-reordered', 'h-reordered-0.1'])
    expect((await rows()).filter(({ lease }) => lease === 'L9').map(({ status }) => status)).toEqual([
      'leased',
      'leased',
      'leased',
      'leased',
    ])
  })

  if (!engine.isPostgres)
    test('finds due deliveries, and deletable ones, by an index of only those', async () => {
      const { store } = await migrated()
      const plans = await store.read((reader) => plansOf(reader, everyQuery))
      expect(plans.length).toBe(everyQuery.length)
      for (const plan of plans) expect(plan).toMatch(/INDEX outbox_deliveries_(due|next|ended)\b/)
    })
})

const byId = <Row extends { id: string }>(rows: readonly Row[]) => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))

async function insertOld(q: Kysely<unknown>, row: OldRow): Promise<void> {
  await sql`insert into outbox_deliveries
    (id, channel, owner, event, subject, url, body, state, due_at, claim, tries, most_tries, attempts, created_at, ended_at,
     last_status, last_error, revived_by)
    values (${row.id}, 'tenant-webhook', 'DEMO', 'test', 's', ${url}, '{}', ${row.state ?? 'owed'}, ${row.due_at ?? 0},
      ${row.claim ?? null}, ${row.tries ?? 0}, ${row.most_tries ?? null}, ${row.attempts ?? 0}, 5, ${row.ended_at ?? null},
      null, ${row.last_error ?? null}, ${row.revived_by ?? null})`.execute(q)
}

const everyQuery: readonly ((reader: Reader) => Promise<unknown>)[] = [
  (reader) => nextDueAt(reader, []),
  (reader) => nextDueAt(reader, [url]),
  (reader) => urlsDue(reader, [], 10),
  (reader) => urlsDue(reader, [url], 10),
  (reader) => deleteEnded(reader as Tx, 10, 10),
]

/** Returns SQLite's plan of the first query of each piece of work. */
async function plansOf(reader: Reader, works: readonly ((reader: Reader) => Promise<unknown>)[]): Promise<string[]> {
  const plans: string[] = []
  for (const work of works) {
    const queries: CompiledQuery[] = []
    const q = reader.q.withPlugin({
      transformQuery: ({ node, queryId }) => {
        queries.push(reader.q.getExecutor().compileQuery(node, queryId))
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await work({ ...reader, q })
    const [first] = queries
    if (!first) continue
    const { rows } = await reader.q.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${first.sql}`, [...first.parameters]),
    )
    plans.push(rows.map(({ detail }) => detail).join('\n'))
  }
  return plans
}
