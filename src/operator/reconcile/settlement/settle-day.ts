import type { Reader } from '../../../db/store.ts'
import { isHeadless } from '../../../domain/bets/slip-history.ts'
import type { TableSettings } from '../../../domain/games/game.ts'
import { formatUnits, playerScale } from '../../../domain/money.ts'
import { isOfDay, mayBeOf } from '../../../domain/reconcile/break-causes.ts'
import type { Verdict } from '../../../domain/reconcile/daily.ts'
import { isWrong } from '../../../domain/reconcile/settlement/recorded.ts'
import { unitsText } from '../../../domain/reconcile/settlement/settle.ts'
import { settingsText } from '../../../domain/reconcile/settlement/table-rules.ts'
import { type Day, dayEnd, dayStart } from '../../../domain/time/day.ts'
import { momentText } from '../../../kit/moment.ts'
import { bookState, headlessSlips, rowsOfMany, type Span, slipsSettled } from '../../bets/slips-by-day.ts'
import type { Book } from '../../book/book.ts'
import { openOfKind } from '../breaks/store.ts'
import { coverageReasons } from '../daily/doubts.ts'
import { reasonText } from '../daily/messages.ts'
import type { Tenancy } from '../daily/types.ts'
import { findingText, settlementSteps, uncheckedTexts } from './messages.ts'
import { type ReadSlip, readSlip, settleRound } from './rounds.ts'
import type { SettlementFinding, SettlementResult } from './schema.ts'
import { statedSettings } from './table-settings.ts'
import { DayTally, type SlipOutcome } from './tally.ts'

/** Settles every slip of a day again by the rules of the games, from the book alone. */

export interface SettlementOptions {
  readonly date: Day
  readonly tenant: Tenancy
  /** The platform's time. */
  readonly now: number
  /** Settings stated by this run; they replace those in the book. */
  readonly stated?: ReadonlyMap<string, TableSettings | null>
  readonly signal?: AbortSignal
  /** Called with the number of slips so far. */
  readonly onSlips?: (count: number) => void
}

export interface SettledDay {
  readonly result: SettlementResult
  /** Slips with an open break that were checked completely. Those that are still wrong are found again. */
  readonly cleared: ReadonlySet<string>
}

/** Settles the day in one snapshot, so that a concurrent sync does not affect it. */
export function settleDay(book: Book, options: SettlementOptions): Promise<SettledDay> {
  const { date, tenant } = options
  const span = { from: dayStart(date, tenant.timezone), to: dayEnd(date, tenant.timezone) }
  return book.store.read(async (reader) => {
    const state = await bookState(reader)
    const stated = await settingsFor(reader, options)
    const watched = new Set((await openOfKind(reader, 'settlement')).map(({ subject }) => subject))
    const tally = new DayTally(stated, watched)
    let doubtful = 0
    for await (const { slips, doubtfulCount } of roundsOf(reader, span)) {
      options.signal?.throwIfAborted()
      doubtful += doubtfulCount
      for (const [tableId, some] of byTable(slips))
        for (const settled of settleRound(some, tally.settingsOf(tableId))) tally.add(settled)
      options.onSlips?.(tally.slips)
    }
    tally.conclude(await historyOf(reader, tally.undecidedTables()))
    const reasons = coverageReasons({ span, state, now: options.now, tenant, headless: doubtful > 0 })
    return {
      result: resultOf(options, span, tally, reasonsShown(options, span, state, reasons)),
      cleared: tally.cleared,
    }
  })
}

async function settingsFor(reader: Reader, { stated }: SettlementOptions): Promise<Map<string, TableSettings>> {
  const known = await statedSettings(reader)
  for (const [tableId, settings] of stated ?? [])
    if (settings === null) known.delete(tableId)
    else known.set(tableId, settings)
  return known
}

/**
 * Maximum number of revisions of a table that are read as evidence, and number of the book's last rows that are
 * searched for them.
 */
const historySlips = 300
const historyRows = 200_000

/** Reads the latest revisions at tables whose slips of the day do not show their settings. */
async function historyOf(reader: Reader, tables: readonly string[]): Promise<Map<string, ReadSlip[]>> {
  const history = new Map<string, ReadSlip[]>()
  if (tables.length === 0) return history
  const { lastPlace } = await bookState(reader)
  for (const tableId of tables) {
    const rows = await reader.q
      .selectFrom('book_revisions')
      .selectAll()
      .where('place', '>', lastPlace - historyRows)
      .where('record', 'like', `%"tableId":${JSON.stringify(tableId)}%`)
      .orderBy('place', 'desc')
      .limit(historySlips)
      .execute()
    history.set(
      tableId,
      rows.map((row) => readSlip([row])),
    )
  }
  return history
}

function reasonsShown(
  { date, tenant }: SettlementOptions,
  span: Span,
  { owner, position }: Awaited<ReturnType<typeof bookState>>,
  codes: ReturnType<typeof coverageReasons>,
): SettlementResult['reasons'] {
  const about = {
    date,
    zone: tenant.timezone,
    end: span.to,
    companyCode: tenant.companyCode,
    environment: tenant.environment,
    owner,
    startedFrom: position?.started_from ?? null,
    caughtUpAt: position?.caught_up_at ?? null,
    players: [],
    reportedDate: date,
    reportedZone: tenant.timezone,
    reportedPlayerCount: 0,
    plan: '',
    retentionDays: 0,
  }
  return codes.map((code) => ({ code, message: reasonText(code, about) }))
}

/** Slips settled at the same time: the players of a round are settled together. */
interface SettledTogether {
  readonly slips: readonly ReadSlip[]
  /** Number of slips that may belong to another day, because their first settlement is missing. */
  readonly doubtfulCount: number
}

