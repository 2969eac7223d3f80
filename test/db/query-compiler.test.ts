import { CompiledQuery, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/db/store.ts'
import { inMemory, testWorld } from '../support/worlds/world.ts'

/** SQLite compiles a statement again for each execution if its plan depends on a bound value. */
describe('on SQLite, the planner', () => {
  const players = (store: Store, condition: ReturnType<typeof sql<boolean>>) =>
    store.read(async ({ q }) => {
      const query = q.selectFrom('casino_players').selectAll().where('tenant', '=', 'T').where(condition)
      const { sql: text, parameters } = query.orderBy('name_key').limit(5).compile()
      const explained = CompiledQuery.raw(`explain query plan ${text}`, [...parameters])
      const { rows } = await q.executeQuery<{ detail: string }>(explained)
      return { text, plan: rows.map(({ detail }) => detail) }
    })

  test('does not know the values of conditions and limits', async () => {
    const { store } = await testWorld({ on: inMemory })
    expect((await players(store, sql`status in (${'active'}, ${'locked'})`)).text).toBe(
      'select * from "casino_players" where "tenant" = +? and status in (+?, +?) order by "name_key" limit +?',
    )
  })

  test('knows the beginning of a pattern, and reads that range of the index', async () => {
    const { store } = await testWorld({ on: inMemory })
    const { plan } = await players(store, sql`name_key like ${'amy%'} escape '\\'`)
    expect(plan).toEqual([expect.stringContaining('(tenant=? AND name_key>? AND name_key<?)')])
  })
})
