import type { BookSlipRow } from '../../../db/schema/book.ts'
import { contradictionsOf, countedAt, firstOf, latestOf, type SlipHistory } from '../../../domain/bets/slip-history.ts'
import { formatUnits, playerScale } from '../../../domain/money.ts'
import { foldUsername } from '../../../domain/players/player.ts'
import { breakId } from '../../../domain/reconcile/breaks.ts'
import { byField, fieldText, figuresOf, type PlayerLine } from '../../../domain/reconcile/daily.ts'
import { type Day, dayEnd, dayOf, dayStart } from '../../../domain/time/day.ts'
import type { Client } from '../../../http/contract/contract.ts'
import { momentText } from '../../../kit/moment.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import type { casino as casinoContract } from '../../../services/casino/api/contract.ts'
import { shownMonth } from '../../bets/alarms.ts'
import { revisionsOf } from '../../bets/slip-rows.ts'
import { versionOfRow } from '../../bets/slip-versions.ts'
import { bookState, rowsOfMany, slipsSettled } from '../../bets/slips-by-day.ts'
import { alarmsAbout } from '../../book/alarms.ts'
import type { Book } from '../../book/book.ts'
import { atPlatformTime } from '../../book/cursor-position.ts'
import { toBreakView } from '../breaks/record.ts'
import { breaksAbout } from '../breaks/store.ts'
import { reconciledDay } from '../daily/closed-days.ts'
import { contradictionText } from '../daily/messages.ts'
import { reconcileDay, type Tenancy } from '../daily/reconcile-day.ts'
import type { DayResult } from '../daily/schema.ts'
import { restatementViews } from '../restated.ts'
import type { DayExplained, Explained, PlayerExplained, SlipExplained } from './schema.ts'

/** Explains a difference: the parts of the figures, when each was written, and possible causes. */

export interface Explaining {
  readonly platform: Client<typeof casinoContract> | undefined
  readonly book: Book
  readonly tenant: Tenancy
  /** The platform's time, which decides days. */
  now(): number
  /** The machine's time, for entries of the book. */
  here(): number
  readonly signal?: AbortSignal
  readonly onStep?: (step: string) => void
  /** Collects the parts that could not be read from the platform. */
  readonly missing: string[]
}

export interface ExplainOptions {
  readonly player?: string | undefined
  readonly tracePages: number
}

/** Maximum number of slips per player, and of players per day. */
export const maxSlips = 500
const maxPlayers = 50
export const maxMovements = 500

export const nothing: Omit<Explained, 'subject'> = {
  break: null,
  history: [],
  breaks: [],
  slip: null,
  round: null,
  day: null,
  wallet: null,
  transfer: null,
  period: null,
  settlement: [],
  missing: [],
  next: [],
}

/** Waits for a part from the platform. If the platform fails, the part is named in `missing`, and the rest is still explained. */
export async function partOf<T>({ missing }: Explaining, part: string, read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (!isProblem(error) || !isFailure(error)) throw error
    missing.push(`${part} at the platform: ${error.message} (${error.code})`)
    return undefined
  }
}

/**
 * Returns whether a problem is a failure of the platform. A refusal, such as a revoked key, is not: it needs another
 * command.
 */
function isFailure({ code, detail }: Problem): boolean {
  const status = Number(detail['status'])
  return code !== 'REMOTE_INSECURE' && (code.startsWith('REMOTE_') || status === 429 || status >= 500)
}

/** Explains a slip of the book; throws SLIP_NOT_FOUND. */
export async function explainSlip(work: Explaining, slipId: string): Promise<Explained> {
  const { book, tenant } = work
  const stored = await book.store.read(async (reader) => {
    const rows = await revisionsOf(reader, slipId)
    const alarms = await alarmsAbout(reader, slipId)
    return { rows, alarms: alarms.map(({ message }) => message) }
  })
  if (stored.rows.length === 0)
    throw new Problem(
      'SLIP_NOT_FOUND',
      `The book has no slip ${slipId}. It may not be synced yet: countroom bets sync --out bets`,
      { slipId },
    )
  const slip = toSlip(stored.rows, tenant.timezone, stored.alarms)
  const round = (await partOf(work, 'Current round', roundOf(work, slip.roundId))) ?? null
  const { reconciled, restated, breaks, bookNow } = await book.store.read(async (reader) => ({
    reconciled: await reconciledDay(reader, slip),
    restated: await restatementViews(reader, { dates: [slip.date] }),
    breaks: await breaksAbout(reader, idsAbout(slip.date, tenant.timezone, foldUsername(slip.player))),
    bookNow: (await atPlatformTime(reader)).now,
  }))
  const about = restated.filter(({ players }) =>
    players.some(({ slips }) => slips.some((each) => each.slipId === slipId)),
  )
  const isBehind = round !== null && round.rev > (slip.revisions.at(-1)?.rev ?? 0)
  const next = [
    ...(isBehind ? ['The platform has a newer revision of the round; sync it: countroom bets sync --out bets'] : []),
    ...(about.length > 0
      ? [`Accept the change of ${slip.date}: countroom reconcile restated --accept --day ${slip.date}`]
      : []),
    ...(slip.contradictions.length > 0
      ? [`Read the platform's records of the day again: countroom reconcile daily ${slip.date}`]
      : []),
    `Explain the day: countroom reconcile explain ${slip.date} --player ${slip.player}`,
  ]
  return {
    subject: { kind: 'slip', name: slipId, player: null },
    ...nothing,
    breaks: breaks.map((row) => toBreakView(row, bookNow)),
    slip,
    round,
    day:
      about.length > 0
        ? { ...emptyDay(slip.date, tenant.timezone), reconciled: toReconciled(reconciled), restated: about }
        : null,
    missing: work.missing,
    next,
  }
}

