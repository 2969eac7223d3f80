import type { BookBreakRow, BookSlipRow } from '../../../db/schema/book.ts'
import { contradictionsOf, countedAt, firstOf, latestOf, type SlipHistory } from '../../../domain/bets/slip-history.ts'
import { formatUnits, playerScale } from '../../../domain/money.ts'
import { foldUsername } from '../../../domain/players/player.ts'
import { breakId } from '../../../domain/reconcile/breaks.ts'
import { byField, byText, fieldText, figuresOf, type PlayerLine } from '../../../domain/reconcile/daily.ts'
import { type Day, dayEnd, dayOf, dayStart } from '../../../domain/time/day.ts'
import type { Client } from '../../../http/contract/contract.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import type { casino as casinoContract } from '../../../services/casino/api/contract.ts'
import { recordOfRow } from '../../balances/cases.ts'
import { markNamed, walletRows } from '../../balances/readings.ts'
import type { WalletResult } from '../../balances/schema.ts'
import { transfersOfPlayers } from '../../balances/transfers.ts'
import { shownMonth } from '../../bets/alarms.ts'
import { revisionsOf } from '../../bets/slip-rows.ts'
import { versionOfRow } from '../../bets/slip-versions.ts'
import { bookState, rowsOfMany, slipsSettled } from '../../bets/slips-by-day.ts'
import { alarmsAbout } from '../../book/alarms.ts'
import type { Book } from '../../book/book.ts'
import { journalOf } from '../../transfers/lookups.ts'
import { toBreakShown, toEventShown } from '../breaks/record.ts'
import { breakNamed, breaksAbout } from '../breaks/store.ts'
import { reconciledDay } from '../daily/closed-days.ts'
import { contradictionText } from '../daily/messages.ts'
import { reconcileDay, type Tenancy } from '../daily/reconcile-day.ts'
import type { DayResult } from '../daily/schema.ts'
import { restatementsShown } from '../restated.ts'
import type { DayExplained, Explained, Movement, PlayerExplained, SlipExplained } from './schema.ts'

/** Everything known of one difference: what makes the figure up, when each part of it was written, and what would account for it. */

export interface Explaining {
  readonly platform: Client<typeof casinoContract> | undefined
  readonly book: Book
  readonly tenant: Tenancy
  /** The platform's time, by which days are told. */
  now(): number
  /** This machine's time, by which the book dates what is its own. */
  here(): number
  readonly signal?: AbortSignal
  readonly onStep?: (step: string) => void
}

export interface ExplainOptions {
  readonly player?: string | undefined
  readonly tracePages: number
}

/** How many slips of a player are told, and how many players of a day. */
const mostSlips = 500
const mostPlayers = 50
const mostMovements = 500

const nothing: Omit<Explained, 'subject'> = {
  break: null,
  history: [],
  breaks: [],
  slip: null,
  round: null,
  day: null,
  wallet: null,
  transfer: null,
  next: [],
}

/** A slip of the book; SLIP_NOT_FOUND where it has none of that id. */
export async function explainSlip(work: Explaining, slipId: string): Promise<Explained> {
  const { book, tenant, here } = work
  const found = await book.store.read(async (reader) => {
    const rows = await revisionsOf(reader, slipId)
    const alarms = await alarmsAbout(reader, slipId)
    return { rows, alarms: alarms.map(({ message }) => message) }
  })
  if (found.rows.length === 0)
    throw new Problem('SLIP_NOT_FOUND', `The book has no slip ${slipId}: it may not have been pulled yet`, { slipId })
  const slip = toSlip(found.rows, tenant.timezone, found.alarms)
  const round = await roundOf(work, slip.roundId)
  const { reconciled, restated, breaks } = await book.store.read(async (reader) => ({
    reconciled: await reconciledDay(reader, slip),
    restated: await restatementsShown(reader, { dates: [slip.date] }),
    breaks: await breaksAbout(reader, idsAbout(slip.date, tenant.timezone, foldUsername(slip.player))),
  }))
  const about = restated.filter(({ players }) =>
    players.some(({ slips }) => slips.some((each) => each.slipId === slipId)),
  )
  const isBehind = round !== null && round.rev > (slip.revisions.at(-1)?.rev ?? 0)
  const next = [
    ...(isBehind ? ['The platform has revised the round since: pull it with countroom bets sync'] : []),
    ...(about.length > 0
      ? [`Accept the change of ${slip.date} with countroom reconcile restated --accept --day ${slip.date}`]
      : []),
    ...(slip.contradictions.length > 0
      ? [`Let the platform's records of the day be read again: countroom reconcile daily ${slip.date}`]
      : []),
    `See the rest of the day with countroom reconcile explain ${slip.date} --player ${slip.player}`,
  ]
  return {
    subject: { kind: 'slip', name: slipId, player: null },
    ...nothing,
    breaks: breaks.map((row) => toBreakShown(row, here())),
    slip,
    round,
    day:
      about.length > 0
        ? { ...emptyDay(slip.date, tenant.timezone), reconciled: toReconciled(reconciled), restated: about }
        : null,
    next,
  }
}

