import type { BookWalletMarkRow } from '../../db/schema/book.ts'
import { formatUnits, playerScale } from '../../domain/money.ts'
import { foldUsername } from '../../domain/players/player.ts'
import { breakId } from '../../domain/reconcile/breaks.ts'
import { type Verdict, worstVerdict } from '../../domain/reconcile/daily.ts'
import { momentText } from '../../kit/moment.ts'
import { amountOf } from '../bets/slip-versions.ts'
import { recordRun } from '../book/runs.ts'
import { breaksAbout, type ReconciliationRun, recordBreaks } from '../reconcile/breaks/store.ts'
import { leadsFor } from './hypotheses.ts'
import { walletBreak, walletNext, walletReason } from './messages.ts'
import { isFromReading, proveReadings, subjectOf } from './prove.ts'
import { type ReadingWork, readBalances } from './read.ts'
import { keepCheckpoint, saveVerdict } from './readings.ts'
import { emptyResult, newCheckpoint, reasonsFor, toResult } from './result.ts'
import type { WalletReasonCode, WalletResult, WalletRun } from './schema.ts'
import { lookUpRows, transfersOfPlayers, uncheckedOf } from './transfers.ts'
import { isJournalWhole, readRecords, type WalletHistory, walletHistories } from './wallet-histories.ts'

/** Reconciles balances: the last proven one, or zero at the player's creation, plus all movements since. */

export interface WalletOptions {
  readonly usernames: readonly string[]
  /** True if journal and ledgers have every transfer, so that a remainder at the beginning is a difference. */
  readonly isWhole: boolean
  /** Creates IDs for runs and readings; later ones sort after earlier ones. */
  id(): string
}

/** Pause before a difference is checked again, because balance and records may not be from the same instant. */
const againMs = 2_000

/** Finding about a player before it is stored. */
interface Proof {
  readonly result: WalletResult
  readonly checkpoint: BookWalletMarkRow | undefined
  readonly anchorId: string | undefined
  /** Earlier readings with new verdicts. */
  readonly judged: readonly Pick<BookWalletMarkRow, 'id' | 'verdict' | 'held'>[]
  readonly subject: string
  /** The reading where the proof starts; null for the player's beginning. */
  readonly since: string | null
}

/**
 * Reconciles the balances of these players and stores the readings for the next run. A difference is reported only if nothing
 * in progress can explain it and it is still there at a second check.
 */
export async function reconcileWallets(work: ReadingWork, options: WalletOptions): Promise<WalletRun> {
  const runId = options.id()
  const first = await proofsOf(work, options, runId, options.usernames)
  const differing = [...first.values()].filter(({ result }) => result.verdict === 'differences')
  let proofs = first
  if (differing.length > 0) {
    await work.sleep(againMs, work.signal)
    const again = await proofsOf(
      work,
      options,
      runId,
      differing.map(({ result }) => result.player),
    )
    proofs = new Map([...first, ...again])
  }
  // In the requested order, without duplicates.
  const players = [...new Set(options.usernames.map(foldUsername))]
  const ordered = players.flatMap((player) => proofs.get(player) ?? [])
  const results = await keep(work, { id: runId, who: 'reconcile wallet' }, ordered)
  const verdicts = results.map(({ verdict }) => verdict)
  const count = (target: Verdict) => verdicts.filter((verdict) => verdict === target).length
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
  options: WalletOptions,
  runId: string,
  usernames: readonly string[],
): Promise<Map<string, Proof>> {
  const read = await readBalances(work, usernames)
  const proofs = new Map<string, Proof>()
  if ('against' in read) {
    for (const username of usernames) proofs.set(foldUsername(username), unread(username, read.against))
    return proofs
  }
  const histories = await walletHistories(work, options, read, usernames, (username, code) =>
    proofs.set(foldUsername(username), unread(username, code)),
  )
  await readRecords(work, read.state.lastPlace, histories)
  const settled = await settledOf(work, histories)
  for (const one of histories) {
    const code = one.checkpoints.length < 2 ? one.against : undefined
    proofs.set(
      one.player,
      code === undefined ? await proved(work, options, runId, one, settled) : begun(options, runId, one, [code]),
    )
  }
  return proofs
}

