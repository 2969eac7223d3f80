import Type, { type TSchema } from 'typebox'
import { gameNames } from '../../../../domain/games/game.ts'

/** Shared schemas of the tenant API (1-tenant-api, "Shared types"). */

/** Returns the schema or null. */
export const nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], { ...options })

/** Text that a database can store: PostgreSQL does not allow NUL. */
export const PlainText = (
  options: { minLength?: number; maxLength?: number; pattern?: string; description?: string; examples?: string[] } = {},
) => Type.String({ pattern: '^[^\\u0000]*$', ...options })

export const Username = Type.String({
  pattern: '^[A-Za-z0-9_.@-]{1,32}$',
  description: 'Case-insensitive; responses keep the case used at creation.',
})
export const TxnId = Type.String({
  pattern: '^[A-Za-z0-9_.:-]{1,64}$',
  description: 'Idempotency key, unique across the whole tenant.',
})
export const Amount = Type.String({
  pattern: '^-?[0-9]{1,15}([.][0-9]{1,4})?$',
  examples: ['100.5'],
  description: 'Decimal string, up to 15 digits before the point and 4 after it; trailing zeros are dropped.',
})
/** A balance or a sum of a day: winnings may take it beyond the digits of one amount. */
export const TotalAmount = Type.String({
  pattern: '^-?[0-9]{1,30}([.][0-9]{1,4})?$',
  examples: ['10100.5'],
  description: 'Decimal string, 4 digits after the point; winnings may take it beyond 15 digits before the point.',
})
export const PositiveAmount = Type.String({
  // The lookahead refuses zero: one digit must not be 0.
  pattern: '^(?=.*[1-9])[0-9]{1,15}([.][0-9]{1,4})?$',
  description: 'Decimal string greater than 0, at most 4 decimals; never a JSON number.',
  examples: ['100.5'],
})
export const UsdAmount = Type.String({
  pattern: '^-?[0-9]{1,12}([.][0-9]{1,6})?$',
  examples: ['129.5'],
  description: 'US dollars as a decimal string, at most 6 decimals.',
})
export const CalendarDate = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  description: 'YYYY-MM-DD.',
  examples: ['2026-03-01'],
})
export const Moment = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$',
  examples: ['2026-03-01T12:00:00.000Z'],
  description: 'ISO 8601 in UTC with milliseconds.',
})
/** A volume with 3 decimals. */
export const Gigabytes = (description: string) =>
  Type.String({ pattern: '^[0-9]+[.][0-9]{3}$', examples: ['1.250'], description })
export const CursorText = Type.String({
  pattern: '^[0-9]{6}[.][0-9]+$',
  description: 'Opaque: send the nextCursor of the previous page.',
  examples: ['202603.1042'],
})
export const RoundId = Type.String({ pattern: '^[0-9A-Z]{26}$', description: 'An upper-case ULID.' })
export const TableId = PlainText({ minLength: 1 })
export const Game = Type.Enum([...gameNames])
export const LimitProfileId = nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
  description: "The tenant's own profile or a platform template in the player's currency; null is the default profile.",
})
