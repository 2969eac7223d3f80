import { quoted, typedCommand } from '../../../kit/shell-quote.ts'
import { tenantProfile } from '../../config/tenant-profile.ts'

/** The countroom command that does the same as an action of the desk: words, and where the fields of its input go. */
export interface CommandForm {
  readonly words: string
  /** Fields that are arguments, in their order. */
  readonly args?: readonly string[]
  /** Fields that are further arguments if they are given. */
  readonly optionalArgs?: readonly string[]
  /** Fields that are values of flags, by flag; a field that is true is a flag without a value. */
  readonly flags?: Readonly<Record<string, string>>
  /** Flags that are always given. */
  readonly fixed?: Readonly<Record<string, string | true>>
  /** Field that the command reads from stdin if it is given, as its argument `-` or as the value `-` of a flag. */
  readonly stdin?: { readonly field: string; readonly flag?: string }
  /** Fields that the command reads as a text or a macro: a leading `@` is doubled, and a single dash is read from stdin. */
  readonly texts?: readonly string[]
  /** Field with the tenant whose profile the command runs with; the demo needs no flag. */
  readonly profileOf?: string
}

/** Values of an action's fields. */
export type Values = Readonly<Record<string, unknown>>

/** Tenant for which the profile "local" acts if no other is named. */
const demo = 'DEMO'

/** Returns a command as it is typed, with the names of missing arguments in capitals. */
export function commandText(form: CommandForm, values: Values): string {
  const { words, args = [], optionalArgs = [], flags = {}, fixed = {}, stdin, texts = [], profileOf } = form
  const textOf = (field: string) => (texts.includes(field) ? literal(plain(values[field])) : plain(values[field]))
  const all: Record<string, string | true | undefined> = { ...fixed }
  for (const [flag, field] of Object.entries(flags)) all[flag] = flagValue(values[field]) ?? textOf(field)
  const owner = profileOf === undefined ? undefined : plain(values[profileOf])
  if (owner !== undefined && owner !== demo) all['profile'] = tenantProfile(owner)
  const given = [
    ...args.map((field) => textOf(field) ?? placeholder(field)),
    ...optionalArgs.flatMap((field) => textOf(field) ?? []),
  ]
  const input = stdin && (textOf(stdin.field) ?? (stdin.flag === undefined ? placeholder(stdin.field) : undefined))
  const piped = (text: string) => `printf %s ${quoted(text)} | ${typedCommand(words, given, all)}`
  if (texts.some((field) => values[field] === '-')) return piped('-')
  if (stdin === undefined || input === undefined) return typedCommand(words, given, all)
  if (stdin.flag === undefined) given.push('-')
  else all[stdin.flag] = '-'
  return piped(input)
}

/** Returns true for a switch that is on, whose flag has no value; undefined for other values. */
function flagValue(value: unknown): true | undefined {
  return value === true ? true : undefined
}

function plain(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' || value === false ? undefined : String(value)
}

/** `@` begins the name of a macro. */
function literal(text: string | undefined): string | undefined {
  return text?.startsWith('@') ? `@${text}` : text
}

/** `payoutId` becomes PAYOUT_ID. */
function placeholder(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}
