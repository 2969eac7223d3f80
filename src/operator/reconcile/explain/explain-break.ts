import type { BookBreakRow } from '../../../db/schema/book.ts'
import { byText } from '../../../domain/reconcile/daily.ts'
import type { Day } from '../../../domain/time/day.ts'
import type { Client } from '../../../http/contract/contract.ts'
import { momentText } from '../../../kit/moment.ts'
import { isProblem } from '../../../kit/problem.ts'
import type { casino as casinoContract } from '../../../services/casino/api/contract.ts'
import { checkpointNamed, walletRows } from '../../balances/readings.ts'
import type { WalletResult } from '../../balances/schema.ts'
import { transfersOfPlayers } from '../../balances/transfers.ts'
import { recordOfRow } from '../../balances/wallet-histories.ts'
import { platformNow } from '../../book/cursor-position.ts'
import { journalOf } from '../../transfers/lookups.ts'
import { toBreakView, toEventView } from '../breaks/record.ts'
import { breakNamed } from '../breaks/store.ts'
import { reconciledDay } from '../daily/closed-days.ts'
import { restatementViews } from '../restated.ts'
import type { SettlementFinding } from '../settlement/schema.ts'
import {
  type Explaining,
  type ExplainOptions,
  emptyDay,
  explainDay,
  explainSlip,
  maxMovements,
  maxSlips,
  nothing,
  partOf,
  slipsByPlayer,
  text,
  toReconciled,
} from './explain.ts'
import { explainPeriod } from './explain-period.ts'
import type { DayExplained, Explained, Movement } from './schema.ts'

/** Explains a break by its ID or a prefix of it. */
export async function explainBreak(work: Explaining, id: string, options: ExplainOptions): Promise<Explained> {
  const { row, events } = await breakNamed(work.book, id)
  const about = {
    subject: { kind: 'break' as const, name: row.id, player: null },
    break: toBreakView(row, await platformNow(work.book)),
    history: events.map(toEventView),
  }
  const parts = await partsOf(work, row, options)
  const isOpen = row.state === 'open'
  // The cause is for a person to determine, so the printed command has none.
  const settle = isOpen ? ['When it is resolved, close it with its reason: countroom help reconcile breaks close'] : []
  return { ...nothing, ...parts, ...about, missing: work.missing, next: [...(parts.next ?? []), ...settle] }
}

function partsOf(work: Explaining, row: BookBreakRow, options: ExplainOptions): Promise<Partial<Explained>> {
  if (row.kind === 'daily') return dayOfBreak(work, row, options)
  if (row.kind === 'restated') return restatedOfBreak(work, row)
  if (row.kind === 'wallet') return walletOfBreak(work, row)
  if (row.kind === 'transfers') return transferOfBreak(work, row)
  if (row.kind === 'settlement') return slipOfBreak(work, row)
  if (row.kind === 'period') return explainPeriod(work.book, row)
  if (row.kind === 'payouts') return Promise.resolve({ next: nextOfPayout(row) })
  const again = row.kind === 'billing' ? 'countroom reconcile billing' : 'countroom reconcile payments'
  return Promise.resolve({ next: [`Check whether it is still there: ${again}`] })
}

async function dayOfBreak(work: Explaining, row: BookBreakRow, options: ExplainOptions): Promise<Partial<Explained>> {
  if (row.date === null) return { next: [] }
  if (!work.platform) return dayOfDetail(row, row.date)
  const explained = explainDay(work, row.date, { ...options, player: row.player ?? undefined })
  const now = await partOf(work, 'Day', explained)
  return now === undefined ? dayOfDetail(row, row.date) : { day: now.day, next: now.next }
}

/** The subject is the ID of the payout, or our reference if the gateway does not have it. */
function nextOfPayout({ subject }: BookBreakRow): string[] {
  return [
    ...(/^[0-9]+$/.test(subject) ? [`Show the payout: countroom payouts show ${subject}`] : []),
    'To check whether it is still there, reconcile a current ledger: countroom help reconcile payouts',
  ]
}

/** The day as the run found it, without a request. */
function dayOfDetail({ detail }: BookBreakRow, date: Day): Partial<Explained> {
  const { timezone, figures, slips, explanations }: BreakDetail = JSON.parse(detail)
  const found = { verdict: 'differences' as const, differences: figures, concerned: slips, explanations }
  return {
    day: { ...emptyDay(date, timezone), ...found },
    next: [`Compare the day again: countroom reconcile daily ${date}`],
  }
}

/** Details of a daily break, as `record.ts` stores them. */
interface BreakDetail {
  readonly timezone: string
  readonly figures: DayExplained['differences']
  readonly slips: DayExplained['concerned']
  readonly explanations: DayExplained['explanations']
}

/** The slip with all its revisions, and the figures by the rules of its game. */
async function slipOfBreak(work: Explaining, row: BookBreakRow): Promise<Partial<Explained>> {
  const { slip, round } = await explainSlip(work, row.subject)
  const { findings }: { findings: SettlementFinding[] } = JSON.parse(row.detail)
  return {
    slip,
    round,
    settlement: findings,
    next: [
      `Send revision ${findings.map(({ rev }) => rev).join(', ')} of slip ${row.subject} with both figures to the platform`,
      `Check whether it is still there: countroom reconcile settlement ${row.date}`,
    ],
  }
}

