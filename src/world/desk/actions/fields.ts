import { Type } from 'typebox'

/** Schemas of fields that actions share. `title` is the label of the form. */

interface TextOptions {
  readonly pattern?: string
  readonly examples?: readonly string[]
  readonly default?: string
  readonly maxLength?: number
  readonly description?: string
}

/** A line of text. */
export const text = (title: string, options: TextOptions = {}) =>
  Type.String({ title, minLength: 1, maxLength: 200, ...options })

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
export const user = text('Player', { maxLength: 64 })
export const payment = text('Payment', { pattern: '^[0-9]{1,15}$' })
export const casinoEnvironment = choice('Environment', ['live', 'sandbox'])
export const gatewayEnvironment = choice('Environment', ['production', 'sandbox'])
