import type { BookSlipRow, BookTransferRow } from '../../../db/schema/book.ts'
import { foldUsername } from '../../../domain/players/player.ts'
import type { Client } from '../../../http/contract/contract.ts'
import { momentText, secondText } from '../../../kit/moment.ts'
import { isProblem } from '../../../kit/problem.ts'
import { grouped } from '../../../kit/text/count-text.ts'
import type { casino as casinoContract } from '../../../services/casino/api/contract.ts'
import type { Payment } from '../../../services/gateway/api/schemas.ts'
import { bookState } from '../../bets/slips-by-day.ts'
import type { Book } from '../../book/book.ts'
import { listedPayments, type PaymentSource } from '../../callbacks/list-payments.ts'
import type { FullTicket, RoomConversation } from '../parse.ts'
import type { RoomsApi } from '../rooms-api.ts'

/** Records around the time of a ticket: of the chat, of the platforms and of the operator. */

export interface TicketSources {
  readonly rooms: Pick<RoomsApi, 'latest'>
  /** Opens the casino or the gateway; throws BAD_CONFIGURATION if the profile has no section for it. */
  readonly casino: () => Promise<Client<typeof casinoContract>>
  readonly payments: () => Promise<PaymentSource>
  readonly book: Book | undefined
  /** IDs of the payments, if they were found before. Then the list is not read, which has payments of others too. */
  readonly paymentIds?: readonly number[] | undefined
  readonly onStep: (step: string) => void
}

/** Records of a ticket's time. Null parts could not be read, or do not apply; `missing` has the reason of each that could not. */
export interface TicketRecords {
  readonly window: { readonly from: string; readonly to: string }
  readonly ticket: FullTicket
  readonly room: RoomConversation | null
  readonly player: object | null
  readonly balance: object | null
  readonly transfers: readonly TransferEvidence[]
  readonly slips: readonly SlipEvidence[]
  readonly rounds: readonly object[]
  readonly payments: readonly Payment[]
  /** Parts that could not be read, and lists that were cut. */
  readonly missing: readonly string[]
}

export interface TransferEvidence {
  readonly txnId: string
  /** The operator's journal; null if the transfer is only named by the ticket. */
  readonly journal:
    | (Pick<BookTransferRow, 'username' | 'dir' | 'amount' | 'currency' | 'state' | 'refusal' | 'attempts'> & {
        readonly madeAt: string
      })
    | null
  /** The platform's record; null if it has none, undefined if it was not looked up. */
  readonly platform?: object | null
}

export interface SlipEvidence {
  readonly slipId: string
  readonly rev: number
  readonly settledAt: string
  /** The platform's record, as it was synced. */
  readonly record: Readonly<Record<string, unknown>>
}

const maxTransfers = 200
const maxSlips = 500
const maxRounds = 50
const maxPayments = 200
const messages = 200

/** Reads everything around a ticket. A source that is absent or fails is named in `missing`; the rest is still read. */
export async function ticketRecords(
  sources: TicketSources,
  ticket: FullTicket,
  windowMs: number,
): Promise<TicketRecords> {
  const missing: string[] = []
  const { from, to } = windowOf(ticket, windowMs)
  const reading = async <T>(what: string, read: () => Promise<T>): Promise<T | null> => {
    sources.onStep(what)
    try {
      return await read()
    } catch (error) {
      if (!isProblem(error)) throw error
      missing.push(`${what}: ${error.message} (${error.code})`)
      return null
    }
  }
  const { roomId, customerAccount } = ticket
  const room = roomId === null ? null : await reading('Messages', () => sources.rooms.latest(roomId, messages))
  const casino = customerAccount === null ? null : await reading('Casino', sources.casino)
  const username = customerAccount ?? ''
  const found = <T>(what: string, code: string, read: (client: NonNullable<typeof casino>) => Promise<T>) =>
    casino === null ? Promise.resolve(null) : reading(what, () => unless(code, read(casino)))
  const player = await found('Player', 'PLAYER_NOT_FOUND', (client) => client.player({ query: { username } }))
  const balance = await found('Balance', 'PLAYER_NOT_FOUND', (client) => client.balance({ query: { username } }))
  if (customerAccount === null) missing.push('Player, transfers, slips: the ticket names no customer account')
  if (sources.book === undefined) missing.push('Transfers and slips: there is no book')
  const kept = await bookRecords(
    sources.book,
    foldUsername(username),
    { from, to, changedAt: ticket.updatedAt },
    missing,
  )
  const transfers = await reading('Transfers', () => platformTransfers(casino, ticket, kept.transfers, missing))
  const slips = kept.slips.map(toSlip)
  const rounds = await reading('Rounds', () => roundsOf(casino, slips, missing))
  const payments = await reading('Payments', async () => {
    const source = await sources.payments()
    return sources.paymentIds === undefined
      ? paymentsOf(source, ticket, { from, to }, missing)
      : Promise.all(sources.paymentIds.map((id) => source.payment({ params: { payment_id: String(id) } })))
  })
  return {
    window: { from: momentText(from), to: momentText(to) },
    ...{ ticket, room, player, balance, slips, missing },
    transfers: transfers ?? kept.transfers.map((row) => ({ txnId: row.txn_id, journal: toJournal(row) })),
    rounds: rounds ?? [],
    payments: payments ?? [],
  }
}