async function restatedOfBreak(work: Explaining, row: BookBreakRow): Promise<Partial<Explained>> {
  const { date, timezone } = JSON.parse(row.detail)
  const { restated, reconciled } = await work.book.store.read(async (reader) => ({
    restated: await restatementViews(reader, { dates: [date] }),
    reconciled: await reconciledDay(reader, { date, timezone }),
  }))
  const ids = restated.flatMap(({ players }) => players.flatMap(({ slips }) => slips.map(({ slipId }) => slipId)))
  const players = await slipsByPlayer(work.book, ids.slice(0, maxSlips), timezone)
  return {
    day: { ...emptyDay(date, timezone), reconciled: toReconciled(reconciled), restated, players },
    next: row.state === 'open' ? [`Accept it: countroom reconcile restated --accept --day ${date}`] : [],
  }
}

async function walletOfBreak(work: Explaining, row: BookBreakRow): Promise<Partial<Explained>> {
  const proof: WalletResult = JSON.parse(row.detail)
  const player = row.player ?? ''
  const checkpoint = await work.book.store.read((reader) => checkpointNamed(reader, proof.since?.markId ?? ''))
  const next = [`Check whether it is still there: countroom reconcile wallet ${proof.player}`]
  // Without the reading, the revisions it included are unknown.
  if (!checkpoint && proof.since?.from === 'reading')
    return { wallet: { proof, isReadingKept: false, movements: [], movementsLeftOut: 0 }, next }
  const movements: Movement[] = []
  if (work.platform) {
    const { environment } = work.tenant
    const context = {
      platform: work.platform,
      book: work.book,
      environment,
      here: work.here,
      there: work.now,
      sleep: async () => {},
    }
    const from = Date.parse(proof.since?.at ?? '')
    const read = partOf(work, 'Transfers', transfersOfPlayers(context, [{ player, firstReadAt: null }]))
    for (const each of (await read)?.get(player) ?? []) {
      const at = each.at ?? each.ours?.doneAt ?? null
      if (at !== null && at < from) continue
      const movementKinds = { in: 'deposit', out: 'withdrawal', adjust: 'adjustment' } as const
      const change = each.change === null ? null : text(each.change)
      movements.push({
        at: at === null ? null : momentText(at),
        what: movementKinds[each.dir],
        id: each.txnId,
        rev: null,
        change,
      })
    }
  }
  let leftOut = 0
  const latest = () => {
    movements.sort((a, b) => byText(a.at ?? '', b.at ?? ''))
    leftOut += movements.splice(0, Math.max(0, movements.length - maxMovements)).length
  }
  await work.book.store.read(async (reader) => {
    const range = { after: checkpoint?.place ?? 0, upTo: Number.MAX_SAFE_INTEGER, players: [player] }
    for await (const rows of walletRows(reader, range)) {
      for (const each of rows) {
        const record = recordOfRow(each)
        const change = record === null ? null : text(record.delta - record.atStake)
        movements.push({ at: momentText(each.settled_at), what: 'slip', id: each.slip_id, rev: each.rev, change })
      }
      latest()
    }
  })
  latest()
  return {
    wallet: { proof, isReadingKept: true, movements, movementsLeftOut: leftOut },
    next,
  }
}

async function transferOfBreak(work: Explaining, row: BookBreakRow): Promise<Partial<Explained>> {
  const txnId = row.subject
  const ours = (await work.book.store.read((reader) => journalOf(reader, [txnId]))).get(txnId)
  const found =
    work.platform && (await partOf(work, 'Transfer', transferAt(work.platform, txnId, row.player ?? undefined)))
  const transfer = found === 'not-found' ? undefined : found
  const platform = transfer
    ? {
        player: transfer.username,
        dir: transfer.dir,
        amount: transfer.amount,
        currency: null,
        state: transfer.status,
        at: transfer.at,
      }
    : null
  const journal = ours
    ? {
        player: ours.username,
        dir: ours.dir,
        amount: ours.amount,
        currency: ours.currency,
        state: ours.state,
        at: momentText(ours.made_at),
      }
    : null
  const next = [
    ...(ours && (ours.state === 'unknown' || ours.state === 'new')
      ? [`Look up the transfer: countroom wallet transfer ${txnId}`]
      : []),
    'Check whether it is still there: reconcile the transfers with your ledger again',
  ]
  return { transfer: { txnId, isLookedUp: found !== undefined, platform, journal }, next }
}

async function transferAt(platform: Client<typeof casinoContract>, txnId: string, username: string | undefined) {
  for (const query of [...(username === undefined ? [] : [{ txnId, username }]), { txnId }]) {
    try {
      return await platform.transfer({ query })
    } catch (error) {
      if (!isProblem(error, 'TXN_NOT_FOUND')) throw error
    }
  }
  return 'not-found' as const
}
