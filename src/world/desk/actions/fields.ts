import { Type } from 'typebox'
import { Username } from '../../../services/casino/api/schemas/shared.ts'
import { Line, Text, TicketKey } from '../../../services/chat/api/schemas.ts'

/** Schemas of fields that actions share. `title` is the label of the form. */

interface TextOptions {
  readonly pattern?: string
  readonly examples?: readonly string[]
  readonly default?: string
  readonly maxLength?: number
  readonly description?: string
}

/** A line of text. */
export const text = (title: string, options: TextOptions = {}) => Type.String({ ...Line(1, 200), title, ...options })

/** Text of several lines. */
export const lines = (title: string, maxLength: number) => Type.String({ ...Text(1, maxLength), title })

/** A line of text that is optional. */
export const maybeText = (title: string, options: TextOptions = {}) => Type.Optional(text(title, options))

/** A switch. */
export const flag = (title: string) => Type.Optional(Type.Boolean({ title }))

/** One of several values. */
export const choice = <const Values extends readonly string[]>(
  title: string,
  values: Values,
): Type.TUnsafe<Values[number]> => Type.Unsafe<Values[number]>(Type.Enum([...values], { title }))

export const maybeChoice = <const Values extends readonly string[]>(title: string, values: Values) =>
  Type.Optional(choice(title, values))

/** A whole number. */
export const count = (title: string, minimum: number, maximum: number, initial: number) =>
  Type.Integer({ title, minimum, maximum, default: initial })

export const amount = (title = 'Amount', options: TextOptions = {}) => text(title, { maxLength: 60, ...options })
export const maybeAmount = (title = 'Amount', options: TextOptions = {}) =>
  maybeText(title, { maxLength: 60, ...options })

export const tenant = text('Tenant', { maxLength: 40 })
export const user = Type.String({ ...Username, title: 'Player' })
export const ticket = Type.String({ ...TicketKey, title: 'Ticket' })
export const payment = text('Payment', { pattern: '^[0-9]{1,15}$' })
export const casinoEnvironment = choice('Environment', ['live', 'sandbox'])
export const gatewayEnvironment = choice('Environment', ['production', 'sandbox'])
