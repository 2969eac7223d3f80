import { breaksAbout, type LookingRun, noteFindings } from '../book/breaks.ts'
import { noteRun } from '../book/runs.ts'
import { journalOfPlayers } from '../book/transfer-checks.ts'
import { amountOf, versionOf } from '../book/versions.ts'
import { judgeMark, keepMark, marksOf, type WalletRow, walletRows } from '../book/wallet-marks.ts'
import type { BetRecord } from '../casino/shapes.ts'
import { breakId } from '../domain/breaks.ts'
import { compareMonths, monthOf } from '../domain/cursor.ts'
import { formatUnits, playerScale } from '../domain/money.ts'
import { foldUsername } from '../domain/player.ts'
import { type Verdict, worstVerdict } from '../domain/reconciliation.ts'
import {
  type Around,
  aroundWith,
  type Held,
  judgeWallet,
  nothingAround,
  nothingHeld,
  shiftsBetween,
  sumsOf,
  together,
  type WalletJudgement,
  type WalletRecord,
} from '../domain/wallet-proof.ts'
import type { BookTransferRow, BookWalletMarkRow } from '../store/tables/book.ts'
import type { WalletReasonCode, WalletResult, WalletRun } from './reconcile-wallet-shape.ts'
import { leadsFor } from './wallet-leads.ts'
import { type Reading, type Readings, type ReadingWork, readBalances } from './wallet-readings.ts'
import { lookUpRows, standing, transfersOfPlayers, uncheckedOf, type WalletTransfer } from './wallet-transfers.ts'
import { walletBreak, walletNext, walletReason } from './wallet-words.ts'

/** Proves balances: the last one that was proven, or nothing at the player's beginning, and all that is known to have moved it since. */

export interface WalletOrder {
  readonly usernames: readonly string[]
  /** Whether journal and ledgers hold every transfer there ever was, so that a remainder at the beginning is a difference. */
  readonly isWhole: boolean
  /** New ids, for the run and for readings; later ones sort after earlier ones. */
  id(): string
}

/** So long after it began every round is over: what a reading of then held is known by now. */
export const roundMs = 3_600_000
/** A session ends within twelve hours, and its last round soon after. */
const sessionMs = 12 * 3_600_000 + roundMs
/** A difference is looked at once more after a moment: the platform's two sides may not be of the same instant. */
const againMs = 2_000
/** A player that our own first transfer brought into being was created within so long of it. */
const creationMs = 300_000

/** A reading on the way from the first to the one of now. */
export interface Mark {
  readonly row: BookWalletMarkRow | null
  readonly kind: 'beginning' | 'begun' | 'proven' | 'pending' | 'now'
  readonly balance: bigint
  readonly held: bigint | null
  readonly at: number
  readonly askedAt: number
  readonly answeredAt: number
  readonly place: number
  readonly ahead: ReadonlySet<string>
}

/** A player, and what moved the wallet between one mark and the next. */
export interface Case {
  readonly player: string
  readonly username: string
  readonly reading: Reading
  readonly marks: Mark[]
  /** Of each mark: what the records between the one before and it changed, how many they are, and those around it. */
  readonly records: bigint[]
  readonly revisions: number[]
  readonly around: Around[]
  transfers: WalletTransfer[]
  journal: BookTransferRow[]
  /** Why the player's beginning is out of reach, where it is. */
  readonly against: WalletReasonCode | undefined
  isUnreadable: boolean
}

/** What was found of one player, before it is kept. */
interface Proof {
  readonly result: WalletResult
  readonly mark: BookWalletMarkRow | undefined
  readonly anchorId: string | undefined
  /** Earlier readings of which more is known now. */
  readonly judged: readonly Pick<BookWalletMarkRow, 'id' | 'verdict' | 'held'>[]
  readonly subject: string
}

/**
 * Proves the balances of these players and keeps the readings, so that the next run proves what moved since. A difference is
 * told only when nothing that may have been under way accounts for it, and it is still there at a second look.
 */
