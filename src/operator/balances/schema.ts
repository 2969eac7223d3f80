import Type, { type Static } from 'typebox'
import { verdicts } from '../../domain/reconcile/daily.ts'

/** Schemas of the wallet reconciliation. Fields may be added, never renamed. */

const Text = Type.String()
const Nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const walletReasons = [
  'BOOK_EMPTY',
  'BOOK_AHEAD',
  'BOOK_BEHIND',
  'BOOK_BEGINS_LATER',
  'BOOK_HAS_GAP',
  'RETENTION',
  'JOURNAL_BEGINS_LATER',
  'PLAYING',
  'STAKES_HELD',
  'TIMING',
  'TRANSFER_OPEN',
  'ADJUSTMENT_UNSIGNED',
  'RECORD_UNREADABLE',
  'PLAYER_NOT_FOUND',
] as const
export type WalletReasonCode = (typeof walletReasons)[number]

export const walletLeads = [
  'TRANSFER_NOT_AT_PLATFORM',
  'TRANSFER_OTHERWISE',
  'TRANSFER_AMOUNT',
  'ADJUSTMENT_SIGN',
  'SLIP_AMOUNT',
  'SLIP_CONTRADICTS_ITSELF',
  'UNKNOWN_MOVEMENT',
] as const

export const WalletResult = Type.Object({
  player: Text,
  currency: Nullable(Text, 'Null if the platform did not respond.'),
  verdict: Type.Enum([...verdicts]),
  since: Nullable(
    Type.Object({
      from: Type.Enum(['beginning', 'reading']),
      at: Type.String({ description: "Time of the player's creation, or of the reading." }),
      markId: Nullable(Text, 'ID of the reading.'),
    }),
    'Start of the proof. Null if there is no earlier reading.',
  ),
  readAt: Nullable(Text, "Time of the reading, by the platform's clock if known."),
  opening: Nullable(Text, "Balance at the start; 0 at the player's creation."),
  openingHeld: Nullable(Text, 'Amount held for rounds at the start.'),
  deposits: Text,
  withdrawals: Text,
  adjustments: Text,
  slips: Type.String({ description: 'Changes by slips, with stakes deducted.' }),
  counts: Type.Object({ transfers: Type.Integer(), revisions: Type.Integer() }),
  expected: Nullable(Text, 'Expected balance with nothing held.'),
  balance: Nullable(Text, 'Balance at the platform.'),
  held: Nullable(Text, 'Amount held for rounds at the reading, if the proof shows it.'),
  difference: Nullable(Text, 'Platform minus expected; 0 if balanced.'),
  isFromEarlier: Type.Boolean({
    description: 'True if the verdict is about an earlier reading that could be decided only now.',
  }),
  breakId: Nullable(Text, 'ID of its open break.'),
  reasons: Type.Array(Type.Object({ code: Type.Enum([...walletReasons]), message: Text }), {
    description: 'Reasons for an inconclusive verdict.',
  }),
  leads: Type.Array(
    Type.Object({
      code: Type.Enum([...walletLeads]),
      message: Text,
      amount: Nullable(Text, 'Signed amount.'),
      ids: Type.Array(Text),
    }),
    { description: 'Possible causes of the difference; leads, not proofs.' },
  ),
})
export type WalletResult = Static<typeof WalletResult>

export const WalletRun = Type.Object({
  verdict: Type.Enum([...verdicts]),
  runId: Text,
  players: Type.Array(WalletResult),
  counts: Type.Object({ balanced: Type.Integer(), differences: Type.Integer(), 'cannot-conclude': Type.Integer() }),
  next: Type.Array(Text, { description: 'Next steps in order.' }),
})
export type WalletRun = Static<typeof WalletRun>
