import Type, { type Static } from 'typebox'
import { verdicts } from '../../domain/reconcile/daily.ts'

/** What a proof of balances is told as. Fields may be added, never renamed. */

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
  currency: Nullable(Text, 'Null where the platform was not heard.'),
  verdict: Type.Enum([...verdicts]),
  since: Nullable(
    Type.Object({
      from: Type.Enum(['beginning', 'reading']),
      at: Type.String({ description: 'When the player came into being, or when the balance was read.' }),
      markId: Nullable(Text, 'The reading.'),
    }),
    'What the movement is proved from; null where nothing goes before this reading.',
  ),
  readAt: Nullable(Text, 'By the platform’s clock, as far as it tells.'),
  opening: Nullable(Text, 'The balance then; 0 at the beginning.'),
  openingHeld: Nullable(Text, 'What rounds held then.'),
  deposits: Text,
  withdrawals: Text,
  adjustments: Text,
  slips: Type.String({ description: 'What the records of slips changed, stakes taken off.' }),
  counts: Type.Object({ transfers: Type.Integer(), revisions: Type.Integer() }),
  expected: Nullable(Text, 'What the balance would be with nothing held.'),
  balance: Nullable(Text, 'As the platform states it.'),
  held: Nullable(Text, 'What rounds held when it was read, where the proof tells it.'),
  difference: Nullable(Text, 'The platform’s less what is accounted for; 0 where it balances.'),
  isFromEarlier: Type.Boolean({
    description: 'Whether the verdict is about an earlier reading, of which only now all is known.',
  }),
  breakId: Nullable(Text, 'The open break it is noted as.'),
  reasons: Type.Array(Type.Object({ code: Type.Enum([...walletReasons]), message: Text }), {
    description: 'What stands against a conclusion.',
  }),
  leads: Type.Array(
    Type.Object({
      code: Type.Enum([...walletLeads]),
      message: Text,
      amount: Nullable(Text, 'With its sign.'),
      ids: Type.Array(Text),
    }),
    { description: 'What would account for the difference, as far as the book can tell: leads and no proof.' },
  ),
})
export type WalletResult = Static<typeof WalletResult>

export const WalletRun = Type.Object({
  verdict: Type.Enum([...verdicts]),
  runId: Text,
  players: Type.Array(WalletResult),
  counts: Type.Object({ balanced: Type.Integer(), differences: Type.Integer(), 'cannot-conclude': Type.Integer() }),
  next: Type.Array(Text, { description: 'What to do about it, in order.' }),
})
export type WalletRun = Static<typeof WalletRun>