/** Explains a day, for one player or for those with differences. */
export async function explainDay(work: Explaining, date: Day, options: ExplainOptions): Promise<Explained> {
  const { platform, book, tenant, now } = work
  if (!platform)
    throw new Problem(
      'INVALID_USAGE',
      'A day cannot be explained with --offline, because its summary is at the platform; omit the flag',
    )
  const player = options.player === undefined ? undefined : foldUsername(options.player)
  const { result, lines } = await reconcileDay(
    {
      platform,
      book,
      now,
      ...(work.signal ? { signal: work.signal } : {}),
      ...(work.onStep ? { onStep: work.onStep } : {}),
    },
    { date, tenant, trace: true, tracePages: options.tracePages },
  )
  if (result.trace.state === 'failed') work.missing.push(`Records of the day: ${result.trace.note}`)
  const selectedLines = lines.filter((line) => (player === undefined ? !line.matches : line.player === player))
  work.onStep?.('reading the slips')
  const players = await playersOf(book, result, selectedLines.slice(0, maxPlayers))
  const { reconciled, restated, breaks, bookNow } = await book.store.read(async (reader) => ({
    reconciled: await reconciledDay(reader, { date, timezone: tenant.timezone }),
    restated: await restatementViews(reader, { dates: [date] }),
    breaks: await breaksAbout(
      reader,
      selectedLines.flatMap((line) => idsAbout(date, tenant.timezone, line.player)),
    ),
    bookNow: (await atPlatformTime(reader)).now,
  }))
  const isSelected = (name: string | null) => player === undefined || name === null || foldUsername(name) === player
  const day: DayExplained = {
    date,
    timezone: tenant.timezone,
    verdict: result.verdict,
    reconciled: toReconciled(reconciled),
    differences: result.differences.filter((each) => isSelected(each.player)),
    reasons: result.reasons,
    explanations: result.explanations.filter((each) => isSelected(each.player)),
    concerned: result.slips.filter((each) => isSelected(each.player)),
    players,
    restated: restated
      .map((each) => ({ ...each, players: each.players.filter((one) => isSelected(one.player)) }))
      .filter((each) => each.players.length > 0),
    dayRule: result.dayRule,
    boundary: result.boundary,
  }
  return {
    subject: { kind: 'day', name: date, player: options.player ?? null },
    ...nothing,
    breaks: breaks.map((row) => toBreakView(row, bookNow)),
    day,
    missing: work.missing,
    next: nextOfDay(day, result),
  }
}

function nextOfDay(day: DayExplained, result: DayResult): string[] {
  return [
    ...result.next,
    ...(day.restated.length > 0
      ? [`Accept the changes since then: countroom reconcile restated --accept --day ${day.date}`]
      : []),
  ]
}

async function roundOf({ platform }: Explaining, roundId: string): Promise<Explained['round']> {
  if (!platform || !/^[0-9A-Z]{26}$/.test(roundId)) return null
  try {
    const { status, rev } = await platform.round({ params: { roundId } })
    return { roundId, status, rev }
  } catch (error) {
    // A deleted round says nothing about the slip.
    if (isProblem(error, 'ROUND_NOT_FOUND')) return null
    throw error
  }
}

/** Returns possible break IDs of a player's day. */
function idsAbout(date: Day, timezone: string, player: string): string[] {
  return [
    breakId({ kind: 'daily', subject: `${date} ${player}` }),
    breakId({ kind: 'restated', subject: `${date} ${timezone}` }),
  ]
}

