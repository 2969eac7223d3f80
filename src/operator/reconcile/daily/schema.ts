import Type, { type Static } from 'typebox'
import { environments } from '../../../domain/account/state.ts'
import { causeCodes } from '../../../domain/reconcile/break-causes.ts'
import { dayFields, reasonCodes, verdicts } from '../../../domain/reconcile/daily.ts'

/** What a reconciled day is told as: amounts as decimal text, moments as ISO text in UTC. Fields may be added, never renamed. */

const nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const Text = Type.String()

export const Difference = Type.Object({
  player: Text,
  currency: nullable(Text, 'Of the player’s slips; null where neither the book nor the trace has one.'),
  field: Type.Enum([...dayFields]),
  platform: Type.String({ description: 'As the summary states it.' }),
  book: Type.String({ description: 'By the highest revisions in the book.' }),
  difference: nullable(Text, 'The platform’s less the book’s; null where the platform’s is no number.'),
  certain: Type.Boolean({ description: 'Whether none of the reasons can account for it.' }),
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
      'What was found by reading the platform’s records again; a contradiction within the slip; or a candidate, which one of the explanations names.',
  }),
  fields: Type.Array(
    Type.Object({
      field: Text,
      platform: nullable(Text, 'Null where the platform does not have the record.'),
      book: nullable(Text, 'Null where the book does not have the record.'),
    }),
  ),
  note: nullable(Text, 'What is wrong with it, or why it is named.'),
})
export type ConcernedSlip = Static<typeof ConcernedSlip>

/** What reading the platform's records told of a player, beside the suppositions of `src/domain/reconcile/break-causes.ts`. */
export const traceCodes = [
  'BOOK_STALE',
  'BOOK_WRONG',
  'SUMMARY_WRONG',
  'RECORDS_DIFFER_FROM_BOTH',
  'NUMBERS_MISSING',
  'NUMBERS_REPEATED',
  'ROWS_DELETED',
] as const
export type ExplanationCode = (typeof causeCodes)[number] | (typeof traceCodes)[number]

export const Explanation = Type.Object({
  code: Type.Enum([...traceCodes, ...causeCodes]),
  player: nullable(Text, 'Null where it is about no single player.'),
  message: Text,
  balances: Type.Boolean({ description: 'Whether it accounts for the whole of the player’s difference.' }),
  slips: Type.Array(Text),
})
export type Explanation = Static<typeof Explanation>

export const DayReason = Type.Object({
  code: Type.Enum([...reasonCodes]),
  message: Text,
  players: nullable(
    Type.Array(Text),
    'Whose figures it makes doubtful; null for all, or all whom the summary does not list.',
  ),
})
export type DayReason = Static<typeof DayReason>

const Side = Type.Object({ players: Type.Integer(), slips: Type.Integer() })

export const DayResult = Type.Object({
  verdict: Type.Enum([...verdicts]),
  stale: Type.Boolean({ description: 'Whether records newer than the last sync account for all differences.' }),
  date: Text,
  timezone: Text,
  start: Text,
  end: Type.String({ description: 'The first moment after the day.' }),
  hours: Type.Number(),
  companyCode: Text,
  environment: Type.Enum([...environments]),
  book: Type.Object({
    cursor: nullable(Text, 'Null where nothing was pulled yet.'),
    rows: Type.Integer(),
    startedFrom: nullable(Text, 'What was settled before is not in the book.'),
    caughtUpAt: nullable(Text, 'When a page last said that there was no more.'),
    latestAt: nullable(Text, 'The latest settlement in the book.'),
  }),
  platform: Side,
  booked: Side,
  compared: Type.Integer({ description: 'Players of either side.' }),
  differing: Type.Integer({ description: 'Players with at least one figure that differs.' }),
  revisions: Type.Integer({ description: 'Revisions of the day’s slips whose arithmetic was checked.' }),
  totals: Type.Array(
    Type.Object({
      currency: nullable(Text, 'Null for players whose currency is not known.'),
      field: Type.Enum([...dayFields]),
      platform: Text,
      book: Text,
      difference: Text,
      players: Type.Integer(),
    }),
  ),
  differences: Type.Array(Difference),
  slips: Type.Array(ConcernedSlip),
  slipsLeftOut: Type.Integer({ description: 'Slips concerned beyond those listed.' }),
  reasons: Type.Array(DayReason),
  explanations: Type.Array(Explanation),
  warnings: Type.Array(Text),
  trace: Type.Object({
    state: Type.Enum(['not-needed', 'off', 'impossible', 'failed', 'partial', 'complete']),
    pages: Type.Integer(),
    records: Type.Integer(),
    note: nullable(Text, 'Why it is not complete.'),
  }),
  next: Type.Array(Text, { description: 'What to do about it, in order.' }),
})
export type DayResult = Static<typeof DayResult>
