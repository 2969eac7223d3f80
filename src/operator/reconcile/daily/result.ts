import { latestOf, type SlipVersion } from '../../../domain/bets/slip-history.ts'
import {
  fieldText,
  isCertain,
  type PlayerLine,
  type Reason,
  totalsOf,
  verdictOf,
} from '../../../domain/reconcile/daily.ts'
import { momentText } from '../../../kit/moment.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { versionOf } from '../../bets/slip-versions.ts'
import type { Span } from '../../bets/slips-by-day.ts'
import type { BookDay } from './book-side.ts'
import type { SlipFinding } from './compare-records.ts'
import { retentionDays } from './doubts.ts'
import type { Investigation } from './investigate.ts'
import {
  contradictionText,
  dayRuleShown,
  findingTexts,
  isProof,
  nextSteps,
  type ReasonFacts,
  reasonText,
} from './messages.ts'
import type { ConcernedSlip, DayResult } from './schema.ts'
import type { ComparedDay, DayOptions, PlatformFacts, Reconciled } from './types.ts'

/** Builds the result of a compared day. */

/** Maximum number of slips in a result. */
const maxSlips = 1000

export function concluded(
  day: ComparedDay,
  facts: PlatformFacts,
  reasons: readonly Reason[],
  investigation: Investigation & Pick<DayResult, 'boundary'>,
): Reconciled {
  const lines = withCurrencies(day.lines, investigation)
  const differing = lines.filter((line) => !line.matches)
  const slips = concernedSlips(day, investigation)
  const hasProof = slips.some(({ finding }) => isProof(finding))
  const verdict = verdictOf({ differing, reasons, hasProof })
  const isStale =
    verdict === 'differences' && !hasProof && differing.every((line) => investigation.stale.has(line.player))
  const about: ReasonFacts = {
    ...factsOf(day.options, day.span, day.booked),
    ...facts,
    reportedPlayerCount: day.reported.length,
    retentionDays: retentionDays(day, facts),
  }
  const { trace } = investigation
  const result: Omit<DayResult, 'next'> = {
    verdict,
    stale: isStale,
    ...identity(day),
    platform: {
      players: day.reported.length,
      slips: day.reported.reduce((total, { figures }) => total + Number(figures.slips ?? 0n), 0),
    },
    compared: lines.length,
    differing: differing.length,
    totals: totalsOf(lines).map(({ currency, field, platform, book, players }) => ({
      currency,
      field,
      platform: fieldText(field, platform),
      book: fieldText(field, book),
      difference: fieldText(field, platform - book),
      players,
    })),
    differences: differing.flatMap((line) => differencesOf(line, reasons)),
    slips: slips.slice(0, maxSlips),
    slipsLeftOut: Math.max(0, slips.length - maxSlips),
    reasons: reasons.map((reason) => reasonView(reason, lines, about)),
    explanations: [...boundaryExplanations(investigation.boundary), ...investigation.explanations],
    warnings: warningsOf(slips),
    trace: {
      state: investigation.traceState,
      pages: trace?.pages ?? 0,
      records: trace?.records ?? 0,
      note: investigation.traceNote,
    },
    boundary: investigation.boundary,
  }
  return { result: { ...result, next: nextSteps(result, about) }, lines, lastPlace: day.booked.state.lastPlace }
}

/** Returns the result if nothing could be compared. */
export function uncompared(
  day: Pick<ComparedDay, 'options' | 'rule' | 'span' | 'booked'>,
  reasons: readonly Reason[],
): Reconciled {
  const { options, span, booked } = day
  const about: ReasonFacts = {
    ...factsOf(options, span, booked),
    reportedDate: options.date,
    reportedZone: options.tenant.timezone,
    reportedPlayerCount: 0,
    plan: '',
    retentionDays: 0,
  }
  const result: Omit<DayResult, 'next'> = {
    verdict: 'cannot-conclude',
    stale: false,
    ...identity(day),
    platform: { players: 0, slips: 0 },
    compared: 0,
    differing: 0,
    totals: [],
    differences: [],
    slips: [],
    slipsLeftOut: 0,
    reasons: reasons.map((reason) => reasonView(reason, [], about)),
    explanations: [],
    warnings: [],
    trace: { state: 'not-needed', pages: 0, records: 0, note: null },
    boundary: null,
  }
  return { result: { ...result, next: nextSteps(result, about) }, lines: [], lastPlace: booked.state.lastPlace }
}

function identity({ options, rule, span, booked }: Pick<ComparedDay, 'options' | 'rule' | 'span' | 'booked'>) {
  const { date, tenant } = options
  const { from, to } = span
  const { position, latestAt } = booked.state
  return {
    date,
    timezone: tenant.timezone,
    start: momentText(from),
    end: momentText(to),
    hours: (to - from) / 3_600_000,
    companyCode: tenant.companyCode,
    environment: tenant.environment,
    book: {
      cursor: position?.cursor ?? null,
      rows: position?.rows ?? 0,
      startedFrom: position ? momentText(position.started_from) : null,
      caughtUpAt: position?.caught_up_at ? momentText(position.caught_up_at) : null,
      latestAt: latestAt === undefined ? null : momentText(latestAt),
    },
    booked: { players: booked.players.size, slips: booked.slips },
    revisions: booked.revisions,
    dayRule: dayRuleShown(rule, date),
  }
}

