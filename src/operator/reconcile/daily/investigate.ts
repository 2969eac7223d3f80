import {
  latestOf,
  type SequenceBreak,
  type SlipHistory,
  type SlipVersion,
  sequenceBreaks,
  withVersion,
} from '../../../domain/bets/slip-history.ts'
import { foldUsername } from '../../../domain/players/player.ts'
import { causesOf, isOfDay } from '../../../domain/reconcile/break-causes.ts'
import {
  byField,
  type DayFigures,
  figuresOf,
  minus,
  noFigures,
  type PlayerLine,
  plus,
  type Reason,
  type ReasonCode,
  same,
} from '../../../domain/reconcile/daily.ts'
import { piecesOf } from '../../../kit/pieces.ts'
import { isProblem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import type { BetRecord } from '../../../services/casino/api/schemas/index.ts'
import { repairGaps } from '../../bets/repair/history.ts'
import { versionOf } from '../../bets/slip-versions.ts'
import { arrivalsOf, headlessSlips, type Span, slipsOf, slipsRevised, slipsSettled } from '../../bets/slips-by-day.ts'
import type { Book } from '../../book/book.ts'
import { keyOf, readTail, type SlipFinding, type Tail, type Trace, traceDay, withNewer } from './compare-records.ts'
import { breakText, causeText, traceText } from './messages.ts'
import type { DayResult, Explanation, ExplanationCode } from './schema.ts'
import type { ComparedDay, Reconciling } from './types.ts'

/** Investigates differences: records after the book's cursor, the platform's records of the day, and possible causes. */

/** Maximum number of pages after the book's cursor; a book further behind must be synced first. */
const tailPages = 20
/** Maximum number of IDs per query. */
const idsAtOnce = 1000
/** Number of players whose slips are in memory at once during the search for causes. */
const explainedAtOnce = 200
/** Maximum number of slips per explanation, and of gaps in the numbering. */
const maxCandidates = 50
const maxBreaks = 20

export interface Investigation {
  readonly tail: Tail | undefined
  /** Players whose differences are explained by newer records, with their slips. */
  readonly stale: ReadonlyMap<string, readonly string[]>
  readonly trace: Trace | undefined
  readonly traceState: DayResult['trace']['state']
  readonly traceNote: string | null
  readonly explanations: readonly Explanation[]
  /** Slips named by the explanations, from the book. */
  readonly candidates: ReadonlyMap<string, { readonly version: SlipVersion; readonly note: string }>
}

export const noInvestigation: Investigation = {
  tail: undefined,
  stale: new Map(),
  trace: undefined,
  traceState: 'not-needed',
  traceNote: null,
  explanations: [],
  candidates: new Map(),
}

/** If the summary is for another range, or records may be deleted, reading again would find false differences. */
const untraceable: ReadonlySet<ReasonCode> = new Set(['SUMMARY_OF_ANOTHER_DAY', 'OTHER_TIMEZONE', 'RETENTION'])

export async function investigate(
  work: Reconciling,
  day: ComparedDay,
  reasons: readonly Reason[],
): Promise<Investigation> {
  // A player missing in a full summary is no difference to investigate.
  const isCut = reasons.some(({ code }) => code === 'SUMMARY_FULL')
  const differing = day.lines.filter((line) => !line.matches && (line.isReported || !isCut))
  if (differing.length === 0 && day.booked.contradictions.length === 0) return noInvestigation
  const cursor = day.booked.state.position?.cursor ?? null
  work.onStep?.('reading newer records')
  const tail = differing.length > 0 && cursor !== null ? await tailBehind(work, cursor) : undefined
  const stale = tail ? await accountedFor(work.book, day, differing, tail) : new Map<string, string[]>()
  const open = differing.filter((line) => !stale.has(line.player))
  const needsTrace = open.length > 0 || day.booked.contradictions.length > 0
  const traced = needsTrace ? await traceIf(work, day, open, tail, reasons) : notTraced('not-needed')
  work.onStep?.('searching for causes')
  const causes = await causesFor(work, day, open, traced.trace)
  const breaks = open.length > 0 ? await breakExplanations(work.book, day.span) : []
  return {
    tail,
    stale,
    ...traced,
    explanations: [...staleExplanations(stale, differing), ...causes.explanations, ...breaks],
    candidates: causes.candidates,
  }
}

async function tailBehind(work: Reconciling, cursor: string): Promise<Tail | undefined> {
  try {
    return await readTail(work.platform, cursor, tailPages, work.signal)
  } catch (error) {
    // An expired cursor says nothing about the figures; the rest can still be reported.
    if (isProblem(error, 'INVALID_CURSOR')) return undefined
    throw error
  }
}

/** Returns the players without difference after the newer records are added to the book's. */
async function accountedFor(book: Book, day: ComparedDay, differing: readonly PlayerLine[], tail: Tail) {
  const { span } = day
  const changes = await tailChanges(book, span, tail.records)
  const byPlayer = Map.groupBy(changes, ({ player }) => player)
  const stale = new Map<string, string[]>()
  for (const line of differing) {
    const own = byPlayer.get(line.player) ?? []
    const newer = own.reduce((total, { change }) => plus(total, change), bookedFigures(line))
    const reported = reportedFigures(line)
    if (own.length > 0 && reported && same(newer, reported))
      stale.set(
        line.player,
        own.map(({ slipId }) => slipId),
      )
  }
  return stale
}

/** Returns the effect of newer records on their players' days. */
async function tailChanges(book: Book, { from, to }: Span, records: readonly BetRecord[]) {
  const known = new Map<string, SlipHistory>()
  await book.store.read(async (reader) => {
    const ids = [...new Set(records.map((record) => record.slipId))]
    for (const some of piecesOf(ids, idsAtOnce))
      for (const slip of await slipsOf(reader, some)) known.set(slip.slipId, slip)
  })
  const after = new Map<string, SlipHistory>()
  for (const record of records) {
    const slip = after.get(record.slipId) ?? known.get(record.slipId) ?? { slipId: record.slipId, versions: [] }
    after.set(record.slipId, withVersion(slip, versionOf(record)))
  }
  const counted = (slip: SlipHistory | undefined) =>
    slip && isOfDay(slip, from, to) ? figuresOf(latestOf(slip)) : noFigures
  return [...after.values()].flatMap((slip) => {
    const change = minus(counted(slip), counted(known.get(slip.slipId)))
    return same(change, noFigures) ? [] : [{ slipId: slip.slipId, player: latestOf(slip).player, change }]
  })
}

function bookedFigures(line: PlayerLine): DayFigures {
  return byField((field) => line.fields.find((each) => each.field === field)?.book ?? 0n)
}

/** Returns the platform's figures of a player, if all can be read. */
function reportedFigures(line: PlayerLine): DayFigures | undefined {
  if (line.fields.some(({ platform }) => platform === null)) return undefined
  return byField((field) => line.fields.find((each) => each.field === field)?.platform ?? 0n)
}

type Traced = Pick<Investigation, 'trace' | 'traceState' | 'traceNote'>
const notTraced = (traceState: Investigation['traceState'], traceNote: string | null = null): Traced => ({
  trace: undefined,
  traceState,
  traceNote,
})

async function traceIf(
  work: Reconciling,
  day: ComparedDay,
  open: readonly PlayerLine[],
  tail: Tail | undefined,
  reasons: readonly Reason[],
): Promise<Traced> {
  const { options, span, booked } = day
  if (!options.trace) return notTraced('off')
  const against = reasons.find(({ code }) => untraceable.has(code))
  if (against) return notTraced('impossible', `Reading the day again would not prove anything: ${against.code}`)
  try {
    const read = await traceDay(work.platform, work.book, {
      span,
      // At most one day earlier: a time changed in the book must not start the read at the beginning of all bets.
      from: Math.max(booked.placedFrom, span.from - 86_400_000) - 60_000,
      maxPages: options.tracePages,
      tail: new Set((tail?.records ?? []).map(keyOf)),
      newerFrom: tail?.isWhole ? Number.POSITIVE_INFINITY : (booked.state.latestAt ?? 0),
      lastPlace: booked.state.lastPlace,
      bookBegins: booked.state.position?.started_from ?? 0,
      signal: work.signal,
      isEnough: (figures) =>
        open.every((line) => {
          const reported = reportedFigures(line)
          return reported !== undefined && same(figures.get(line.player) ?? noFigures, reported)
        }),
      onPage: (pages, records) => work.onStep?.(`reading the day again: ${pages} pages, ${records} records`),
    })
    const mayBeNew = tail?.isWhole && read.findings.some(({ kind }) => kind === 'missing-in-book')
    const later = mayBeNew ? await readTail(work.platform, tail.cursor, tailPages, work.signal) : undefined
    const trace = withNewer(read, later?.records ?? [])
    const note = `The day has more than ${countText(options.tracePages, 'page')} of records; pass a larger --trace-pages`
    return trace.isWholeDay
      ? { trace, traceState: 'complete', traceNote: null }
      : { trace, traceState: 'partial', traceNote: note }
  } catch (error) {
    // The comparison is valid without it. A signal of the user is not a failure of the platform, and ends the run.
    if (!isProblem(error) || work.signal?.aborted) throw error
    return notTraced('failed', `Reading the day again failed: ${error.message} (${error.code})`)
  }
}

/** Explains the result of the trace for each player, with possible causes if it does not decide. */
async function causesFor(work: Reconciling, day: ComparedDay, open: readonly PlayerLine[], trace: Trace | undefined) {
  const explanations: Explanation[] = []
  const candidates = new Map<string, { version: SlipVersion; note: string }>()
  const unsettled: PlayerLine[] = []
  const findingsByPlayer = byPlayers(trace?.findings ?? [])
  for (const line of open) {
    const explanation = trace?.isWholeDay
      ? explainByRecords(line, trace, findingsByPlayer.get(line.player) ?? [])
      : undefined
    if (explanation) explanations.push(explanation)
    if (explanation?.code !== 'BOOK_WRONG') unsettled.push(line)
  }
  let searched = 0
  for (const some of piecesOf(unsettled, explainedAtOnce)) {
    work.signal?.throwIfAborted()
    const slips = await slipsAround(work.book, day.span, some)
    const byPlayer = Map.groupBy(slips, (slip) => latestOf(slip).player)
    const byId = new Map(slips.map((slip) => [slip.slipId, slip]))
    for (const cause of some.flatMap((line) => causesOfLine(day.span, line, byPlayer.get(line.player) ?? []))) {
      explanations.push(cause)
      for (const id of cause.slips.slice(0, maxCandidates)) {
        const slip = byId.get(id)
        if (slip && !candidates.has(id)) candidates.set(id, { version: latestOf(slip), note: cause.message })
      }
    }
    searched += some.length
    if (searched < unsettled.length) work.onStep?.(`searching for causes: ${searched} of ${unsettled.length} players`)
  }
  return { explanations, candidates }
}

/** Groups the findings by player: that of the platform, and that of the book if they differ. */
function byPlayers(findings: readonly SlipFinding[]): Map<string, SlipFinding[]> {
  const findingsByPlayer = new Map<string, SlipFinding[]>()
  for (const finding of findings) {
    const renamed = finding.fields.find(({ field }) => field === 'username')?.book
    const players = new Set([finding.version.player, ...(renamed ? [foldUsername(renamed)] : [])])
    for (const player of players) findingsByPlayer.set(player, [...(findingsByPlayer.get(player) ?? []), finding])
  }
  return findingsByPlayer
}

function explainByRecords(line: PlayerLine, trace: Trace, own: readonly SlipFinding[]): Explanation {
  const reported = reportedFigures(line)
  const read = trace.figures.get(line.player) ?? noFigures
  const matchesReported = reported !== undefined && same(read, reported)
  const isBooked = same(read, bookedFigures(line))
  const code = matchesReported ? 'BOOK_WRONG' : isBooked ? 'SUMMARY_WRONG' : 'RECORDS_DIFFER_FROM_BOTH'
  const slips = own.map(({ version }) => version.slipId)
  return {
    code,
    player: line.player,
    message: traceText(line.username, code, [...new Set(slips)]),
    balances: matchesReported,
    slips: [...new Set(slips)],
  }
}

function causesOfLine({ from, to }: Span, line: PlayerLine, slips: readonly SlipHistory[]): Explanation[] {
  const reported = reportedFigures(line)
  if (!reported) return []
  const causes = causesOf({
    player: line.player,
    isReported: line.isReported,
    reported,
    slips: slips.filter((slip) => isOfDay(slip, from, to)),
    neighbors: slips.filter((slip) => !isOfDay(slip, from, to)),
    from,
    to,
  })
  return causes.map((cause): Explanation => {
    const { code, player, balances } = cause
    return { code, player, message: causeText(line.username, cause), balances, slips: [...cause.slips] }
  })
}

/** Largest distance of a slip from the day for causes that move slips between days. */
const aroundMs = 86_400_000

/** Returns the players' slips of the day and the days around it, and slips revised on it. */
function slipsAround(book: Book, { from, to }: Span, lines: readonly PlayerLine[]): Promise<SlipHistory[]> {
  const players = lines.map((line) => line.player)
  return book.store.read(async (reader) => {
    const slips = new Map<string, SlipHistory>()
    const take = (some: readonly SlipHistory[]) => {
      for (const slip of some) slips.set(slip.slipId, slip)
    }
    for await (const some of slipsSettled(reader, { from: from - aroundMs, to: to + aroundMs }, players)) take(some)
    take(await slipsRevised(reader, { from, to }, players))
    for await (const some of headlessSlips(reader, from))
      take(some.filter((slip) => players.includes(latestOf(slip).player)))
    return [...slips.values()]
  })
}

function staleExplanations(stale: ReadonlyMap<string, readonly string[]>, lines: readonly PlayerLine[]): Explanation[] {
  return lines.flatMap((line) => {
    const slips = stale.get(line.player)
    if (!slips) return []
    const message = traceText(line.username, 'BOOK_STALE', slips)
    return [{ code: 'BOOK_STALE' as const, player: line.player, message, balances: true, slips: [...slips] }]
  })
}

const breakCodes = {
  hole: 'NUMBERS_MISSING',
  repeat: 'NUMBERS_REPEATED',
  'step-back': 'NUMBERS_REPEATED',
  deleted: 'ROWS_DELETED',
} as const satisfies Record<SequenceBreak['kind'], ExplanationCode>

/** Finds gaps in the numbers of records that arrived on the day, with the rounds around each gap. */
async function breakExplanations(book: Book, span: Span): Promise<Explanation[]> {
  return book.store.read(async (reader) => {
    const breaks: SequenceBreak[] = []
    let breakCount = 0
    const repairs = await repairGaps(reader)
    for await (const arrivals of arrivalsOf(reader, span)) {
      const some = sequenceBreaks(arrivals).filter((each) => !repairs.explain(each))
      breakCount += some.length
      breaks.push(...some.slice(0, maxBreaks - breaks.length))
    }
    const slips = await slipsOf(
      reader,
      breaks.flatMap(({ before, after }) => [before, after]),
    )
    const rounds = new Map(slips.map((slip) => [slip.slipId, latestOf(slip).roundId]))
    const unlisted =
      breakCount > breaks.length ? `. ${countText(breakCount - breaks.length, 'more break')} not listed` : ''
    return breaks.map((each, i) => {
      return {
        code: breakCodes[each.kind],
        player: null,
        message: `${breakText(each, rounds)}${i === breaks.length - 1 ? unlisted : ''}`,
        balances: false,
        slips: [each.before, each.after],
      }
    })
  })
}

/** If the book is behind, only players with newer records are doubtful, once all newer records were read. */
export function withTail(reasons: readonly Reason[], day: ComparedDay, investigation: Investigation): Reason[] {
  const differs = day.lines.some((line) => !line.matches)
  return reasons.map((reason) =>
    reason.code === 'BOOK_BEHIND' && differs && investigation.tail?.isWhole
      ? { code: reason.code, doubts: [...investigation.stale.keys()] }
      : reason,
  )
}