/** Returns the time range of a ticket: from this long before its creation to this long after its last change. */
function windowOf({ createdAt, updatedAt }: FullTicket, windowMs: number): { from: number; to: number } {
  const begin = Number.isNaN(createdAt) ? 0 : createdAt
  const end = Number.isNaN(updatedAt) ? begin : Math.max(begin, updatedAt)
  return { from: begin - windowMs, to: end + windowMs }
}

async function unless<T>(code: string, read: Promise<T>): Promise<T | null> {
  try {
    return await read
  } catch (error) {
    if (isProblem(error, code)) return null
    throw error
  }
}

interface ClosedRange {
  readonly from: number
  readonly to: number
}

async function bookRecords(
  book: Book | undefined,
  nameKey: string,
  { from, to, changedAt }: ClosedRange & { readonly changedAt: number },
  missing: string[],
): Promise<{ transfers: BookTransferRow[]; slips: BookSlipRow[] }> {
  if (!book || nameKey === '') return { transfers: [], slips: [] }
  const { transfers, slips, caughtUpAt } = await book.store.read(async (reader) => ({
    transfers: await reader.q
      .selectFrom('book_transfers')
      .selectAll()
      .where('name_key', '=', nameKey)
      .where('made_at', '>=', from)
      .where('made_at', '<=', to)
      .orderBy('made_at', 'desc')
      .limit(maxTransfers + 1)
      .execute(),
    slips: await reader.q
      .selectFrom('book_revisions')
      .selectAll()
      .where('name_key', '=', nameKey)
      .where('settled_at', '>=', from)
      .where('settled_at', '<=', to)
      .orderBy('place', 'desc')
      .limit(maxSlips + 1)
      .execute(),
    caughtUpAt: (await bookState(reader)).position?.caught_up_at ?? null,
  }))
  if (transfers.length > maxTransfers) missing.push(`Transfers: only the newest ${maxTransfers} are listed`)
  if (slips.length > maxSlips) missing.push(`Slips: only the newest ${maxSlips} revisions are listed`)
  if (caughtUpAt === null) missing.push('Slips: no bets were synced to the book. Run: countroom bets sync --out bets')
  else if (caughtUpAt < changedAt)
    missing.push(
      `Slips: bets are synced up to ${secondText(caughtUpAt)} only, before the last change of the ticket. Run: countroom bets sync --out bets`,
    )
  return { transfers: transfers.slice(0, maxTransfers).reverse(), slips: slips.slice(0, maxSlips).reverse() }
}

const toJournal = (row: BookTransferRow): NonNullable<TransferEvidence['journal']> => {
  const { username, dir, amount, currency, state, refusal, attempts } = row
  return { username, dir, amount, currency, state, refusal, attempts, madeAt: momentText(row.made_at) }
}

const toSlip = ({ slip_id, rev, settled_at, record }: BookSlipRow): SlipEvidence => ({
  slipId: slip_id,
  rev,
  settledAt: momentText(settled_at),
  record: JSON.parse(record),
})

