import Type, { type Static, type TSchema } from 'typebox'
import { accountStates, plans } from '../domain/account.ts'
import { gameNames } from '../domain/games/game.ts'
import { playerStatuses } from '../domain/player.ts'

/** The shapes of the tenant API (1-tenant-api, "Resources and their fields"). Types come from them by `Static`. */

const nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], { ...options })

// ── Shared types ──

/** Any text that a database can keep: PostgreSQL knows no NUL. */
const PlainText = (options: { minLength?: number; pattern?: string; description?: string } = {}) =>
  Type.String({ pattern: '^[^\\u0000]*$', ...options })

export const Username = Type.String({
  pattern: '^[A-Za-z0-9_.@-]{1,32}$',
  description: 'Case-insensitive; replies keep the case used at creation.',
})
export const TxnId = Type.String({
  pattern: '^[A-Za-z0-9_.:-]{1,64}$',
  description: 'Idempotency key, unique across the whole tenant.',
})
export const Amount = Type.String({
  description: 'Decimal text, up to 15 digits before the point and 4 after it; trailing zeros dropped.',
})
export const PositiveAmount = Type.String({
  // Zero is refused by the second half: somewhere there must be a digit that is not 0.
  pattern: '^(?=.*[1-9])[0-9]{1,15}([.][0-9]{1,4})?$',
  description: 'Decimal text greater than 0, at most 4 decimals; never a JSON number.',
})
export const UsdAmount = Type.String({ description: 'US dollars as decimal text, at most 6 decimals.' })
export const CalendarDate = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'YYYY-MM-DD.' })
export const Moment = Type.String({ description: 'ISO 8601 in UTC with milliseconds.' })
export const CursorText = Type.String({
  pattern: '^[0-9]{6}[.][0-9]{1,15}$',
  description: 'Opaque: send back the nextCursor of the previous page.',
})
export const RoundId = Type.String({ pattern: '^[0-9A-Z]{26}$', description: 'An upper-case ULID.' })
export const TableId = PlainText({ minLength: 1 })
export const Game = Type.Enum([...gameNames])
const LimitProfileId = nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
  description: "The tenant's own profile or a platform template in the player's currency; null is the default profile.",
})

// ── Players ──

export const LaunchOrder = Type.Object({
  username: Username,
  nickname: Type.Optional(PlainText({ description: 'Used only when the player is created.' })),
  currency: Type.Optional(
    Type.String({ description: "Used only when the player is created; defaults to the tenant's primary currency." }),
  ),
  lang: Type.Optional(
    Type.String({
      description:
        'One of CHT, CHS, ENG, JPN, KOR, THAI, VIET, HIND, PHP, in any case; defaults to the first one set in the Console, else CHT.',
    }),
  ),
  device: Type.Optional(
    Type.String({ description: '`mobile` gives the mobile layout, anything else the desktop one.' }),
  ),
  table: Type.Optional(PlainText({ minLength: 1, description: 'Straight into this table, which must be enabled.' })),
  variant: Type.Optional(Type.Enum(['classic', 'nocomm'], { description: 'Preferred baccarat variant; stored only.' })),
  lobbyUrl: Type.Optional(PlainText({ pattern: '^https?://[^\\u0000]*$', description: 'Stored.' })),
  limitProfileId: Type.Optional(LimitProfileId),
})
export type LaunchOrder = Static<typeof LaunchOrder>

export const LaunchResult = Type.Object({
  url: Type.String({ description: 'One-time game URL, https://<host>/Launch?t=<token>.' }),
  expiresIn: Type.Integer({ description: 'Seconds; always 60.' }),
})
export type LaunchResult = Static<typeof LaunchResult>

export const PlayerUpdate = Type.Object({
  username: Username,
  status: Type.Optional(Type.Enum([...playerStatuses])),
  nickname: Type.Optional(nullable(PlainText(), { description: 'null or an empty text clears it.' })),
  limitProfileId: Type.Optional(LimitProfileId),
  password: Type.Optional(
    Type.String({
      minLength: 6,
      maxLength: 64,
      description: "Only for operators who use the platform's own login page.",
    }),
  ),
})
export type PlayerUpdate = Static<typeof PlayerUpdate>

export const Player = Type.Object({
  username: Type.String(),
  nickname: nullable(Type.String()),
  status: Type.Enum([...playerStatuses]),
  currency: Type.String(),
  balance: Amount,
  online: Type.Boolean({ description: 'In the lobby or at a table now.' }),
  createdAt: Moment,
  lastLoginAt: nullable(Moment, { description: 'When the player last entered the game.' }),
})
export type Player = Static<typeof Player>

// ── Wallet ──

