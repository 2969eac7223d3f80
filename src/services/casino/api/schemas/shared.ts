import Type, { type TSchema } from 'typebox'
import { gameNames } from '../../../../domain/games/game.ts'

/** What the shapes of the tenant API share (1-tenant-api, "Shared types"). */

/** The shape, or null. */
export const nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], { ...options })

/** Any text that a database can keep: PostgreSQL knows no NUL. */
export const PlainText = (
  options: { minLength?: number; maxLength?: number; pattern?: string; description?: string; examples?: string[] } = {},
) => Type.String({ pattern: '^[^\\u0000]*$', ...options })

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
  examples: ['100.5'],
})
export const UsdAmount = Type.String({ description: 'US dollars as decimal text, at most 6 decimals.' })
export const CalendarDate = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  description: 'YYYY-MM-DD.',
  examples: ['2026-03-01'],
})
export const Moment = Type.String({ description: 'ISO 8601 in UTC with milliseconds.' })
export const CursorText = Type.String({
  pattern: '^[0-9]{6}[.][0-9]+$',
  description: 'Opaque: send back the nextCursor of the previous page.',
  examples: ['202603.1042'],
})
export const RoundId = Type.String({ pattern: '^[0-9A-Z]{26}$', description: 'An upper-case ULID.' })
export const TableId = PlainText({ minLength: 1 })
export const Game = Type.Enum([...gameNames])
export const LimitProfileId = nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
  description: "The tenant's own profile or a platform template in the player's currency; null is the default profile.",
})
