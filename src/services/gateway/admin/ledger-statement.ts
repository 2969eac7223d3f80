import type { EntryRow } from '../../../db/schema/gateway.ts'
import type { Reader } from '../../../db/store.ts'
import { accountFrom, accountName } from '../../../domain/payments/ledger.ts'
import { type LedgerEntry, LedgerTally } from '../../../domain/payments/ledger-tally.ts'
import { balancesOfMerchant, entriesOfPostings, postingsOf } from '../queries/ledger.ts'
import { orderIdsOf } from '../queries/payments.ts'
import type { Gateway } from '../service.ts'
import { theMerchant } from './platform.ts'

/** The ledger of a merchant: every posting that moves its money, with the accounts on the other side. */

/** An entry of the statement. */
export interface StatedEntry extends LedgerEntry {
  readonly position: number
  /** Balance of the account after the entry; of an outside account, the merchant's part. */
  readonly balance: bigint
  readonly ref: string
  /** Merchant's `order_id` of the payment that the reference names. */
  readonly orderId: string | null
}

export interface LedgerRange {
  /** First and last moment of the range, inclusive, in epoch milliseconds; undefined for no limit. */
  readonly from: number | undefined
  readonly to: number | undefined
}

const postingsAtOnce = 500

/**
 * Reads the ledger of a merchant in the order of time, on one snapshot. `onEntries` gets the entries of the range.
 * Those before and after it are read too: the tally needs them for the opening balances and to verify the stored ones.
 */
export function readLedger(
  app: Gateway,
  merchantId: string,
  range: LedgerRange,
  onEntries: (entries: readonly StatedEntry[]) => Promise<void>,
): Promise<{ readonly tally: LedgerTally; readonly now: number }> {
  return app.store.read(async (reader) => {
    await theMerchant(reader, merchantId)
    const stored = await balancesOfMerchant(reader, merchantId)
    const tally = new LedgerTally(range)
    const ids = await postingIds(
      reader,
      stored.map(({ account }) => account),
    )
    for (let i = 0; i < ids.length; i += postingsAtOnce) {
      const rows = await entriesOfPostings(reader, ids.slice(i, i + postingsAtOnce))
      const stated = tallied(tally, rows)
      const orders = await orderIdsOf(reader, paymentIdsIn(stated))
      if (stated.length > 0)
        await onEntries(stated.map((entry) => ({ ...entry, orderId: orders.get(paymentIdOf(entry.ref)) ?? null })))
    }
    tally.close(stored.map((row) => ({ name: row.account, units: BigInt(row.units) })))
    return { tally, now: reader.now }
  })
}

/** Returns the ids of all postings that touch the accounts, in the order of time. */
async function postingIds(reader: Reader, accounts: readonly string[]): Promise<string[]> {
  const times = new Map<string, number>()
  for (const account of accounts)
    for await (const rows of postingsOf(reader, account)) for (const { posting, at } of rows) times.set(posting, at)
  const order = [...times].sort(([a, atA], [b, atB]) => atA - atB || (a < b ? -1 : 1))
  return order.map(([posting]) => posting)
}

function tallied(tally: LedgerTally, rows: readonly EntryRow[]): Omit<StatedEntry, 'orderId'>[] {
  const byPosting = Map.groupBy(rows, ({ posting }) => posting)
  const postings = [...byPosting.values()].sort(
    ([a], [b]) => (a?.at ?? 0) - (b?.at ?? 0) || ((a?.posting ?? '') < (b?.posting ?? '') ? -1 : 1),
  )
  return postings.flatMap((entries) => {
    const parts = entries.map((row) => ({ ...entryOf(row), position: row.position, ref: row.ref }))
    tally.checkPosting(parts, parts[0]?.ref ?? '')
    return parts.flatMap((part) => {
      const balance = tally.add(part)
      return balance === undefined ? [] : [{ ...part, balance }]
    })
  })
}

function entryOf({ posting, account, units, at }: EntryRow): LedgerEntry {
  const parts = accountFrom(account)
  return { posting, at, account: parts, name: accountName(parts), units: BigInt(units) }
}

const paymentIdOf = (ref: string) => Number(/^payment\/([0-9]+)$/.exec(ref)?.[1] ?? 0)

const paymentIdsIn = (entries: readonly { readonly ref: string }[]) => [
  ...new Set(entries.map(({ ref }) => paymentIdOf(ref)).filter((id) => id !== 0)),
]
