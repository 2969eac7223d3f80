import Type from 'typebox'
import { type Contract, refusals } from '../../wire/contract.ts'
import { bareOrError } from '../../wire/envelopes.ts'
import type { JsonSchema } from '../../wire/json-schema.ts'
import { Named, Nullable, OneOf } from '../../wire/shapes.ts'
import type { MeView, SlipView, TableEntry, TableView } from '../page-assets/views.ts'

/** The shapes of replies are the page's own types: both ends are built together, so they are told once. */
const view = <V>() => Type.Unsafe<V>({ type: 'object', additionalProperties: true } satisfies JsonSchema)

const TableId = Type.Object({ tableId: Type.String({ minLength: 1, maxLength: 64 }) })
const RoundId = Type.String({ pattern: '^[0-9A-Z]{26}$' })
const Amount = Type.String({ maxLength: 20 })

/** The contract between the player's page and the tables. Who asks is known by the session's cookie. */
export const play = {
  title: 'Player page',
  version: '1.0.0',
  prefixes: ['/play/v1'],
  envelope: bareOrError,
  bodyLimit: 8_192,
  problems: {
    SESSION_NEEDED: 401,
    SESSION_ENDED: 401,
    TABLE_CLOSED: 403,
    MAY_NOT_BET: 403,
    PLAYER_LOCKED: 403,
    INVALID_PARAMETER: 400,
    INVALID_JSON: 400,
    INVALID_AMOUNT: 400,
    BET_LIMIT: 400,
    BET_REFUSED: 409,
    BETTING_CLOSED: 409,
    DECISION_CLOSED: 409,
    TABLE_FULL: 409,
    DAY_LIMIT: 409,
    INSUFFICIENT_BALANCE: 409,
    NOT_FOUND: 404,
    PAYLOAD_TOO_LARGE: 413,
    INTERNAL_ERROR: 500,
  },
  usual: {
    invalid: 'INVALID_PARAMETER',
    json: 'INVALID_JSON',
    missing: 'NOT_FOUND',
    large: 'PAYLOAD_TOO_LARGE',
    internal: 'INTERNAL_ERROR',
  },
  common: ['SESSION_NEEDED', 'SESSION_ENDED', 'NOT_FOUND', 'INTERNAL_ERROR'],
  endpoints: {
    me: {
      method: 'GET',
      path: '/me',
      access: 'player',
      summary: 'Who is playing, with how much',
      description: 'Also the sign of life that keeps a session from being idle.',
      status: 200,
      reply: view<MeView>(),
      refusals: [],
    },
    table: {
      method: 'GET',
      path: '/tables/:tableId',
      access: 'player',
      summary: 'A table with its round and its road',
      params: TableId,
      status: 200,
      reply: view<TableEntry>(),
      refusals: ['TABLE_CLOSED'],
    },
    bet: {
      method: 'PUT',
      path: '/tables/:tableId/bets',
      access: 'player',
      summary: "Make these the player's bets in the round; none takes them back",
      params: TableId,
      body: Type.Object({ roundId: RoundId, variant: Type.String({ maxLength: 20 }), bets: Named(Amount) }),
      status: 200,
      reply: view<TableView>(),
      refusals: [
        'TABLE_CLOSED',
        'MAY_NOT_BET',
        'PLAYER_LOCKED',
        'INVALID_PARAMETER',
        'INVALID_AMOUNT',
        'BET_LIMIT',
        'BET_REFUSED',
        'BETTING_CLOSED',
        'TABLE_FULL',
        'DAY_LIMIT',
        'INSUFFICIENT_BALANCE',
      ],
    },
    seat: {
      method: 'PUT',
      path: '/tables/:tableId/seat',
      access: 'player',
      summary: 'Take a seat in the next no-limit hand with so many chips, or leave it (null)',
      params: TableId,
      body: Type.Object({ roundId: RoundId, buyIn: Nullable(Amount) }),
      status: 200,
      reply: view<TableView>(),
      refusals: [
        'TABLE_CLOSED',
        'MAY_NOT_BET',
        'INVALID_AMOUNT',
        'BET_LIMIT',
        'BET_REFUSED',
        'BETTING_CLOSED',
        'TABLE_FULL',
        'DAY_LIMIT',
        'INSUFFICIENT_BALANCE',
      ],
    },
    decide: {
      method: 'POST',
      path: '/tables/:tableId/decision',
      access: 'player',
      summary: 'Answer the dealer: bet, or pass',
      params: TableId,
      body: Type.Object({
        roundId: RoundId,
        moment: OneOf(['opening', 'hole', 'flop', 'turn']),
        does: OneOf(['bet', 'pass']),
      }),
      status: 200,
      reply: view<TableView>(),
      refusals: ['TABLE_CLOSED', 'BETTING_CLOSED', 'DECISION_CLOSED', 'BET_REFUSED', 'INSUFFICIENT_BALANCE'],
    },
    turn: {
      method: 'POST',
      path: '/tables/:tableId/turn',
      access: 'player',
      summary: "Act on the player's turn in a no-limit hand",
      params: TableId,
      body: Type.Object({
        roundId: RoundId,
        action: Type.Integer({ minimum: 0 }),
        does: OneOf(['fold', 'check', 'call', 'raise']),
        to: Type.Optional(Amount),
      }),
      status: 200,
      reply: view<TableView>(),
      refusals: ['TABLE_CLOSED', 'BETTING_CLOSED', 'DECISION_CLOSED', 'BET_REFUSED', 'INVALID_AMOUNT'],
    },
    slips: {
      method: 'GET',
      path: '/slips',
      access: 'player',
      summary: "The player's latest slips, newest first",
      status: 200,
      reply: view<{ slips: SlipView[] }>(),
      refusals: [],
    },
    leave: {
      method: 'POST',
      path: '/leave',
      access: 'player',
      summary: 'Sign the player out',
      body: Type.Object({}),
      bodyOptional: true,
      status: 200,
      reply: Type.Object({ left: Type.Boolean() }),
      refusals: [],
    },
  },
} as const satisfies Contract

export const refusePlay = refusals(play)
