import Type, { type Static } from 'typebox'
import { dayFields, verdicts } from '../../../domain/reconcile/daily.ts'
import { WalletResult } from '../../balances/schema.ts'
import { BreakEventView, BreakView, RestatedDay, RestatedSlipView } from '../breaks/schema.ts'
import { Boundary, ConcernedSlip, DayReason, DayRuleShown, Difference, Explanation } from '../daily/schema.ts'
import { SettlementFinding } from '../settlement/schema.ts'

/** Schemas of an explanation. Fields may be added, never renamed. */

const Text = Type.String()
const Nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const RevisionExplained = Type.Object({
  rev: Type.Integer(),
  status: Text,
  month: Type.String({ description: 'UTC month in which it was written, YYYY-MM.' }),
  recSeq: Type.Integer({ description: 'Number within that month.' }),
  place: Type.Integer({ description: 'Place in the book, in the order of arrival.' }),
  settledAt: Text,
  writtenOn: Type.String({ description: 'Day of the tenant on which it was written.' }),
  counts: Type.Boolean({ description: 'True for the revision that counts.' }),
  stake: Text,
  hold: Text,
  payout: Text,
  winLoss: Text,
  delta: Type.String({ description: 'Change of the balance.' }),
  change: Type.String({ description: "Change of the win/loss of the slip's day." }),
})

export const SlipExplained = Type.Object({
  slipId: Text,
  player: Text,
  currency: Text,
  game: Text,
  tableId: Text,
  roundId: Text,
  placedAt: Text,
  date: Type.String({ description: 'Day of the tenant on which it counts: that of its first settlement.' }),
  timezone: Text,
  onsite: Type.Boolean({ description: "True for a seat without wallet, which is not part of the day's figures." }),
  wallet: Type.String({ description: 'Effect on the balance so far, with the stake deducted.' }),
  revisions: Type.Array(RevisionExplained),
  contradictions: Type.Array(Text),
  alarms: Type.Array(Text),
})
export type SlipExplained = Static<typeof SlipExplained>

const Figures = Type.Object(Object.fromEntries(dayFields.map((field) => [field, Type.String()])))

export const PlayerExplained = Type.Object({
  player: Text,
  currency: Nullable(Text, 'Null if unknown to both sides.'),
  platform: Figures,
  book: Figures,
  slips: Type.Array(SlipExplained, {
    description: "Slips of the book's figures, in the order of settlement.",
  }),
  slipsLeftOut: Type.Integer({ description: 'Number of slips beyond those listed.' }),
})
export type PlayerExplained = Static<typeof PlayerExplained>

export const DayExplained = Type.Object({
  date: Text,
  timezone: Text,
  verdict: Type.Enum([...verdicts]),
  reconciled: Nullable(
    Type.Object({ runId: Text, at: Text, verdict: Text, latestRunId: Text, latestAt: Text }),
    'First run, whose figures are the reference, and latest run. Null if the day was never reconciled.',
  ),
  differences: Type.Array(Difference),
  reasons: Type.Array(DayReason),
  explanations: Type.Array(Explanation),
  concerned: Type.Array(ConcernedSlip),
  players: Type.Array(PlayerExplained),
  restated: Type.Array(RestatedDay),
  dayRule: Nullable(DayRuleShown, 'Rule by which slips count. Null if the day was not compared.'),
  boundary: Nullable(Boundary, 'The day by every rule, if it does not balance.'),
})
export type DayExplained = Static<typeof DayExplained>

export const Movement = Type.Object({
  at: Nullable(Text, "Time by the platform's clock, or by ours if it was not looked up."),
  what: Type.Enum(['deposit', 'withdrawal', 'adjustment', 'slip']),
  id: Type.String({ description: 'The txnId, or the slip ID.' }),
  rev: Nullable(Type.Integer(), 'Revision of a slip.'),
  change: Nullable(Text, 'Change of the balance and the held amount. Null if the sign is unknown.'),
})
export type Movement = Static<typeof Movement>

export const PeriodExplained = Type.Object({
  period: Text,
  timezone: Text,
  state: Type.Enum(['open', 'closed', 'approved']),
  closedBy: Nullable(Text, 'Person who closed it. Null after a reopening.'),
  closedAt: Nullable(Text, 'Time of the close.'),
  player: Text,
  currency: Text,
  fields: Type.Array(Type.Object({ field: Text, before: Text, after: Text, change: Text }), {
    description: 'Figures at the close and now, as the break has them.',
  }),
  slips: Type.Array(RestatedSlipView, {
    description:
      'Slips that changed since the close, first 500. Empty if the period was closed again or reopened since.',
  }),
  slipsLeftOut: Type.Integer({ description: 'Number of slips beyond those listed.' }),
})
export type PeriodExplained = Static<typeof PeriodExplained>

const TransferSide = Type.Object({
  player: Text,
  dir: Text,
  amount: Text,
  currency: Nullable(Text, 'Null if a record does not have it.'),
  state: Text,
  at: Text,
})

export const Explained = Type.Object({
  subject: Type.Object({
    kind: Type.Enum(['day', 'slip', 'break']),
    name: Text,
    player: Nullable(Text, 'Set with --player.'),
  }),
  break: Nullable(BreakView, 'Set if the subject is a break.'),
  history: Type.Array(BreakEventView),
  breaks: Type.Array(BreakView, { description: 'Open and closed breaks of the same subject.' }),
  slip: Nullable(SlipExplained, 'Set if the subject is a slip.'),
  round: Nullable(
    Type.Object({ roundId: Text, status: Text, rev: Type.Integer() }),
    'Current round of a slip at the platform. Null with --offline.',
  ),
  day: Nullable(DayExplained, "The day, or that of the slip's restatements."),
  wallet: Nullable(
    Type.Object({
      proof: WalletResult,
      isReadingKept: Type.Boolean({
        description: 'True if the previous reading is still stored; without it movements are unknown.',
      }),
      movements: Type.Array(Movement, { description: 'Newest movements.' }),
      movementsLeftOut: Type.Integer({ description: 'Number of earlier movements beyond those listed.' }),
    }),
    'Set for a wallet break.',
  ),
  transfer: Nullable(
    Type.Object({
      txnId: Text,
      isLookedUp: Type.Boolean({ description: 'False with --offline, and if the platform failed to answer.' }),
      platform: Nullable(TransferSide, 'Null if the platform does not have it, or it was not looked up.'),
      journal: Nullable(TransferSide, 'Null if the journal does not have it.'),
    }),
    'Set for a transfer break.',
  ),
  period: Nullable(PeriodExplained, 'Set for a break of a closed period.'),
  settlement: Type.Array(SettlementFinding, {
    description: 'Set for a settlement break: the figures by the rules of the game.',
  }),
  missing: Type.Array(Text, {
    description: 'Parts whose request to the platform failed. If there are any, the exit code is 11.',
  }),
  next: Type.Array(Text),
})
export type Explained = Static<typeof Explained>