/** A day, of one player or of those who differ. */
export async function explainDay(work: Explaining, date: Day, options: ExplainOptions): Promise<Explained> {
  const { platform, book, tenant, now, here } = work
  if (!platform) throw new Problem('INVALID_USAGE', 'A day is explained with the platform: leave --offline out')
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
  const wanted = lines.filter((line) => (player === undefined ? !line.matches : line.player === player))
  work.onStep?.('reading the slips')
  const players = await playersOf(book, result, wanted.slice(0, mostPlayers))
  const { reconciled, restated, breaks } = await book.store.read(async (reader) => ({
    reconciled: await reconciledDay(reader, { date, timezone: tenant.timezone }),
    restated: await restatementsShown(reader, { dates: [date] }),
    breaks: await breaksAbout(
      reader,
      wanted.flatMap((line) => idsAbout(date, tenant.timezone, line.player)),
    ),
  }))
  const isWanted = (name: string | null) => player === undefined || name === null || foldUsername(name) === player
  const day: DayExplained = {
    date,
    timezone: tenant.timezone,
    verdict: result.verdict,
    reconciled: toReconciled(reconciled),
    differences: result.differences.filter((each) => isWanted(each.player)),
    reasons: result.reasons,
    explanations: result.explanations.filter((each) => isWanted(each.player)),
    concerned: result.slips.filter((each) => isWanted(each.player)),
    players,
    restated: restated
      .map((each) => ({ ...each, players: each.players.filter((one) => isWanted(one.player)) }))
      .filter((each) => each.players.length > 0),
  }
  return {
    subject: { kind: 'day', name: date, player: options.player ?? null },
    ...nothing,
    breaks: breaks.map((row) => toBreakShown(row, here())),
    day,
    next: nextOfDay(day, result, options.player),
  }
}

function nextOfDay(day: DayExplained, result: DayResult, player: string | undefined): string[] {
  return [
    ...result.next,
    ...(day.restated.length > 0
      ? [`Accept what changed since with countroom reconcile restated --accept --day ${day.date}`]
      : []),
    ...(day.players.length === 0 && player === undefined
      ? [`See what makes one player's figures up with countroom reconcile explain ${day.date} --player USER`]
      : []),
  ]
}

/** A break, by its id or the beginning of it. */
export async function explainBreak(work: Explaining, id: string, options: ExplainOptions): Promise<Explained> {
  const { row, events } = await breakNamed(work.book, id)
  const about = {
    subject: { kind: 'break' as const, name: row.id, player: null },
    break: toBreakShown(row, work.here()),
    history: events.map(toEventShown),
  }
  const told = await partsOf(work, row, options)
  const isOpen = row.state === 'open'
  const settle = isOpen
    ? [`When it is settled: countroom reconcile breaks close ${row.id} --reason REASON --note "…"`]
    : []
  return { ...nothing, ...told, ...about, next: [...(told.next ?? []), ...settle] }
}