export async function reconcileWallets(work: ReadingWork, order: WalletOrder): Promise<WalletRun> {
  const runId = order.id()
  const first = await proofsOf(work, order, runId, order.usernames)
  const differing = [...first.values()].filter(({ result }) => result.verdict === 'differences')
  let proofs = first
  if (differing.length > 0) {
    await work.sleep(againMs, work.signal)
    const again = await proofsOf(
      work,
      order,
      runId,
      differing.map(({ result }) => result.player),
    )
    proofs = new Map([...first, ...again])
  }
  // In the order they were asked for, each once.
  const players = [...new Set(order.usernames.map(foldUsername))]
  const ordered = players.flatMap((player) => proofs.get(player) ?? [])
  const results = await keep(work, { id: runId, who: 'reconcile wallet' }, ordered)
  const verdicts = results.map(({ verdict }) => verdict)
  const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length
  return {
    verdict: worstVerdict(verdicts),
    runId,
    players: results,
    counts: {
      balanced: count('balanced'),
      differences: count('differences'),
      'cannot-conclude': count('cannot-conclude'),
    },
    next: walletNext(results),
  }
}

async function proofsOf(
  work: ReadingWork,
  order: WalletOrder,
  runId: string,
  usernames: readonly string[],
): Promise<Map<string, Proof>> {
  const read = await readBalances(work, usernames)
  const proofs = new Map<string, Proof>()
  if ('against' in read) {
    for (const username of usernames) proofs.set(foldUsername(username), unread(username, read.against))
    return proofs
  }
  const cases = await casesOf(work, order, read, usernames, (username, code) =>
    proofs.set(foldUsername(username), unread(username, code)),
  )
  await readRecords(work, read.state.lastPlace, cases)
  const settled = await settledOf(work, cases)
  for (const one of cases) {
    const code = one.marks.length < 2 ? one.against : undefined
    proofs.set(
      one.player,
      code === undefined ? await proved(work, order, runId, one, settled) : begun(order, runId, one, [code]),
    )
  }
  return proofs
}

/** The players with what the book has of them: the readings since the last that is proven, and the transfers. */
async function casesOf(
  work: ReadingWork,
  { isWhole }: WalletOrder,
  read: Readings,
  usernames: readonly string[],
  leaveOut: (username: string, code: WalletReasonCode) => void,
): Promise<Case[]> {
  const players = usernames.map(foldUsername)
  const marks = await work.book.store.read((reader) => marksOf(reader, players))
  const gaps = await work.book.store.read(({ q }) =>
    q.selectFrom('book_alarms').select('found_at').where('kind', '=', 'gap').execute(),
  )
  const journals = Map.groupBy(
    await work.book.store.read((reader) => journalOfPlayers(reader, players)),
    (row) => row.name_key,
  )
  const transfers = await transfersOfPlayers(work, players)
  const cases: Case[] = []
  for (const username of usernames) {
    const player = foldUsername(username)
    const reading = read.readings.get(player) ?? 'not-found'
    if (typeof reading === 'string') {
      leaveOut(username, reading === 'playing' ? 'PLAYING' : 'PLAYER_NOT_FOUND')
      continue
    }
    // A gap in the records between two readings leaves the later one to begin anew.
    const gap = Math.max(0, ...gaps.map(({ found_at }) => found_at))
    const known = (marks.get(player) ?? []).filter(
      (row) => row.asked_at > gap && row.currency === reading.player.currency,
    )
    const journal = journals.get(player) ?? []
    const beginning = beginningOf(reading, read, journal, gap)
    const hasBeginning = typeof beginning !== 'string'
    const first = known[0]?.verdict
    const isBegun = first === 'balanced' || (first === 'begun' && !(isWhole && hasBeginning))
    const start = isBegun || !hasBeginning ? [] : [beginning]
    const all = [...start, ...known.map((row, i) => markOf(row, start.length + i)), nowOf(reading)]
    // Without a beginning and a proven reading, what is pending has nothing to be held against.
    const usable = all[0]?.kind === 'pending' ? [nowOf(reading)] : all
    cases.push({
      player,
      username: reading.player.username,
      reading,
      marks: usable,
      records: usable.map(() => 0n),
      revisions: usable.map(() => 0),
      around: usable.map(() => nothingAround),
      transfers: transfers.get(player) ?? [],
      journal,
      against: hasBeginning ? undefined : beginning,
      isUnreadable: false,
    })
  }
  return cases
}

