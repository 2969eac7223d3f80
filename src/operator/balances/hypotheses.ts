import { contradictionsOf } from '../../domain/bets/slip-history.ts'
import { formatUnits, playerScale } from '../../domain/money.ts'
import { slipsOf } from '../bets/slips-by-day.ts'
import { contradictionText } from '../reconcile/daily/messages.ts'
import type { ReadingWork } from './read.ts'
import { walletRows } from './readings.ts'
import type { WalletResult } from './schema.ts'
import { uncheckedOf } from './transfers.ts'
import { type Checkpoint, recordOfRow, type WalletHistory } from './wallet-histories.ts'

/** Possible causes of a wallet difference. They are leads, not proofs. */

type Lead = WalletResult['leads'][number]

/** Maximum number of IDs in the message of a lead, and of leads of one kind. */
const maxNamed = 10

export async function leadsFor(
  work: ReadingWork,
  one: WalletHistory,
  { from, rest }: { from: Checkpoint; rest: bigint },
): Promise<Lead[]> {
  if (rest === 0n) return []
  const { amounts, slipIds } = await slipLeads(work, one, from, rest)
  return [
    ...journalLeads(one),
    ...transferLeads(one, rest),
    ...signLeads(one, rest),
    ...amounts,
    ...(await contradictions(work, slipIds)),
    {
      code: 'UNKNOWN_MOVEMENT',
      message: `${one.username}: another transfer or a manual adjustment of ${text(rest)} is missing in the journal and in all ledgers of "reconcile transfers"`,
      amount: text(rest),
      ids: [],
    },
  ]
}

/** Finds our transfers that the platform no longer has although it confirmed them, or has with other content. */
function journalLeads(one: WalletHistory): Lead[] {
  const missing = uncheckedOf(one.journal, one.transfers)
  const known = new Map(one.transfers.flatMap((each) => (each.at === null ? [] : [[each.txnId, each] as const])))
  const other = one.journal.filter((row) => {
    const transfer = known.get(row.txn_id)
    return (
      row.state === 'done' &&
      transfer !== undefined &&
      (transfer.dir !== row.dir || text(transfer.amount) !== row.amount)
    )
  })
  const leads: Lead[] = []
  if (missing.length > 0)
    leads.push({
      code: 'TRANSFER_NOT_AT_PLATFORM',
      message: `${one.username}: the journal has ${named(missing.map(({ txn_id }) => txn_id))} as done, but the platform does not have ${missing.length === 1 ? 'it' : 'them'}`,
      amount: null,
      ids: missing.map(({ txn_id }) => txn_id),
    })
  if (other.length > 0)
    leads.push({
      code: 'TRANSFER_OTHERWISE',
      message: `${one.username}: the platform has ${named(other.map(({ txn_id }) => txn_id))} with another direction or amount than the journal`,
      amount: null,
      ids: other.map(({ txn_id }) => txn_id),
    })
  return leads
}

function transferLeads(one: WalletHistory, rest: bigint): Lead[] {
  const sameAmount = one.transfers.filter(({ amount }) => amount === size(rest))
  if (sameAmount.length === 0) return []
  const ids = sameAmount.map(({ txnId }) => txnId)
  const message = `${one.username}: the difference equals the amount of ${named(ids)}; it may be counted twice or not at all`
  return [{ code: 'TRANSFER_AMOUNT', message, amount: text(rest), ids }]
}

/** A wrong sign of an adjustment changes the balance by twice its amount: the platform does not return the sign. */
function signLeads(one: WalletHistory, rest: bigint): Lead[] {
  return one.transfers
    .filter(({ dir, change }) => dir === 'adjust' && change !== null && change * -2n === rest)
    .slice(0, maxNamed)
    .map(({ txnId }) => ({
      code: 'ADJUSTMENT_SIGN',
      message: `${one.username}: adjustment ${txnId} may have the opposite sign, because the difference is twice its amount and the platform does not return the sign`,
      amount: text(rest),
      ids: [txnId],
    }))
}

async function slipLeads(work: ReadingWork, one: WalletHistory, from: Checkpoint, rest: bigint) {
  const ids = new Set<string>()
  const slipIds = new Set<string>()
  await work.book.store.read(async (reader) => {
    const range = { after: from.place, upTo: one.reading.place, players: [one.player] }
    for await (const rows of walletRows(reader, range)) {
      for (const row of rows) {
        const record = recordOfRow(row)
        slipIds.add(row.slip_id)
        if (!record) continue
        const amounts = [record.delta, record.atStake, record.delta - record.atStake]
        if (amounts.some((amount) => amount !== 0n && size(amount) === size(rest))) ids.add(row.slip_id)
      }
    }
  })
  const message = `${one.username}: the difference equals an amount of slip ${named([...ids])}; it may be counted twice or not at all`
  const amounts: Lead[] = ids.size === 0 ? [] : [{ code: 'SLIP_AMOUNT', message, amount: text(rest), ids: [...ids] }]
  return { amounts, slipIds: [...slipIds] }
}

async function contradictions(work: ReadingWork, slipIds: readonly string[]): Promise<Lead[]> {
  const leads: Lead[] = []
  await work.book.store.read(async (reader) => {
    for (let i = 0; i < slipIds.length && leads.length < maxNamed; i += 1000)
      for (const slip of await slipsOf(reader, slipIds.slice(i, i + 1000))) {
        const [first] = contradictionsOf(slip)
        if (!first || leads.length >= maxNamed) continue
        const message = `Slip ${slip.slipId} is inconsistent: ${contradictionText(first)}`
        leads.push({ code: 'SLIP_CONTRADICTS_ITSELF', message, amount: null, ids: [slip.slipId] })
      }
  })
  return leads
}

const size = (units: bigint) => (units < 0n ? -units : units)
const text = (units: bigint) => formatUnits(units, playerScale)
const named = (ids: readonly string[]) =>
  ids.length > maxNamed ? `${ids.slice(0, maxNamed).join(', ')} and ${ids.length - maxNamed} more` : ids.join(', ')