function partsOf(work: Explaining, row: BookBreakRow, options: ExplainOptions): Promise<Partial<Explained>> {
  if (row.kind === 'daily') return dayOfBreak(work, row, options)
  if (row.kind === 'restated') return restatedOfBreak(work, row)
  if (row.kind === 'wallet') return walletOfBreak(work, row)
  if (row.kind === 'transfers') return transferOfBreak(work, row)
  const again = row.kind === 'billing' ? 'countroom reconcile billing' : 'countroom reconcile payments'
  return Promise.resolve({ next: [`See whether it is still there: ${again}`] })
}

async function dayOfBreak(work: Explaining, row: BookBreakRow, options: ExplainOptions): Promise<Partial<Explained>> {
  if (row.date === null || !work.platform) return { next: [] }
  const { day, next } = await explainDay(work, row.date, { ...options, player: row.player ?? undefined })
  return { day, next }
}

async function restatedOfBreak(work: Explaining, row: BookBreakRow): Promise<Partial<Explained>> {
  const { date, timezone } = JSON.parse(row.detail)
  const { restated, reconciled } = await work.book.store.read(async (reader) => ({
    restated: await restatementsShown(reader, { dates: [date] }),
    reconciled: await reconciledDay(reader, { date, timezone }),
  }))
  const ids = restated.flatMap(({ players }) => players.flatMap(({ slips }) => slips.map(({ slipId }) => slipId)))
  const players = await slipsByPlayer(work.book, ids.slice(0, mostSlips), timezone)
  return {
    day: { ...emptyDay(date, timezone), reconciled: toReconciled(reconciled), restated, players },
    next: row.state === 'open' ? [`Accept it with countroom reconcile restated --accept --day ${date}`] : [],
  }
}