/** The moment the player came into being, with nothing; or why the book does not reach back to it. */
function beginningOf(
  { player }: Reading,
  { state, oldestMonth }: Pick<Readings, 'state' | 'oldestMonth'>,
  journal: readonly BookTransferRow[],
  gap: number,
): Mark | WalletReasonCode {
  const at = Date.parse(player.createdAt)
  if ((state.position?.started_from ?? 0) > at) return 'BOOK_BEGINS_LATER'
  if (gap > 0) return 'BOOK_HAS_GAP'
  // What is gone now was there when the book was filled, if the book was there when the player came.
  if (compareMonths(monthOf(at), oldestMonth) < 0 && !isJournalWhole(journal, at)) return 'RETENTION'
  const nothing = { row: null, balance: 0n, held: 0n, askedAt: 0, answeredAt: 0, place: 0, ahead: new Set<string>() }
  return { kind: 'beginning', at, ...nothing }
}

function markOf(row: BookWalletMarkRow, index: number): Mark {
  const kind = row.verdict === 'balanced' ? 'proven' : row.verdict === 'begun' && index === 0 ? 'begun' : 'pending'
  return {
    row,
    kind,
    balance: amountOf(row.balance) ?? 0n,
    held: row.held === null ? null : amountOf(row.held),
    at: row.platform_at,
    askedAt: row.asked_at,
    answeredAt: row.answered_at,
    place: row.place,
    ahead: new Set(JSON.parse(row.ahead)),
  }
}

function nowOf(reading: Reading): Mark {
  return {
    row: null,
    kind: 'now',
    balance: amountOf(reading.player.balance) ?? 0n,
    held: null,
    at: reading.platformAt,
    askedAt: reading.askedAt,
    answeredAt: reading.answeredAt,
    place: reading.place,
    ahead: new Set(reading.ahead.map(keyOf)),
  }
}

const keyOf = ({ slipId, rev }: { slipId: string; rev: number }) => `${rev} ${slipId}`

/** One pass over the records behind the earliest reading of all, and what lies behind the book's cursor. */
async function readRecords(work: ReadingWork, lastPlace: number, cases: readonly Case[]): Promise<void> {
  const proved = new Map(cases.filter(({ marks }) => marks.length > 1).map((one) => [one.player, one]))
  if (proved.size === 0) return
  const after = Math.min(...[...proved.values()].map(({ marks }) => marks[0]?.place ?? 0))
  const range = { after, upTo: lastPlace, players: [...proved.keys()] }
  await work.book.store.read(async (reader) => {
    for await (const rows of walletRows(reader, range)) {
      work.signal?.throwIfAborted()
      for (const row of rows) {
        const one = proved.get(row.name_key)
        if (one) take(one, recordOfRow(row), row.place)
      }
    }
  })
  for (const one of proved.values())
    for (const record of one.reading.ahead) take(one, recordOf(record), Number.POSITIVE_INFINITY)
}

function take(one: Case, record: WalletRecord | null, place: number): void {
  const { marks, records, revisions, around } = one
  if (place <= (marks[0]?.place ?? 0)) return
  if (record === null) {
    one.isUnreadable = true
    return
  }
  const key = keyOf(record)
  const counts = (mark: Mark) => place <= mark.place || mark.ahead.has(key)
  const first = marks.findIndex(counts)
  if (first > 0) {
    records[first] = (records[first] ?? 0n) + record.delta - record.atStake
    revisions[first] = (revisions[first] ?? 0) + 1
  }
  for (const [i, mark] of marks.entries())
    if (mark.kind !== 'beginning') around[i] = aroundWith(around[i] ?? nothingAround, record, mark.at, counts(mark))
}

/** A revision as it moves the wallet; null where it cannot be read. */
export function recordOfRow(row: WalletRow): WalletRecord | null {
  try {
    const { delta, placedAt } = JSON.parse(row.record)
    const [units, stake, hold] = [amountOf(delta), amountOf(row.stake), amountOf(row.hold)]
    if (units === null || stake === null || hold === null) return null
    const at = { placedAt: Date.parse(placedAt), settledAt: row.settled_at }
    return { slipId: row.slip_id, rev: row.rev, delta: units, atStake: row.rev === 1 ? stake + hold : 0n, ...at }
  } catch {
    return null
  }
}

function recordOf(record: BetRecord): WalletRecord | null {
  const { slipId, rev, delta, stake, hold, placedAt, settledAt, unreadable, isOnsite } = versionOf(record)
  if (unreadable.length > 0) return null
  if (isOnsite) return { slipId, rev, delta: 0n, atStake: 0n, placedAt, settledAt }
  return { slipId, rev, delta, atStake: rev === 1 ? stake + hold : 0n, placedAt, settledAt }
}

const subjectOf = (player: string, anchor: Mark) => `${player} ${anchor.row?.id ?? 'beginning'}`