/** Maximum number of lookups of transfers at the platform. */
const maxLookups = 50

/** Looks the transfers up at the platform: those that the ticket names first, then the newest of the journal. */
async function platformTransfers(
  casino: Client<typeof casinoContract> | null,
  ticket: FullTicket,
  journal: readonly BookTransferRow[],
  missing: string[],
): Promise<TransferEvidence[]> {
  const known = new Map(journal.map((row) => [row.txn_id, toJournal(row)]))
  const named = namedIn(ticket, /txn|transfer/i).filter((id) => !known.has(id))
  const order = [...named, ...[...known.keys()].reverse()]
  const looked = new Map<string, object | null>()
  for (const txnId of casino === null ? [] : order.slice(0, maxLookups)) {
    const username = ticket.customerAccount
    const query = username === null ? { txnId } : { txnId, username }
    looked.set(txnId, await unless('TXN_NOT_FOUND', (casino as NonNullable<typeof casino>).transfer({ query })))
  }
  if (order.length > looked.size && casino !== null)
    missing.push(
      `Transfers: ${grouped(order.length - looked.size)} of ${grouped(order.length)} were not looked up at the platform`,
    )
  return [...named, ...known.keys()].map((txnId) => ({
    txnId,
    journal: known.get(txnId) ?? null,
    ...(looked.has(txnId) ? { platform: looked.get(txnId) ?? null } : {}),
  }))
}

/** Returns the values of the fields whose code matches. */
function namedIn({ fieldValues }: FullTicket, code: RegExp): string[] {
  return fieldValues.flatMap(({ fieldCode, value }) =>
    code.test(fieldCode) && (typeof value === 'string' || typeof value === 'number') && String(value).trim() !== ''
      ? [String(value).trim()]
      : [],
  )
}

async function roundsOf(
  casino: Client<typeof casinoContract> | null,
  slips: readonly SlipEvidence[],
  missing: string[],
): Promise<object[]> {
  const ids = [...new Set(slips.map(({ record }) => String(record['roundId'] ?? '')).filter((id) => id !== ''))]
  if (casino === null || ids.length === 0) return []
  const newest = ids.slice(-maxRounds)
  if (newest.length < ids.length)
    missing.push(
      `Rounds: only the newest ${grouped(newest.length)} of ${grouped(ids.length)} were read at the platform`,
    )
  const rounds: object[] = []
  for (const roundId of newest) {
    const round = await unless('ROUND_NOT_FOUND', casino.round({ params: { roundId } }))
    if (round === null) missing.push(`Rounds: the platform has no round ${roundId}`)
    else rounds.push(round)
  }
  return rounds
}

/**
 * Returns the payments of the ticket's time range that belong to it. Its fields name them, or their order or
 * description names the customer's account.
 */
async function paymentsOf(
  source: PaymentSource,
  ticket: FullTicket,
  { from, to }: ClosedRange,
  missing: string[],
): Promise<Payment[]> {
  const ids = new Set(namedIn(ticket, /payment|order|invoice/i))
  const account = ticket.customerAccount?.toLowerCase() ?? null
  const isOf = ({ payment_id: id, order_id: order, order_description: text }: Payment) =>
    ids.has(String(id)) ||
    (order !== null && order !== undefined && ids.has(order)) ||
    (account !== null && [order, text].some((each) => wordsOf(each).includes(account)))
  const found: Payment[] = []
  for await (const { payments } of listedPayments(source, { from: momentText(from), to: momentText(to) }))
    found.push(...payments.filter(isOf))
  const known = new Set(found.map(({ payment_id: id }) => String(id)))
  for (const id of ids)
    if (/^\d{1,15}$/.test(id) && !known.has(id)) {
      const payment = await unless('NOT_FOUND', source.payment({ params: { payment_id: id } }))
      if (payment) found.push(payment)
    }
  if (found.length > maxPayments) missing.push(`Payments: only ${maxPayments} of ${grouped(found.length)} are listed`)
  return found.slice(0, maxPayments)
}

const wordsOf = (text: string | null | undefined): string[] => (text ?? '').toLowerCase().split(/[^\p{L}\p{N}_.-]+/u)