async function playersOf(book: Book, day: DayResult, lines: readonly PlayerLine[]): Promise<PlayerExplained[]> {
  const span = { from: dayStart(day.date, day.timezone), to: dayEnd(day.date, day.timezone) }
  const selectedPlayers = new Set(lines.map(({ player }) => player))
  const ids: string[] = []
  if (selectedPlayers.size > 0)
    await book.store.read(async (reader) => {
      for await (const slips of slipsSettled(reader, span, [...selectedPlayers]))
        for (const slip of slips) if (selectedPlayers.has(latestOf(slip).player)) ids.push(slip.slipId)
    })
  const explained = await slipsByPlayer(book, ids, day.timezone)
  return lines.map((line) => {
    const own = explained.find(({ player }) => foldUsername(player) === line.player)
    return {
      player: line.username,
      currency: line.currency ?? own?.currency ?? null,
      platform: figures(line, 'platform'),
      book: figures(line, 'book'),
      slips: (own?.slips ?? []).slice(0, maxSlips),
      slipsLeftOut: Math.max(0, (own?.slips.length ?? 0) - maxSlips),
    }
  })
}

const figures = (line: PlayerLine, side: 'platform' | 'book'): Record<string, string> =>
  byField((field) => {
    const fieldLine = line.fields.find((each) => each.field === field)
    return side === 'platform' ? (fieldLine?.platformText ?? '') : fieldText(field, fieldLine?.book ?? 0n)
  })

export async function slipsByPlayer(book: Book, ids: readonly string[], zone: string): Promise<PlayerExplained[]> {
  const slips: SlipExplained[] = []
  await book.store.read(async (reader) => {
    for await (const rows of rowsOfMany(reader, ids)) if (rows.length > 0) slips.push(toSlip(rows, zone, []))
  })
  const none = byField(() => '') as Record<string, string>
  return [...Map.groupBy(slips, ({ player }) => foldUsername(player)).values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const { player, currency } = first
    return [{ player, currency, platform: none, book: none, slips: own, slipsLeftOut: 0 }]
  })
}

function toSlip(rows: readonly BookSlipRow[], zone: string, alarms: readonly string[]): SlipExplained {
  const placed = rows.map((row) => ({ row, version: versionOfRow(row) }))
  const slip: SlipHistory = { slipId: rows[0]?.slip_id ?? '', versions: placed.map(({ version }) => version) }
  const [first, latest] = [firstOf(slip), latestOf(slip)]
  const atStake = first.rev === 1 ? first.stake + first.hold : 0n
  const paid = slip.versions.reduce((total, { delta }) => total + delta, 0n)
  let counted = 0n
  return {
    slipId: slip.slipId,
    player: latest.username,
    currency: latest.currency,
    game: latest.game,
    tableId: latest.tableId,
    roundId: latest.roundId,
    placedAt: momentText(first.placedAt),
    date: dayOf(countedAt(slip), zone),
    timezone: zone,
    onsite: latest.isOnsite,
    wallet: text(latest.isOnsite ? 0n : paid - atStake),
    revisions: placed.map(({ row, version }) => {
      const before = counted
      counted = figuresOf(version).winLoss
      return {
        rev: version.rev,
        status: version.status,
        month: shownMonth(row.month),
        recSeq: version.recSeq,
        place: row.place,
        settledAt: momentText(version.settledAt),
        writtenOn: dayOf(version.settledAt, zone),
        counts: version.rev === latest.rev,
        stake: text(version.stake),
        hold: text(version.hold),
        payout: text(version.payout),
        winLoss: text(version.winLoss),
        delta: text(version.delta),
        change: text(counted - before),
      }
    }),
    contradictions: contradictionsOf(slip).map(contradictionText),
    alarms: [...alarms],
  }
}

export const toReconciled = (row: Awaited<ReturnType<typeof reconciledDay>>): DayExplained['reconciled'] =>
  row === undefined
    ? null
    : {
        runId: row.run_id,
        at: momentText(row.reconciled_at),
        verdict: row.verdict,
        latestRunId: row.latest_run_id,
        latestAt: momentText(row.latest_at),
      }

export const emptyDay = (date: Day, timezone: string): DayExplained => ({
  date,
  timezone,
  verdict: 'cannot-conclude',
  reconciled: null,
  differences: [],
  reasons: [],
  explanations: [],
  concerned: [],
  players: [],
  restated: [],
  dayRule: null,
  boundary: null,
})

/** Returns the tenant of the book, when the platform is not contacted. */
export async function tenancyOf(book: Book): Promise<Tenancy> {
  const { owner } = await book.store.read(bookState)
  if (!owner) throw new Problem('CANNOT_CONCLUDE', 'The book is empty. Run first: countroom bets sync --out bets')
  return { companyCode: owner.company_code, environment: owner.environment, timezone: owner.timezone }
}

export const text = (units: bigint) => formatUnits(units, playerScale)