/** What of a player's wallet a person has settled, by the subject of the break. */
async function settledOf(work: ReadingWork, cases: readonly Case[]): Promise<(subject: string) => bigint> {
  const subjects = cases.flatMap(({ player, marks }) => marks.map((mark) => subjectOf(player, mark)))
  const ids = subjects.map((subject) => breakId({ kind: 'wallet', subject }))
  const rows = await work.book.store.read((reader) => breaksAbout(reader, ids))
  const settled = new Map(
    rows.flatMap(({ subject, state, amount }) =>
      state === 'closed' && amount !== null ? [[subject, amountOf(amount) ?? 0n] as const] : [],
    ),
  )
  return (subject) => settled.get(subject) ?? 0n
}

async function proved(
  work: ReadingWork,
  order: WalletOrder,
  runId: string,
  one: Case,
  settled: (subject: string) => bigint,
): Promise<Proof> {
  let judged = judgeAll(one, settled)
  if (judged.final.verdict !== 'balanced') {
    // The balance says that all is well without them; where it does not, the platform's word on each of ours counts.
    const unchecked = uncheckedOf(one.journal, one.transfers)
    if (unchecked.length > 0 && (await lookUpRows(work, unchecked)).size > 0) {
      one.transfers = (await transfersOfPlayers(work, [one.player])).get(one.player) ?? []
      judged = judgeAll(one, settled)
    }
  }
  const { anchor, final, at, marks } = judged
  const isBeginning = one.marks[anchor]?.kind === 'beginning'
  if (
    final.verdict !== 'balanced' &&
    isBeginning &&
    !order.isWhole &&
    !isJournalWhole(one.journal, Date.parse(one.reading.player.createdAt))
  )
    return begun(order, runId, one, ['JOURNAL_BEGINS_LATER'], formatUnits(final.rest, playerScale))
  const from = one.marks[anchor]
  if (!from) throw new Error('a proof begins somewhere')
  const reasons = final.verdict === 'cannot-conclude' ? reasonsFor(one, final) : []
  const leads = final.verdict === 'balanced' ? [] : await leadsFor(work, one, { from, rest: final.rest })
  const result = toResult(one, { anchor, at, final, reasons, leads })
  const mark = newMark(
    order,
    runId,
    one,
    at === one.marks.length - 1 ? final : { ...final, verdict: 'cannot-conclude', held: null },
  )
  return {
    result,
    mark,
    anchorId: final.verdict === 'balanced' ? mark.id : (from.row?.id ?? undefined),
    judged: marks,
    subject: subjectOf(one.player, from),
  }
}

/** Whether our own journal brought the player into being: then it was there from the beginning. */
function isJournalWhole(journal: readonly BookTransferRow[], createdAt: number): boolean {
  const [first] = journal.filter(({ state }) => state === 'done')
  return first !== undefined && first.made_at <= createdAt + creationMs
}

interface JudgedAll {
  /** The mark that the proof begins at, and the one it is about. */
  readonly anchor: number
  readonly at: number
  readonly final: WalletJudgement
  readonly marks: Proof['judged']
}

/** The readings that were pending are judged with what is known now, the oldest first; then the one of now. */
function judgeAll(one: Case, settled: (subject: string) => bigint): JudgedAll {
  const { marks } = one
  const now = marks.length - 1
  const judged: { id: string; verdict: BookWalletMarkRow['verdict']; held: string | null }[] = []
  let anchor = 0
  let standing: { at: number; judgement: WalletJudgement } | undefined
  for (let i = 1; i < now; i++) {
    const judgement = judge(one, anchor, i, settled)
    const row = marks[i]?.row
    if (!row) continue
    const { verdict, held } = judgement
    judged.push({ id: row.id, verdict, held: held === null ? null : formatUnits(held, playerScale) })
    if (verdict === 'balanced') {
      marks[i] = { ...(marks[i] as Mark), kind: 'proven', held }
      anchor = i
      standing = undefined
    } else if (verdict === 'differences') standing = { at: i, judgement }
  }
  const final = judge(one, anchor, now, settled)
  const isOpen = final.verdict === 'cannot-conclude' && standing !== undefined
  if (isOpen && standing) return { anchor, at: standing.at, final: standing.judgement, marks: judged }
  return { anchor, at: now, final, marks: judged }
}