/** Reads the slips of a day, those of a round together. */
async function* roundsOf(reader: Reader, span: Span): AsyncGenerator<SettledTogether> {
  let open: ReadSlip[] = []
  let at = Number.NaN
  for await (const slips of slipsSettled(reader, span)) {
    const own = slips.filter((slip) => !isHeadless(slip)).map(({ slipId }) => slipId)
    for await (const rows of rowsOfMany(reader, own)) {
      const settledAt = rows[0]?.settled_at ?? Number.NaN
      if (settledAt !== at && open.length > 0) {
        yield { slips: open, doubtfulCount: 0 }
        open = []
      }
      at = settledAt
      open.push(readSlip(rows))
    }
  }
  if (open.length > 0) yield { slips: open, doubtfulCount: 0 }
  for await (const slips of headlessSlips(reader, span.from)) {
    const own = slips.filter((slip) => isOfDay(slip, span.from, span.to)).map(({ slipId }) => slipId)
    const headless: ReadSlip[] = []
    for await (const rows of rowsOfMany(reader, own)) headless.push(readSlip(rows))
    yield { slips: headless, doubtfulCount: slips.filter((slip) => mayBeOf(slip, span.from, span.to)).length }
  }
}

/** Groups slips by round, each with its table. */
function* byTable(slips: readonly ReadSlip[]): Generator<[string, ReadSlip[]]> {
  const rounds = new Map<string, { tableId: string; slips: ReadSlip[] }>()
  for (const slip of slips) {
    const first = slip.revisions.map(({ read }) => read).find((read) => !('unreadable' in read))
    const [tableId, roundId] = first && !('unreadable' in first) ? [first.tableId, first.roundId] : ['', slip.slipId]
    const round = rounds.get(`${tableId} ${roundId}`) ?? { tableId, slips: [] }
    rounds.set(`${tableId} ${roundId}`, round)
    round.slips.push(slip)
  }
  for (const round of rounds.values()) yield [round.tableId, round.slips]
}

function resultOf(
  { date, tenant }: SettlementOptions,
  span: Span,
  tally: DayTally,
  reasons: SettlementResult['reasons'],
): SettlementResult {
  const findings = tally.wrong.flatMap(findingsOf)
  const notChecked = [...tally.unchecked].map(([reason, { slips, examples, tables }]) => ({
    reason,
    message: uncheckedTexts[reason],
    slips,
    tables: [...tables].sort(),
    examples,
  }))
  const isDoubtful = reasons.length > 0 || notChecked.length > 0
  const verdict: Verdict = findings.length > 0 ? 'differences' : isDoubtful ? 'cannot-conclude' : 'balanced'
  const games = [...tally.games.values()].sort((a, b) => (`${a.game} ${a.variant}` < `${b.game} ${b.variant}` ? -1 : 1))
  const result = {
    verdict,
    date,
    timezone: tenant.timezone,
    start: momentText(span.from),
    end: momentText(span.to),
    hours: (span.to - span.from) / 3_600_000,
    companyCode: tenant.companyCode,
    environment: tenant.environment,
    slips: tally.slips,
    revisions: tally.revisions,
    wrong: tally.wrong.length,
    unchecked: games.reduce((total, { unchecked }) => total + unchecked, 0),
    games,
    totals: totalsOf(tally.wrong),
    findings,
    notChecked,
    reasons,
    tables: tally.tables.map(({ settings, ...table }) => ({ ...table, settings: settingsText(settings) })),
  }
  return { ...result, next: settlementSteps(result, tally) }
}

function findingsOf({ slip, outcomes }: SlipOutcome): SettlementFinding[] {
  return slip.revisions.flatMap(({ read }, i): SettlementFinding[] => {
    const settled = outcomes[i]
    if (!settled || !isWrong(settled) || 'unreadable' in read) return []
    const { slipId, rev, status, username, currency, game, variant, tableId, roundId, settledAt, code, cardInfo } = read
    return [
      {
        slipId,
        rev,
        status,
        player: username,
        currency,
        game,
        variant,
        tableId,
        roundId,
        settledAt: momentText(settledAt),
        bets: read.legs.map(({ zone, amount }) => `${zone} ${unitsText(amount)}`).join(', '),
        code,
        cardInfo,
        onsite: read.isOnsite,
        impossible: settled.impossible,
        fields: settled.differences.map(({ field, platform, rules, units }) => ({
          field,
          platform,
          rules,
          difference: units === null ? null : unitsText(units),
        })),
        message: findingText(settled.differences, settled.impossible),
      },
    ]
  })
}

/** Sums the differences of the latest revisions by currency. Seats on site are outside of the wallet. */
function totalsOf(wrong: readonly SlipOutcome[]): SettlementResult['totals'] {
  const totals = new Map<string, { currency: string; field: string; units: bigint; slips: number }>()
  for (const { slip, outcomes } of wrong) {
    const read = slip.revisions.at(-1)?.read
    if (!read || 'unreadable' in read || read.isOnsite) continue
    for (const { field, units } of outcomes.at(-1)?.differences ?? []) {
      if (units === null || !summed.has(field)) continue
      const key = `${read.currency} ${field}`
      const total = totals.get(key) ?? { currency: read.currency, field, units: 0n, slips: 0 }
      totals.set(key, total)
      total.units += units
      total.slips += 1
    }
  }
  return [...totals.values()].map(({ units, ...total }) => ({ ...total, difference: formatUnits(units, playerScale) }))
}

const summed: ReadonlySet<string> = new Set(['stake', 'hold', 'validStake', 'rolling', 'payout', 'winLoss', 'rake'])
