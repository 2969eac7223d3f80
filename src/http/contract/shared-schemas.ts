import { type Static, type TSchema, type TUnion, Type } from 'typebox'
import type { JsonSchema } from './json-schema.ts'

/** A time in all three APIs: UTC, ISO 8601, milliseconds. */
export const Moment = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$',
  format: 'date-time',
  examples: ['2026-03-01T08:30:00.000Z'],
})

/** A calendar day. Rules check that it exists (no 30th of February), not the pattern. */
export const CalendarDate = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  format: 'date',
  examples: ['2026-03-01'],
})

/** A calendar month. */
export const CalendarMonth = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}$', examples: ['2026-03'] })

/** An amount as text, with limits on the digits before and after the point. */
export function Decimal(limits: { whole: number; fraction: number; negative?: boolean }, example = '100.5') {
  const minus = limits.negative ? '-?' : ''
  return Type.String({
    pattern: `^${minus}[0-9]{1,${limits.whole}}([.][0-9]{1,${limits.fraction}})?$`,
    examples: [example],
  })
}

/** A whole number in a range. In a query it is a text that is parsed before validation. */
export function Whole(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER, options: { default?: number } = {}) {
  return Type.Integer({ minimum, ...(maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }), ...options })
}

/** Returns the schema or null. */
export function Nullable<T extends TSchema>(shape: T): TUnion<[T, ReturnType<typeof Type.Null>]> {
  return Type.Union([shape, Type.Null()])
}

/** A value of a closed list, made from the domain's own list so that they cannot differ. */
export function OneOf<const Value extends string>(
  values: readonly Value[],
  options: Pick<JsonSchema, 'description' | 'x-refuses-null'> = {},
) {
  return Type.Unsafe<Value>({ type: 'string', enum: values, ...options } satisfies JsonSchema)
}

/** Any object, with all of its fields. */
export const OpenObject = Type.Object({}, { additionalProperties: true })

/** A map with any names. */
export function Named<T extends TSchema>(value: T) {
  return Type.Unsafe<Record<string, Static<T>>>({ type: 'object', additionalProperties: value } satisfies JsonSchema)
}

/** Parts of an endpoint that responds with 304 if the client has the response already. */
export const cacheable = {
  headers: Type.Object({
    'If-None-Match': Type.Optional(Type.String({ description: 'The ETag of an earlier response.' })),
  }),
  replyHeaders: Type.Object({ ETag: Type.String({ description: 'Stays the same while the response does.' }) }),
} as const