function judge(one: Case, anchor: number, at: number, settled: (subject: string) => bigint): WalletJudgement {
  const [from, to] = [one.marks[anchor], one.marks[at]]
  if (!from || !to) throw new Error('a wallet is judged between two readings')
  const { total, optional } = transfersBetween(one, from, to)
  const around = (i: number) => one.around[i] ?? nothingAround
  // What is proven stands in its place; only a reading that nothing goes before may have been ahead or behind.
  const start = from.kind === 'begun' ? around(anchor) : nothingAround
  return judgeWallet({
    from: from.balance,
    to: to.balance,
    transfers: total,
    records: one.records.slice(anchor + 1, at + 1).reduce((sum, units) => sum + units, 0n),
    heldFrom: heldAtStart(from, around(anchor)),
    heldTo: heldAtEnd(one, to, around(at)),
    shifts: together(shiftsBetween(start, around(at)).slice(0, mostShifts), sumsOf(optional)),
    settled: settled(subjectOf(one.player, from)),
  })
}

/** More ways to read a moment than that are as good as none. */
const mostShifts = 1_000

function heldAtStart({ kind, held }: Mark, around: Around): Held {
  if (kind === 'begun') return around.held
  return held === null ? nothingHeld : { likely: held, low: held, high: held }
}

/** Of the reading of now nobody can say what is held, unless the player is long gone; of an earlier one, once its rounds are over. */
function heldAtEnd({ reading, marks }: Case, { kind, at }: Mark, around: Around): Held {
  const now = marks.at(-1)?.at ?? at
  if (kind !== 'now') return now - at > roundMs ? around.held : { ...around.held, high: null }
  const { online, lastLoginAt } = reading.player
  const isGone = !online && (lastLoginAt === null || at - Date.parse(lastLoginAt) > sessionMs)
  return isGone ? nothingHeld : { likely: 0n, low: around.held.low, high: null }
}

export function transfersBetween({ transfers }: Pick<Case, 'transfers'>, from: Mark, to: Mark) {
  const counted: WalletTransfer[] = []
  const optional: bigint[] = []
  let total = 0n
  for (const transfer of transfers) {
    const { change, amount } = transfer
    const [before, after] = [from.kind === 'beginning' ? undefined : standing(transfer, from), standing(transfer, to)]
    const isIn = after.isIn && !before?.isIn && transfer.state === 'done'
    if (isIn && change !== null) {
      total += change
      counted.push(transfer)
    }
    const isSure = after.isSure && (before?.isSure ?? true) && transfer.state === 'done'
    if (change === null && isIn) optional.push(amount, -amount)
    else if (change !== null && !isSure) optional.push(isIn ? -change : change)
  }
  return { total, counted, optional }
}

function reasonsFor(one: Case, { rest }: WalletJudgement): WalletResult['reasons'] {
  const codes: WalletReasonCode[] = []
  if (one.isUnreadable) codes.push('RECORD_UNREADABLE')
  if (one.transfers.some(({ state }) => state === 'open')) codes.push('TRANSFER_OPEN')
  if (one.transfers.some(({ change }) => change === null)) codes.push('ADJUSTMENT_UNSIGNED')
  codes.push(rest < 0n ? 'STAKES_HELD' : 'TIMING')
  return codes.map((code) => walletReason(code, one.username))
}

function begun(
  order: WalletOrder,
  runId: string,
  one: Case,
  codes: readonly WalletReasonCode[],
  rest: string | null = null,
): Proof {
  const mark = newMark(order, runId, one, { verdict: 'begun', held: null })
  const { player } = one.reading
  return {
    result: {
      ...emptyResult(player.username, player.currency),
      readAt: iso(one.reading.platformAt),
      balance: player.balance,
      difference: rest,
      reasons: codes.map((code) => walletReason(code, player.username, rest)),
    },
    mark,
    anchorId: mark.id,
    judged: [],
    subject: subjectOf(one.player, markOf(mark, 0)),
  }
}

function unread(username: string, code: WalletReasonCode): Proof {
  const result = { ...emptyResult(username, null), reasons: [walletReason(code, username)] }
  return { result, mark: undefined, anchorId: undefined, judged: [], subject: '' }
}

const emptyResult = (player: string, currency: string | null): WalletResult => ({
  player,
  currency,
  verdict: 'cannot-conclude',
  since: null,
  readAt: null,
  opening: null,
  openingHeld: null,
  deposits: '0',
  withdrawals: '0',
  adjustments: '0',
  slips: '0',
  counts: { transfers: 0, revisions: 0 },
  expected: null,
  balance: null,
  held: null,
  difference: null,
  isFromEarlier: false,
  breakId: null,
  reasons: [],
  leads: [],
})

