import Type, { type TSchema } from 'typebox'
import type { selectableEvents, WebhookEvent } from '../../../domain/webhooks/events.ts'
import type { Callback, Credential } from '../../../http/contract/contract.ts'
import { BetRecord } from './schemas/bets.ts'
import { Moment, nullable, RoundId } from './schemas/shared.ts'

/** Parts of the tenant API's reference beyond the endpoints (1-tenant-api, Authentication, Errors and Events). */

export const credentials = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The key ID. Sandbox keys start with ek_s_, live keys with ek_l_.',
  },
  Timestamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Timestamp',
    description: 'Unix seconds, within 300 seconds of server time.',
  },
  Nonce: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Nonce',
    description: '16 to 64 letters and digits, not repeated within 600 seconds.',
  },
  Signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Signature',
    description:
      "Lower-case hex HMAC-SHA256, keyed with the key's secret, over five lines joined by line feeds: method, path and query, timestamp, nonce, hex SHA-256 of the body.",
  },
} as const satisfies Readonly<Record<string, Credential>>

/** Every request has all four headers. */
export const accepts = { tenant: [['ApiKey', 'Timestamp', 'Nonce', 'Signature']] } as const

export const groups = {
  player: 'Players: launch, log out, get, update.',
  wallet: 'The transfer wallet: each transfer is executed once per txnId.',
  bets: 'Settled bets in write order, and daily figures.',
  rounds: 'Settled rounds.',
  tables: 'Tables and whether players see them.',
  account: 'The billing account: plan, credit, usage, statements.',
} as const

export const meanings = {
  UNAUTHORIZED:
    'The key is malformed, unknown or revoked; the nonce is malformed or repeated; the signature differs; or the timestamp is malformed or more than 300 seconds off.',
  IP_NOT_ALLOWED: 'The tenant has an IP allowlist and the source address is not on it.',
  TENANT_SUSPENDED: 'The tenant is disabled, suspended or closed.',
  RATE_LIMITED: 'Too many requests per second: back off, then use a new nonce and timestamp.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 64 KB.',
  INVALID_JSON: 'The body is not valid JSON or not a JSON object.',
  NOT_FOUND: 'Unknown method and path; or the table does not exist.',
  INTERNAL_ERROR: 'A temporary server error. Retry with backoff; resend a transfer with the same txnId.',
  INVALID_PARAMETER: 'A required field is missing or a field has a wrong format or value; the message names it.',
  INVALID_USERNAME: 'The username does not match the pattern or is missing from a query.',
  INVALID_CURRENCY: 'The currency for a new player is not 3 to 5 letters.',
  CURRENCY_NOT_ENABLED: 'The currency for a new player is not enabled for the operator.',
  INVALID_AMOUNT: 'The amount is not a positive decimal string with at most 4 decimals.',
  INVALID_CURSOR: 'The cursor is malformed: send the last nextCursor unchanged, or start again with from.',
  CURRENCY_MISMATCH: "The currency differs from the player's.",
  PLAYER_NOT_FOUND: 'No player has this username.',
  PLAYER_LOCKED: 'The player is locked and cannot be launched.',
  PLAYER_LIMIT: "The plan's player limit is reached.",
  TXN_CONFLICT: 'The txnId was used with a different amount or direction, or for another player within two months.',
  INSUFFICIENT_BALANCE: 'The withdrawal is larger than the available balance.',
  TXN_NOT_FOUND:
    'No transfer has this txnId: it was not executed or is still in progress. Resend it with the same txnId.',
  ROUND_NOT_FOUND: 'The round does not exist or is not settled.',
  QUOTA_EXCEEDED: "The free plan's table quota is reached.",
  ACCOUNT_LOCKED: 'The account is suspended or closed; tables cannot be enabled.',
} as const

