import { type Kysely, sql } from 'kysely'
import type { ComparedSchemas } from '../../db/engines/snapshot-storage.ts'
import type { Tables } from '../../db/schema/index.ts'
import { formatAmount, parseAmount } from '../../domain/money.ts'
import { amountText } from '../../domain/payments/amounts.ts'
import { type AccountKind, accountKinds } from '../../domain/payments/ledger.ts'

/** Net change of the balance of a player, or of a merchant or sub-account of the gateway, whose ID is then the username. */
export interface BalanceChange {
  readonly username: string
  readonly environment: string
  readonly currency: string
  readonly before: string
  readonly after: string
  readonly delta: string
}

interface Balance {
  readonly username: string
  readonly environment: string
  readonly currency: string
  units: bigint
  format(units: bigint): string
}

/** Nets the balances of two copies per player and currency, and per merchant and coin. */
export async function netBalances(q: Kysely<Tables>, { from, to }: ComparedSchemas): Promise<BalanceChange[]> {
  const [before, after] = [await balancesIn(q, from), await balancesIn(q, to)]
  const changes: BalanceChange[] = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const balance = after.get(key) ?? before.get(key)
    const [units, unitsBefore] = [after.get(key)?.units ?? 0n, before.get(key)?.units ?? 0n]
    if (balance === undefined || units === unitsBefore) continue
    const { username, environment, currency, format } = balance
    const [textBefore, textAfter, delta] = [unitsBefore, units, units - unitsBefore].map(format)
    changes.push({
      username,
      environment,
      currency,
      before: textBefore ?? '',
      after: textAfter ?? '',
      delta: delta ?? '',
    })
  }
  const text = ({ environment, username, currency }: BalanceChange) => `${environment} ${username} ${currency}`
  return changes.sort((a, b) => (text(a) < text(b) ? -1 : 1))
}

async function balancesIn(q: Kysely<Tables>, schema: string): Promise<Map<string, Balance>> {
  return new Map([...(await playersIn(q, schema)), ...(await merchantsIn(q, schema))])
}

async function playersIn(q: Kysely<Tables>, schema: string): Promise<Map<string, Balance>> {
  const { rows } = await sql<Omit<Balance, 'units' | 'format'> & { tenant: string; balance: string }>`
    select p.tenant, p.username, t.environment, p.currency, p.balance
    from ${sql.table(`${schema}.casino_players`)} as p join ${sql.table(`${schema}.casino_tenants`)} as t on t.code = p.tenant`.execute(
    q,
  )
  return new Map(
    rows.map(({ tenant, balance, ...row }) => [
      `player ${tenant} ${row.username} ${row.currency}`,
      { ...row, units: parseAmount(balance), format: formatAmount },
    ]),
  )
}

/** Sums the accounts of each merchant and sub-account: what is available, pending, held and frozen. */
async function merchantsIn(q: Kysely<Tables>, schema: string): Promise<Map<string, Balance>> {
  const { rows } = await sql<{
    kind: AccountKind
    owner: string
    environment: string
    currency: string
    units: string
  }>`
    select b.kind, b.owner, o.environment, b.currency, b.units
    from ${sql.table(`${schema}.gateway_balances`)} as b join (
      select id, environment from ${sql.table(`${schema}.gateway_merchants`)}
      union all select id, environment from ${sql.table(`${schema}.gateway_subaccounts`)}
    ) as o on o.id = b.owner`.execute(q)
  const balances = new Map<string, Balance>()
  for (const { kind, owner, environment, currency, units } of rows) {
    if (accountKinds[kind] !== 'inside') continue
    const key = `merchant ${owner} ${currency}`
    const format = (amount: bigint) => amountText(amount, currency)
    const balance = balances.get(key) ?? { username: owner, environment, currency, units: 0n, format }
    balance.units += BigInt(units)
    balances.set(key, balance)
  }
  return balances
}
