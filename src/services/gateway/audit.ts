import { sum } from '../../domain/money.ts'
import { allBalances, allEntries } from './queries/ledger.ts'
import type { Gateway } from './service.ts'

/** Checks that the entries of every posting sum to zero in each currency. Returns a sentence for each fault. */
export async function auditLedger({ store }: Gateway): Promise<{ postings: number; faults: string[] }> {
  const { entries, balances } = await store.read(async (reader) => ({
    entries: await allEntries(reader),
    balances: await allBalances(reader),
  }))
  const currencies = new Map(balances.map(({ account, currency }) => [account, currency]))
  const postings = Map.groupBy(entries, ({ posting }) => posting)
  const faults = [...postings].flatMap(([posting, rows]) =>
    [...Map.groupBy(rows, ({ account }) => currencies.get(account) ?? account)].flatMap(([currency, parts]) => {
      const total = sum(parts.map(({ units }) => BigInt(units)))
      return total === 0n ? [] : [`posting ${posting} (${parts[0]?.ref}) sums to ${total} units of ${currency}`]
    }),
  )
  return { postings: postings.size, faults }
}