async function walletOfBreak(work: Explaining, row: BookBreakRow): Promise<Partial<Explained>> {
  const proof: WalletResult = JSON.parse(row.detail)
  const player = row.player ?? ''
  const mark = await work.book.store.read((reader) => markNamed(reader, proof.since?.markId ?? ''))
  const next = [`See whether it is still there: countroom reconcile wallet ${proof.player}`]
  // Where the reading is gone, nobody knows which revisions it had counted.
  if (!mark && proof.since?.from === 'reading')
    return { wallet: { proof, isReadingKept: false, movements: [], movementsLeftOut: 0 }, next }
  const movements: Movement[] = []
  if (work.platform) {
    const { environment } = work.tenant
    const desk = {
      platform: work.platform,
      book: work.book,
      environment,
      here: work.here,
      there: work.now,
      sleep: async () => {},
    }
    const from = Date.parse(proof.since?.at ?? '')
    for (const each of (await transfersOfPlayers(desk, [player])).get(player) ?? []) {
      const at = each.at ?? each.ours?.doneAt ?? null
      if (at !== null && at < from) continue
      const what = { in: 'deposit', out: 'withdrawal', adjust: 'adjustment' } as const
      const change = each.change === null ? null : text(each.change)
      movements.push({ at: at === null ? null : iso(at), what: what[each.dir], id: each.txnId, rev: null, change })
    }
  }
  let leftOut = 0
  const latest = () => {
    movements.sort((a, b) => byText(a.at ?? '', b.at ?? ''))
    leftOut += movements.splice(0, Math.max(0, movements.length - mostMovements)).length
  }
  await work.book.store.read(async (reader) => {
    const range = { after: mark?.place ?? 0, upTo: Number.MAX_SAFE_INTEGER, players: [player] }
    for await (const rows of walletRows(reader, range)) {
      for (const each of rows) {
        const record = recordOfRow(each)
        const change = record === null ? null : text(record.delta - record.atStake)
        movements.push({ at: iso(each.settled_at), what: 'slip', id: each.slip_id, rev: each.rev, change })
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
  const found = work.platform && (await transferAt(work.platform, txnId, row.player ?? undefined))
  const platform = found
    ? {
        player: found.username,
        dir: found.dir,
        amount: found.amount,
        currency: null,
        state: found.status,
        at: found.at,
      }
    : null
  const journal = ours
    ? {
        player: ours.username,
        dir: ours.dir,
        amount: ours.amount,
        currency: ours.currency,
        state: ours.state,
        at: iso(ours.made_at),
      }
    : null
  const next = [
    ...(ours && (ours.state === 'unknown' || ours.state === 'new')
      ? [`Close what is open about it: countroom wallet transfer ${txnId}`]
      : []),
    'See whether it is still there: countroom reconcile transfers LEDGER',
  ]
  return { transfer: { txnId, platform, journal }, next }
}

async function transferAt(platform: Client<typeof casinoContract>, txnId: string, username: string | undefined) {
  for (const query of [...(username === undefined ? [] : [{ txnId, username }]), { txnId }]) {
    try {
      return await platform.transfer({ query })
    } catch (error) {
      if (!isProblem(error, 'TXN_NOT_FOUND')) throw error
    }
  }
  return undefined
}

async function roundOf({ platform }: Explaining, roundId: string): Promise<Explained['round']> {
  if (!platform || !/^[0-9A-Z]{26}$/.test(roundId)) return null
  try {
    const { status, rev } = await platform.round({ params: { roundId } })
    return { roundId, status, rev }
  } catch (error) {
    // One that the platform keeps no more says nothing of the slip.
    if (isProblem(error, 'ROUND_NOT_FOUND')) return null
    throw error
  }
}

/** The breaks there can be about a player's day. */
function idsAbout(date: Day, timezone: string, player: string): string[] {
  return [
    breakId({ kind: 'daily', subject: `${date} ${player}` }),
    breakId({ kind: 'restated', subject: `${date} ${timezone}` }),
  ]
}

async function playersOf(book: Book, day: DayResult, lines: readonly PlayerLine[]): Promise<PlayerExplained[]> {
  const span = { from: dayStart(day.date, day.timezone), to: dayEnd(day.date, day.timezone) }
  const wanted = new Set(lines.map(({ player }) => player))
  const ids: string[] = []
  if (wanted.size > 0)
    await book.store.read(async (reader) => {
      for await (const slips of slipsSettled(reader, span, [...wanted]))
        for (const slip of slips) if (wanted.has(latestOf(slip).player)) ids.push(slip.slipId)
    })
  const explained = await slipsByPlayer(book, ids, day.timezone)
  return lines.map((line) => {
    const own = explained.find(({ player }) => foldUsername(player) === line.player)
    return {
      player: line.username,
      currency: line.currency ?? own?.currency ?? null,
      platform: figures(line, 'platform'),
      book: figures(line, 'book'),
      slips: (own?.slips ?? []).slice(0, mostSlips),
      slipsLeftOut: Math.max(0, (own?.slips.length ?? 0) - mostSlips),
    }
  })
}

const figures = (line: PlayerLine, side: 'platform' | 'book'): Record<string, string> =>
  byField((field) => {
    const found = line.fields.find((each) => each.field === field)
    return side === 'platform' ? (found?.platformText ?? '') : fieldText(field, found?.book ?? 0n)
  })

async function slipsByPlayer(book: Book, ids: readonly string[], zone: string): Promise<PlayerExplained[]> {
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
    placedAt: iso(first.placedAt),
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
        settledAt: iso(version.settledAt),
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

const toReconciled = (row: Awaited<ReturnType<typeof reconciledDay>>): DayExplained['reconciled'] =>
  row === undefined
    ? null
    : {
        runId: row.run_id,
        at: iso(row.reconciled_at),
        verdict: row.verdict,
        latestRunId: row.latest_run_id,
        latestAt: iso(row.latest_at),
      }

const emptyDay = (date: Day, timezone: string): DayExplained => ({
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
})

/** Whose days these are: the book's own tenant, where the platform is not asked. */
export async function tenancyOf(book: Book): Promise<Tenancy> {
  const { owner } = await book.store.read(bookState)
  if (!owner)
    throw new Problem('CANNOT_CONCLUDE', 'Nothing was ever pulled into this book: "countroom bets sync" comes first')
  return { companyCode: owner.company_code, environment: owner.environment, timezone: owner.timezone }
}

const text = (units: bigint) => formatUnits(units, playerScale)
const iso = (at: number) => new Date(at).toISOString()