/** Returns the amounts that a person has settled by closing breaks, by the subject of the break. */
async function settledOf(work: ReadingWork, histories: readonly WalletHistory[]): Promise<(subject: string) => bigint> {
  const subjects = histories.flatMap(({ player, checkpoints }) =>
    checkpoints.map((checkpoint) => subjectOf(player, checkpoint)),
  )
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
  options: WalletOptions,
  runId: string,
  one: WalletHistory,
  settled: (subject: string) => bigint,
): Promise<Proof> {
  let judged = proveReadings(one, settled)
  if (judged.final.verdict !== 'balanced') {
    // If the balance is right without them, no lookup is needed; else the platform decides about each of our transfers.
    if ((await lookUpRows(work, uncheckedOf(one.journal, one.transfers))).size > 0) {
      one.transfers = (await transfersOfPlayers(work, [one])).get(one.player) ?? []
      judged = proveReadings(one, settled)
    }
  }
  const { anchor, final, at, checkpoints } = judged
  const isBeginning = one.checkpoints[anchor]?.kind === 'beginning'
  if (
    final.verdict !== 'balanced' &&
    isBeginning &&
    !options.isWhole &&
    !isJournalWhole(one.journal, Date.parse(one.reading.player.createdAt))
  )
    return begun(options, runId, one, ['JOURNAL_BEGINS_LATER'], formatUnits(final.rest, playerScale))
  const from = one.checkpoints[anchor]
  if (!from) throw new Error('a proof needs a start')
  const reasons = final.verdict === 'cannot-conclude' ? reasonsFor(one, final) : []
  const leads = final.verdict === 'balanced' ? [] : await leadsFor(work, one, { from, rest: final.rest })
  const result = toResult(one, { anchor, at, final, reasons, leads })
  const checkpoint = newCheckpoint(
    options,
    runId,
    one,
    at === one.checkpoints.length - 1 ? final : { ...final, verdict: 'cannot-conclude', held: null },
  )
  return {
    result,
    checkpoint,
    anchorId: final.verdict === 'balanced' ? checkpoint.id : (from.row?.id ?? undefined),
    judged: checkpoints,
    subject: subjectOf(one.player, from),
    since: one.checkpoints[0]?.row?.id ?? null,
  }
}

function begun(
  options: WalletOptions,
  runId: string,
  one: WalletHistory,
  codes: readonly WalletReasonCode[],
  rest: string | null = null,
): Proof {
  const checkpoint = newCheckpoint(options, runId, one, { verdict: 'begun', held: null })
  const { player } = one.reading
  return {
    result: {
      ...emptyResult(player.username, player.currency),
      readAt: momentText(one.reading.platformAt),
      balance: player.balance,
      difference: rest,
      reasons: codes.map((code) => walletReason(code, player.username, rest)),
    },
    checkpoint,
    anchorId: checkpoint.id,
    judged: [],
    subject: subjectOf(one.player, { row: checkpoint }),
    since: checkpoint.id,
  }
}

function unread(username: string, code: WalletReasonCode): Proof {
  const result = { ...emptyResult(username, null), reasons: [walletReason(code, username)] }
  return { result, checkpoint: undefined, anchorId: undefined, judged: [], subject: '', since: null }
}

/** Stores readings, verdicts and breaks in one transaction. */
async function keep(work: ReadingWork, run: ReconciliationRun, proofs: readonly Proof[]): Promise<WalletResult[]> {
  const differing = proofs.filter(({ result }) => result.verdict === 'differences')
  const balanced = new Map(
    proofs.flatMap(({ result, since }) =>
      result.verdict === 'balanced' ? [[foldUsername(result.player), since] as const] : [],
    ),
  )
  // Readings before the start of the proof are not checked again, so a person must close their breaks.
  const covers = ({ player, subject }: { player: string | null; subject: string }) => {
    const since = player === null ? undefined : balanced.get(player)
    return since !== undefined && (since === null || isFromReading(subject, since))
  }
  const worst = worstVerdict(proofs.map(({ result }) => result.verdict))
  const exit = { balanced: 0, differences: 9, 'cannot-conclude': 11 }[worst]
  return work.book.store.write(async (tx) => {
    await recordRun(tx, {
      id: run.id,
      job: run.who,
      exit,
      summary: { players: proofs.length, differing: differing.length },
    })
    for (const { checkpoint, anchorId, judged } of proofs) {
      for (const each of judged) await saveVerdict(tx, each)
      if (checkpoint) await keepCheckpoint(tx, checkpoint, anchorId)
    }
    const detected = differing.map(({ result, subject }) => walletBreak(result, subject))
    const { breaks } = await recordBreaks(tx, run, { detected, looked: [{ kind: 'wallet', covers }] })
    const ids = new Map(differing.map(({ subject }, i) => [subject, breaks[i]]))
    return proofs.map(({ result, subject }) => {
      const noted = result.verdict === 'differences' ? ids.get(subject) : undefined
      return noted?.state === 'open' ? { ...result, breakId: noted.id } : result
    })
  })
}