export const TransferOrder = Type.Object({
  username: Username,
  txnId: TxnId,
  amount: PositiveAmount,
  currency: Type.String({ description: "Must be the player's currency." }),
})
export type TransferOrder = Static<typeof TransferOrder>

export const TransferResult = Type.Object({
  txnId: Type.String(),
  status: Type.Enum(['done']),
  balance: Type.String({ description: 'Balance right after the transfer; a resent txnId gets the original value.' }),
  duplicate: Type.Boolean({ description: 'Whether the txnId had been processed before.' }),
})
export type TransferResult = Static<typeof TransferResult>

export const TransferRecord = Type.Object({
  txnId: Type.String(),
  username: Type.String(),
  dir: Type.Enum(['in', 'out', 'adjust'], {
    description: 'Deposit, withdrawal, or a manual adjustment made in the Console.',
  }),
  amount: Amount,
  status: Type.Enum(['done']),
  balance: nullable(Amount),
  at: Moment,
})
export type TransferRecord = Static<typeof TransferRecord>

export const Balance = Type.Object({ balance: Amount, currency: Type.String() })
export type Balance = Static<typeof Balance>

// ── Tables and rounds ──

export const Table = Type.Object({
  tableId: Type.String(),
  game: Game,
  variants: Type.Array(Type.String()),
  name: Type.Record(Type.String(), Type.String(), { description: 'Table name by language code.' }),
  status: Type.Enum(['open', 'maintenance']),
  betSeconds: Type.Integer(),
  enabled: Type.Boolean(),
  provider: Type.Optional(
    Type.Object({ name: Type.String() }, { description: 'Only on tables that another merchant shares.' }),
  ),
})
export type Table = Static<typeof Table>

export const TableSwitch = Type.Object({
  tableId: Type.String(),
  enabled: Type.Boolean(),
  used: Type.Integer(),
  quota: nullable(Type.Integer()),
})
export type TableSwitch = Static<typeof TableSwitch>

/** What a round's cards came to; its fields depend on the game. */
const RoundResult = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'baccarat: cards, player, banker, winner (B, P or T), playerPair, bankerPair. dragontiger: cards, dragon, tiger, winner (D, TG or T), suitedTie. niuniu: cards, hands, winners. holdem: null.',
})

export const Round = Type.Object({
  roundId: RoundId,
  tableId: Type.String(),
  shoe: Type.String(),
  round: Type.Integer(),
  status: Type.Enum(['settled', 'void', 'disputed']),
  code: nullable(Type.String()),
  cardInfo: nullable(Type.String()),
  result: nullable(RoundResult),
  complete: nullable(Type.Boolean()),
  rev: Type.Integer(),
  openedAt: nullable(Moment),
  settledAt: nullable(Moment),
})
export type Round = Static<typeof Round>

// ── Bets ──

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
  // Judged by the use case: with a cursor it is ignored, whatever it says.
  from: Type.Optional(
    Type.String({ description: 'ISO 8601 start point when there is no cursor, aligned down to the minute.' }),
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
  stake: Amount,
  validStake: Amount,
  rolling: Amount,
  payout: Amount,
  winLoss: Amount,
  rake: Amount,
})
export type SummaryItem = Static<typeof SummaryItem>

export const Summary = Type.Object({
  date: CalendarDate,
  timezone: Type.String({ description: 'IANA name of the zone the day is in.' }),
  players: Type.Array(SummaryItem, { maxItems: 1000 }),
})

// ── Account ──

export const Account = Type.Object({
  plan: Type.Enum([...plans]),
  state: Type.Enum([...accountStates]),
  balanceUsd: UsdAmount,
  tablesUsed: Type.Integer(),
  tablesQuota: nullable(Type.Integer()),
  streamGbMonth: Type.String({ description: 'GB this UTC month, 3 decimals.' }),
  avgDailyUsd7d: UsdAmount,
  daysLeft: nullable(Type.Integer()),
  graceUntil: nullable(Moment),
})
export type Account = Static<typeof Account>

export const UsageDay = Type.Object({
  day: CalendarDate,
  tableDays: Type.Number(),
  streamGb: Type.String(),
  streamSource: Type.Enum(['cdn', 'client', 'estimate']),
  tableFeeUsd: UsdAmount,
  streamFeeUsd: UsdAmount,
})
export type UsageDay = Static<typeof UsageDay>

export const Statement = Type.Object({
  period: Type.String({ description: 'YYYY-MM.' }),
  openingUsd: UsdAmount,
  chargesUsd: UsdAmount,
  paymentsUsd: UsdAmount,
  closingUsd: UsdAmount,
})
export type Statement = Static<typeof Statement>
