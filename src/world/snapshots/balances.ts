import { type Kysely, sql } from 'kysely'
import type { ComparedSchemas } from '../../db/engines/snapshot-storage.ts'
import type { Tables } from '../../db/schema/index.ts'
import { formatAmount, parseAmount } from '../../domain/money.ts'

/** Net change of the balance of a player, or of a merchant of the gateway. */
export interface BalanceChange {
  readonly username: string
  readonly environment: string
  readonly currency: string
  readonly before: string
  readonly after: string
  readonly delta: string
}

interface PlayerBalance {
  readonly tenant: string
  readonly username: string
  readonly environment: string
  readonly currency: string
  readonly balance: string
}

/** Nets the balances of two copies per player and currency. */
export async function netBalances(q: Kysely<Tables>, { from, to }: ComparedSchemas): Promise<BalanceChange[]> {
  const [before, after] = [await balancesIn(q, from), await balancesIn(q, to)]
  const changes: BalanceChange[] = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, current] = [before.get(key), after.get(key)]
    const player = current ?? old
    const [units, unitsBefore] = [parseAmount(current?.balance ?? '0'), parseAmount(old?.balance ?? '0')]
    if (player === undefined || units === unitsBefore) continue
    changes.push({
      username: player.username,
      environment: player.environment,
      currency: player.currency,
      before: formatAmount(unitsBefore),
      after: formatAmount(units),
      delta: formatAmount(units - unitsBefore),
    })
  }
  const text = ({ environment, username, currency }: BalanceChange) => `${environment} ${username} ${currency}`
  return changes.sort((a, b) => (text(a) < text(b) ? -1 : 1))
}

async function balancesIn(q: Kysely<Tables>, schema: string): Promise<Map<string, PlayerBalance>> {
  const { rows } = await sql<PlayerBalance>`
    select p.tenant, p.username, t.environment, p.currency, p.balance
    from ${sql.table(`${schema}.casino_players`)} as p join ${sql.table(`${schema}.casino_tenants`)} as t on t.code = p.tenant`.execute(
    q,
  )
  return new Map(rows.map((row) => [`${row.tenant} ${row.username} ${row.currency}`, row]))
}