function boundaryExplanations(boundary: DayResult['boundary']): DayResult['explanations'] {
  if (boundary === null || !boundary.candidates.some(({ matches }) => matches)) return []
  const message = `Day boundary: ${boundary.message}`
  return [{ code: 'OTHER_DAY_BOUNDARY', player: null, message, balances: true, slips: [] }]
}

function factsOf({ date, tenant }: DayOptions, span: Span, { state }: BookDay) {
  return {
    date,
    zone: tenant.timezone,
    profile: tenant.profile,
    end: span.to,
    companyCode: tenant.companyCode,
    environment: tenant.environment,
    owner: state.owner,
    startedFrom: state.position?.started_from ?? null,
    caughtUpAt: state.position?.caught_up_at ?? null,
    players: [] as readonly string[],
  }
}

function reasonView(
  { code, doubts }: Reason,
  lines: readonly PlayerLine[],
  about: ReasonFacts,
): DayResult['reasons'][number] {
  if (typeof doubts === 'string') return { code, message: reasonText(code, about), players: null }
  const names = new Map(lines.map((line) => [line.player, line.username]))
  const players = doubts.map((player) => names.get(player) ?? player)
  return { code, message: reasonText(code, { ...about, players }), players }
}

/** Returns the currency of a player without slips in the book, from the platform's records. */
function withCurrencies(lines: readonly PlayerLine[], { trace, tail }: Investigation): PlayerLine[] {
  const currencies = new Map((tail?.records ?? []).map((record) => [versionOf(record).player, record.currency]))
  for (const [player, { currency }] of trace?.players ?? []) currencies.set(player, currency)
  return lines.map((line) => ({ ...line, currency: line.currency ?? currencies.get(line.player) ?? null }))
}

function differencesOf(line: PlayerLine, reasons: readonly Reason[]): DayResult['differences'] {
  const certain = isCertain(line, reasons)
  return line.fields
    .filter(({ matches }) => !matches)
    .map(({ field, platformText, book, difference }) => ({
      player: line.username,
      currency: line.currency,
      field,
      platform: platformText,
      book: fieldText(field, book),
      difference: difference === null ? null : fieldText(field, difference),
      certain,
    }))
}

/** Returns all affected slips, proven ones first; a traced slip is not repeated as a candidate. */
function concernedSlips(day: ComparedDay, investigation: Investigation): ConcernedSlip[] {
  const findings = (investigation.trace?.findings ?? []).map((finding) =>
    slipView(finding.version, finding.kind, finding.fields, findingTexts[finding.kind]),
  )
  const contradictions = day.booked.contradictions.flatMap(({ slip, violations }) =>
    violations.map((each) => {
      const version = slip.versions.find(({ rev }) => rev === each.rev) ?? latestOf(slip)
      return slipView(version, 'contradiction', [], contradictionText(each))
    }),
  )
  const named = new Set([...findings, ...contradictions].map(({ slipId }) => slipId))
  const candidates = [...investigation.candidates.entries()]
    .filter(([slipId]) => !named.has(slipId))
    .map(([, { version, note }]) => slipView(version, 'candidate', [], note))
  const order: readonly SlipFinding['kind'][] = ['missing-in-book', 'extra-in-book', 'changed', 'newer-than-book']
  const sorted = order.flatMap((kind) => findings.filter(({ finding }) => finding === kind))
  return [...sorted, ...contradictions, ...candidates]
}

function slipView(
  version: SlipVersion,
  finding: ConcernedSlip['finding'],
  fields: ConcernedSlip['fields'] | SlipFinding['fields'],
  note: string | null,
): ConcernedSlip {
  return {
    slipId: version.slipId,
    rev: version.rev,
    status: version.status,
    player: version.username,
    currency: version.currency,
    game: version.game,
    tableId: version.tableId,
    roundId: version.roundId,
    recSeq: version.recSeq,
    settledAt: momentText(version.settledAt),
    finding,
    fields: [...fields],
    note,
  }
}

/** Returns warnings that also matter for a balanced day. */
function warningsOf(slips: readonly ConcernedSlip[]): string[] {
  const contradicting = new Set(slips.filter(({ finding }) => finding === 'contradiction').map(({ slipId }) => slipId))
  const count = contradicting.size
  const isAlone = !slips.some(({ finding }) => isProof(finding))
  if (count === 0 || !isAlone) return []
  const some = [...contradicting].slice(0, 5).join(', ')
  return [
    `${countText(count, 'slip of the day is', 'slips of the day are')} inconsistent, and no record of the platform differs: ${some}${count > 5 ? ' and more' : ''}`,
  ]
}
