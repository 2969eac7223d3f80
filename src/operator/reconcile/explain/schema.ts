import Type, { type Static } from 'typebox'
import { dayFields, verdicts } from '../../../domain/reconcile/daily.ts'
import { WalletResult } from '../../balances/schema.ts'
import { BreakEventShown, BreakShown, RestatedDay } from '../breaks/schema.ts'
import { ConcernedSlip, DayReason, Difference, Explanation } from '../daily/schema.ts'

/** What is told of one difference or of what it is about. Fields may be added, never renamed. */

const Text = Type.String()
const Nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const RevisionExplained = Type.Object({
  rev: Type.Integer(),
  status: Text,
  month: Type.String({ description: 'The UTC month it was written in, YYYY-MM.' }),
  recSeq: Type.Integer({ description: 'Its number within that month.' }),
  place: Type.Integer({ description: 'Where it stands in the book, in the order of arrival.' }),
  settledAt: Text,
  writtenOn: Type.String({ description: 'The tenant’s day it was written on.' }),
  counts: Type.Boolean({ description: 'Whether it is the one that counts.' }),
  stake: Text,
  hold: Text,
  payout: Text,
  winLoss: Text,
  delta: Type.String({ description: 'What it changed of the balance.' }),
  change: Type.String({ description: 'What it changed of the win/loss of the slip’s day.' }),
})

export const SlipExplained = Type.Object({
  slipId: Text,
  player: Text,
  currency: Text,
  game: Text,
  tableId: Text,
  roundId: Text,
  placedAt: Text,
  date: Type.String({ description: 'The tenant’s day it counts on: that of its first settlement.' }),
  timezone: Text,
  onsite: Type.Boolean({ description: 'A seat outside of the wallet and of the day’s figures.' }),
  wallet: Type.String({ description: 'What it has done to the balance by now, its stake taken off.' }),
  revisions: Type.Array(RevisionExplained),
  contradictions: Type.Array(Text),
  alarms: Type.Array(Text),
})
export type SlipExplained = Static<typeof SlipExplained>

const Figures = Type.Object(Object.fromEntries(dayFields.map((field) => [field, Type.String()])))

export const PlayerExplained = Type.Object({
  player: Text,
  currency: Nullable(Text, 'Where neither side tells it.'),
  platform: Figures,
  book: Figures,
  slips: Type.Array(SlipExplained, {
    description: 'What the book’s figures are made of, in the order they were settled.',
  }),
  slipsLeftOut: Type.Integer({ description: 'Beyond those listed.' }),
})
export type PlayerExplained = Static<typeof PlayerExplained>

export const DayExplained = Type.Object({
  date: Text,
  timezone: Text,
  verdict: Type.Enum([...verdicts]),
  reconciled: Nullable(
    Type.Object({ runId: Text, at: Text, verdict: Text, latestRunId: Text, latestAt: Text }),
    'The run whose figures the day is held to, and the latest; null where none came to an end.',
  ),
  differences: Type.Array(Difference),
  reasons: Type.Array(DayReason),
  explanations: Type.Array(Explanation),
  concerned: Type.Array(ConcernedSlip),
  players: Type.Array(PlayerExplained),
  restated: Type.Array(RestatedDay),
})
export type DayExplained = Static<typeof DayExplained>

export const Movement = Type.Object({
  at: Nullable(Text, 'By the platform’s clock, or where it was not asked by ours.'),
  what: Type.Enum(['deposit', 'withdrawal', 'adjustment', 'slip']),
  id: Type.String({ description: 'The txnId, or the slip.' }),
  rev: Nullable(Type.Integer(), 'Of a slip.'),
  change: Nullable(Text, 'Of the balance and what is held; null where nobody tells the sign.'),
})
export type Movement = Static<typeof Movement>

const TransferSide = Type.Object({
  player: Text,
  dir: Text,
  amount: Text,
  currency: Nullable(Text, 'Null where a record does not say it.'),
  state: Text,
  at: Text,
})

export const Explained = Type.Object({
  subject: Type.Object({
    kind: Type.Enum(['day', 'slip', 'break']),
    name: Text,
    player: Nullable(Text, 'With --player.'),
  }),
  break: Nullable(BreakShown, 'Where the subject is one.'),
  history: Type.Array(BreakEventShown),
  breaks: Type.Array(BreakShown, { description: 'Open and closed ones about the same.' }),
  slip: Nullable(SlipExplained, 'Where the subject is one.'),
  round: Nullable(
    Type.Object({ roundId: Text, status: Text, rev: Type.Integer() }),
    'A slip’s round as the platform has it now; null with --offline.',
  ),
  day: Nullable(DayExplained, 'The day, or that of the slip’s restatements.'),
  wallet: Nullable(
    Type.Object({
      proof: WalletResult,
      isReadingKept: Type.Boolean({
        description: 'Whether the reading it was proved from is still kept: without it no movements can be told.',
      }),
      movements: Type.Array(Movement, { description: 'The latest.' }),
      movementsLeftOut: Type.Integer({ description: 'Earlier ones beyond those listed.' }),
    }),
    'Of a wallet’s break.',
  ),
  transfer: Nullable(
    Type.Object({
      txnId: Text,
      platform: Nullable(TransferSide, 'Null where the platform does not know it.'),
      journal: Nullable(TransferSide, 'Null where it is not ours.'),
    }),
    'Of a transfer’s break.',
  ),
  next: Type.Array(Text),
})
export type Explained = Static<typeof Explained>