const headers = Type.Object({
  'X-Svc-Event': Type.String({ description: 'The event, equal to event in the body.' }),
  'X-Svc-Delivery': Type.String({
    description: 'The delivery ID, equal to id in the body: use it to detect duplicates.',
  }),
  'X-Svc-Signature': Type.String({
    pattern: '^t=[0-9]+,v1=[0-9a-f]{64}$',
    examples: [`t=1772366400,v1=${'0'.repeat(64)}`],
    description:
      't is Unix seconds; v1 is the lower-case hex HMAC-SHA256, keyed with the webhook secret (including its whs_ prefix), over t, a dot and the raw body. Reject it when t is more than 300 seconds off.',
  }),
})

const RoundData = Type.Object({
  round: Type.Object({
    roundId: RoundId,
    tableId: Type.String(),
    shoe: Type.String(),
    round: Type.Integer(),
    rev: Type.Integer({ minimum: 1, description: 'The result revision of this event.' }),
    resultCode: nullable(Type.String(), { description: 'Null for a round voided without a result.' }),
    cardInfo: nullable(Type.String(), { description: 'Null for a round voided without a result.' }),
    settledAt: Moment,
  }),
  bets: Type.Array(BetRecord, {
    description: 'The slips of this revision, as in GET /bets: use slipId and rev to detect duplicates.',
  }),
})

const Cents = Type.String({
  pattern: '^-?[0-9]+[.][0-9]{2}$',
  description: 'US dollars with 2 decimals.',
  examples: ['12.50'],
})

const AccountData = Type.Object({
  from: Type.String({ description: 'The previous state.' }),
  to: Type.String({ description: 'The new state.' }),
  balanceUsd: Cents,
  graceUntil: nullable(Moment, { description: 'Set only when grace starts.' }),
  actor: Type.String({ description: 'system or an operator.' }),
})

function callback(event: WebhookEvent, summary: string, data: TSchema, description?: string): Callback {
  return {
    summary,
    ...(description ? { description } : {}),
    headers,
    body: Type.Object({
      id: Type.String({ description: 'The delivery ID, unchanged across automatic retries.' }),
      event: Type.Literal(event),
      companyCode: Type.String({ description: 'The tenant; the code of a sandbox ends in -SBX.' }),
      createdAt: Moment,
      data,
    }),
  }
}

/** The webhooks, by event. */
export const callbacks = {
  'bet.settled': callback(
    'bet.settled',
    "A round in which the tenant's players had bets is settled",
    RoundData,
    'Sent once per round and revision. Webhooks can be late, duplicated or out of order: use GET /bets as the source of truth.',
  ),
  'round.corrected': callback(
    'round.corrected',
    'A round is settled again after its result was corrected',
    RoundData,
    'The slips have status recalculated.',
  ),
  'round.voided': callback(
    'round.voided',
    'A round is voided and its stakes are refunded',
    RoundData,
    'The slips have status void.',
  ),
  'player.kicked': callback(
    'player.kicked',
    'A player was logged out, locked or kicked',
    Type.Object({
      username: Type.String(),
      reason: Type.String({ description: 'logged_out or locked through the API, kicked in the Console.' }),
      at: Moment,
    }),
    'Not sent when a new launch replaces an older session.',
  ),
  'account.grace': callback('account.grace', 'The prepaid credit ran out and the grace period started', AccountData),
  'account.downgraded': callback(
    'account.downgraded',
    'The grace period ended without a top-up and the account was moved to the free plan',
    AccountData,
  ),
  'account.restored': callback('account.restored', 'A top-up restored the paid plan', AccountData),
  'account.topup': callback(
    'account.topup',
    'A payment or top-up was credited',
    Type.Object({ amountUsd: Cents, balanceUsd: Cents, ref: Type.String() }),
  ),
  'account.low_balance': callback(
    'account.low_balance',
    'The estimated days left fell below the alert threshold',
    Type.Object({ balanceUsd: Cents, avgDailyUsd: Cents, daysLeft: Type.Integer() }),
    'At most once a day; requires a billing contact in the Console.',
  ),
  test: callback(
    'test',
    'A test event was sent from the Console',
    Type.Object({ message: Type.String() }),
    'Requires no subscription.',
  ),
} as const satisfies Readonly<Record<(typeof selectableEvents)[number] | 'test', Callback>>
