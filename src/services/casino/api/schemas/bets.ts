import Type, { type Static } from 'typebox'
import { Amount, CalendarDate, CursorText, Game, Moment, RoundId, TotalAmount } from './shared.ts'

/** Schemas of bet records and daily summaries (1-tenant-api, "Resources and their fields"). */

export const BetLeg = Type.Object({
  zone: Type.String(),
  amount: Amount,
  return: Amount,
  hold: Type.Optional(Amount),
  mult: Type.Optional(Type.Integer()),
})
export type BetLeg = Static<typeof BetLeg>

export const BetRecord = Type.Object({
  recSeq: Type.Integer(),
  slipId: Type.String(),
  rev: Type.Integer(),
  status: Type.Enum(['settled', 'recalculated', 'void']),
  username: Type.String(),
  currency: Type.String(),
  tableId: Type.String(),
  game: Game,
  variant: Type.String(),
  roundId: RoundId,
  shoe: Type.String(),
  round: Type.Integer(),
  bets: Type.Array(BetLeg),
  stake: Amount,
  hold: Type.Optional(Amount),
  validStake: Amount,
  rolling: Amount,
  payout: Amount,
  winLoss: Amount,
  delta: Amount,
  result: Type.Object({
    code: Type.String(),
    cardInfo: Type.String(),
    hands: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    winners: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
  rake: Type.Optional(Amount),
  onsite: Type.Optional(Type.Boolean()),
  hand: Type.Optional(
    Type.Object({ handId: Type.String(), no: Type.Integer(), outcome: Type.String(), cards: Type.String() }),
  ),
  placedAt: Moment,
  settledAt: Moment,
})
export type BetRecord = Static<typeof BetRecord>

export const BetQuery = Type.Object({
  cursor: Type.Optional(CursorText),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 500 })),
  // Validated by the use case: with a cursor it is ignored, also an invalid one.
  from: Type.Optional(
    Type.String({ description: 'ISO 8601 start time when there is no cursor, rounded down to the minute.' }),
  ),
})

export const BetPage = Type.Object({
  items: Type.Array(BetRecord),
  nextCursor: Type.String(),
  hasMore: Type.Boolean({ description: 'Also true while the cursor has not reached the current UTC month.' }),
})
export type BetPage = Static<typeof BetPage>

export const SummaryItem = Type.Object({
  username: Type.String(),
  slips: Type.Integer({ description: 'Voided slips included.' }),
  stake: TotalAmount,
  validStake: TotalAmount,
  rolling: TotalAmount,
  payout: TotalAmount,
  winLoss: TotalAmount,
  rake: TotalAmount,
})
export type SummaryItem = Static<typeof SummaryItem>

export const Summary = Type.Object({
  date: CalendarDate,
  timezone: Type.String({ description: 'IANA name of the time zone of the day.' }),
  players: Type.Array(SummaryItem, { maxItems: 1000 }),
})