function toResult(
  one: Case,
  found: {
    readonly anchor: number
    readonly at: number
    readonly final: WalletJudgement
    readonly reasons: WalletResult['reasons']
    readonly leads: WalletResult['leads']
  },
): WalletResult {
  const { anchor, at, final } = found
  const [from, to] = [one.marks[anchor], one.marks[at]]
  if (!from || !to) throw new Error('a wallet is judged between two readings')
  const { counted } = transfersBetween(one, from, to)
  const sumOf = (dir: WalletTransfer['dir']) =>
    counted.reduce((total, transfer) => total + (transfer.dir === dir ? (transfer.change ?? 0n) : 0n), 0n)
  const slips = one.records.slice(anchor + 1, at + 1).reduce((sum, units) => sum + units, 0n)
  const openingHeld = heldAtStart(from, one.around[anchor] ?? nothingAround).likely
  const moved = sumOf('in') + sumOf('out') + sumOf('adjust') + slips
  return {
    player: one.username,
    currency: one.reading.player.currency,
    verdict: final.verdict,
    since: {
      from: from.kind === 'beginning' ? 'beginning' : 'reading',
      at: iso(from.at),
      markId: from.row?.id ?? null,
    },
    readAt: iso(to.at),
    opening: text(from.balance),
    openingHeld: text(openingHeld),
    deposits: text(sumOf('in')),
    withdrawals: text(sumOf('out')),
    adjustments: text(sumOf('adjust')),
    slips: text(slips),
    counts: {
      transfers: counted.length,
      revisions: one.revisions.slice(anchor + 1, at + 1).reduce((sum, count) => sum + count, 0),
    },
    expected: text(from.balance + openingHeld + moved),
    balance: text(to.balance),
    held: final.held === null ? null : text(final.held),
    difference: text(final.rest),
    isFromEarlier: at !== one.marks.length - 1,
    breakId: null,
    reasons: found.reasons,
    leads: found.leads,
  }
}

function newMark(
  order: WalletOrder,
  runId: string,
  one: Case,
  { verdict, held }: { verdict: BookWalletMarkRow['verdict']; held: bigint | null },
): BookWalletMarkRow {
  const { reading, player } = one
  return {
    id: order.id(),
    run_id: runId,
    player,
    username: reading.player.username,
    currency: reading.player.currency,
    balance: reading.player.balance,
    asked_at: reading.askedAt,
    answered_at: reading.answeredAt,
    platform_at: reading.platformAt,
    place: reading.place,
    ahead: JSON.stringify(reading.ahead.map(keyOf)),
    verdict,
    held: held === null ? null : text(held),
  }
}

/** Keeps the readings and what they showed, and the breaks; all of it or nothing. */
async function keep(work: ReadingWork, run: LookingRun, proofs: readonly Proof[]): Promise<WalletResult[]> {
  const differing = proofs.filter(({ result }) => result.verdict === 'differences')
  const balanced = new Set(
    proofs.flatMap(({ result }) => (result.verdict === 'balanced' ? [foldUsername(result.player)] : [])),
  )
  const covers = ({ player }: { player: string | null }) => player !== null && balanced.has(player)
  const worst = worstVerdict(proofs.map(({ result }) => result.verdict))
  const exit = { balanced: 0, differences: 9, 'cannot-conclude': 11 }[worst]
  return work.book.store.write(async (tx) => {
    await noteRun(tx, {
      id: run.id,
      job: run.who,
      exit,
      summary: { players: proofs.length, differing: differing.length },
    })
    for (const { mark, anchorId, judged } of proofs) {
      for (const each of judged) await judgeMark(tx, each)
      if (mark) await keepMark(tx, mark, anchorId)
    }
    const found = differing.map(({ result, subject }) => walletBreak(result, subject))
    const { breaks } = await noteFindings(tx, run, { found, looked: [{ kind: 'wallet', covers }] })
    const ids = new Map(differing.map(({ subject }, i) => [subject, breaks[i]]))
    return proofs.map(({ result, subject }) => {
      const noted = result.verdict === 'differences' ? ids.get(subject) : undefined
      return noted?.state === 'open' ? { ...result, breakId: noted.id } : result
    })
  })
}

const text = (units: bigint) => formatUnits(units, playerScale)
const iso = (at: number) => new Date(at).toISOString()
