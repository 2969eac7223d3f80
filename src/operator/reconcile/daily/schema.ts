import Type, { type Static } from 'typebox'
import { environments } from '../../../domain/account/state.ts'
import { causeCodes } from '../../../domain/reconcile/break-causes.ts'
import { dayFields, reasonCodes, verdicts } from '../../../domain/reconcile/daily.ts'
import { dayBases } from '../../../domain/reconcile/day-rules.ts'

/** Schemas of a reconciled day: amounts as decimal text, times as ISO text in UTC. Fields may be added, never renamed. */

const nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const Text = Type.String()

export const Difference = Type.Object({
  player: Text,
  currency: nullable(Text, 'Currency of the player’s slips. Null if unknown to book and trace.'),
  field: Type.Enum([...dayFields]),
  platform: Type.String({ description: 'Figure of the summary.' }),
  book: Type.String({ description: 'Figure by the highest revisions in the book.' }),
  difference: nullable(Text, 'Platform minus book. Null if the platform’s figure is not a number.'),
  certain: Type.Boolean({ description: 'True if none of the reasons can explain it.' }),
})
export type Difference = Static<typeof Difference>

export const slipFindings = [
  'missing-in-book',
  'extra-in-book',
  'changed',
  'newer-than-book',
  'contradiction',
  'candidate',
] as const

export const ConcernedSlip = Type.Object({
  slipId: Text,
  rev: Type.Integer(),
  status: Text,
  player: Text,
  currency: Text,
  game: Text,
  tableId: Text,
  roundId: Text,
  recSeq: Type.Integer(),
  settledAt: Text,
  finding: Type.Enum([...slipFindings], {
    description:
      'Result of reading the platform’s records again; an inconsistency within the slip; or a candidate named by an explanation.',
  }),
  fields: Type.Array(
    Type.Object({
      field: Text,
      platform: nullable(Text, 'Null if the platform does not have the record.'),
      book: nullable(Text, 'Null if the book does not have the record.'),
    }),
  ),
  note: nullable(Text, 'Error of the slip, or why it is listed.'),
})
export type ConcernedSlip = Static<typeof ConcernedSlip>

/** Explanations by the platform's records, in addition to the causes of `src/domain/reconcile/break-causes.ts`. */
export const traceCodes = [
  'BOOK_STALE',
  'BOOK_WRONG',
  'SUMMARY_WRONG',
  'RECORDS_DIFFER_FROM_BOTH',
  'NUMBERS_MISSING',
  'NUMBERS_REPEATED',
  'ROWS_DELETED',
  'OTHER_DAY_BOUNDARY',
] as const
export type ExplanationCode = (typeof causeCodes)[number] | (typeof traceCodes)[number]

export const Explanation = Type.Object({
  code: Type.Enum([...traceCodes, ...causeCodes]),
  player: nullable(Text, 'Null if it is not about one player.'),
  message: Text,
  balances: Type.Boolean({ description: 'True if it explains the player’s whole difference.' }),
  slips: Type.Array(Text),
})
export type Explanation = Static<typeof Explanation>

export const DayReason = Type.Object({
  code: Type.Enum([...reasonCodes]),
  message: Text,
  players: nullable(
    Type.Array(Text),
    'Players whose figures are doubtful. Null for all, or for all that the summary does not list.',
  ),
})
export type DayReason = Static<typeof DayReason>

const Basis = Type.Enum([...dayBases])

export const DayRuleShown = Type.Object({
  basis: Basis,
  timezone: Text,
  from: Type.Enum(['documented', 'remembered', 'given'], {
    description: 'remembered: an earlier day showed it. given: by --day-rule.',
  }),
  date: nullable(Text, 'Day that showed it, if it is remembered.'),
  message: Type.String({ description: 'The rule in words, and how to forget it if it is remembered.' }),
})

export const Boundary = Type.Object({
  candidates: Type.Array(
    Type.Object({
      basis: Basis,
      timezone: Text,
      start: Text,
      end: Text,
      hours: Type.Number(),
      slips: Type.Integer(),
      differing: Type.Integer({ description: 'Number of players with a different figure.' }),
      matches: Type.Boolean({ description: 'True if every figure is the platform’s.' }),
      isComplete: Type.Boolean({ description: 'False if the book does not have everything that the rule counts.' }),
      used: Type.Boolean({ description: 'True for the rule that the day was compared by.' }),
    }),
  ),
  match: Type.Union([Type.Object({ basis: Basis, timezone: Text }), Type.Null()], {
    description: 'The matching rule that differs least from the document; null if none, or if two differ alike.',
  }),
  message: Text,
})

const Side = Type.Object({ players: Type.Integer(), slips: Type.Integer() })

export const DayResult = Type.Object({
  verdict: Type.Enum([...verdicts]),
  stale: Type.Boolean({ description: 'True if records newer than the last sync explain all differences.' }),
  date: Text,
  timezone: Text,
  start: Text,
  end: Type.String({ description: 'First millisecond after the day.' }),
  hours: Type.Number(),
  companyCode: Text,
  environment: Type.Enum([...environments]),
  book: Type.Object({
    cursor: nullable(Text, 'Null if nothing was synced yet.'),
    rows: Type.Integer(),
    startedFrom: nullable(Text, 'Start of the book; earlier settlements are not in it.'),
    caughtUpAt: nullable(Text, 'Time of the last page without more bets.'),
    latestAt: nullable(Text, 'Latest settlement in the book.'),
  }),
  platform: Side,
  booked: Side,
  compared: Type.Integer({ description: 'Number of players on either side.' }),
  differing: Type.Integer({ description: 'Number of players with a different figure.' }),
  revisions: Type.Integer({ description: 'Number of revisions whose arithmetic was checked.' }),
  totals: Type.Array(
    Type.Object({
      currency: nullable(Text, 'Null for players with unknown currency.'),
      field: Type.Enum([...dayFields]),
      platform: Text,
      book: Text,
      difference: Text,
      players: Type.Integer(),
    }),
  ),
  differences: Type.Array(Difference),
  slips: Type.Array(ConcernedSlip),
  slipsLeftOut: Type.Integer({ description: 'Number of affected slips beyond those listed.' }),
  reasons: Type.Array(DayReason),
  explanations: Type.Array(Explanation),
  warnings: Type.Array(Text),
  trace: Type.Object({
    state: Type.Enum(['not-needed', 'off', 'impossible', 'failed', 'partial', 'complete']),
    pages: Type.Integer(),
    records: Type.Integer(),
    note: nullable(Text, 'Reason why it is not complete.'),
  }),
  dayRule: DayRuleShown,
  boundary: Type.Union([Boundary, Type.Null()], {
    description: 'The day by every rule, if it does not balance. Null if it does, or if the figures are in doubt.',
  }),
  next: Type.Array(Text, { description: 'Next steps in order.' }),
})
export type DayResult = Static<typeof DayResult>
