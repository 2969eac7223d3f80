import { quoted, typedCommand } from '../../../kit/shell-quote.ts'

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
  /** Field with the tenant, merchant or environment whose profile the command runs with; the demo's own needs no flag. */
  readonly profileOf?: string
}

/** Values of an action's fields. */
export type Values = Readonly<Record<string, unknown>>

/** Profiles by tenant or environment. What is not here has one of its own; the profile "local" needs no flag. */
const profiles: Readonly<Record<string, string | undefined>> = {
  DEMO: undefined,
  production: undefined,
  sandbox: 'demo-sbx',
}

/** Returns a command as it is typed, with the names of missing arguments in capitals. */
export function commandText(form: CommandForm, values: Values): string {
  const { words, args = [], optionalArgs = [], flags = {}, fixed = {}, stdin, profileOf } = form
  const all: Record<string, string | true | undefined> = { ...fixed }
  for (const [flag, field] of Object.entries(flags)) all[flag] = flagValue(values[field])
  const owner = profileOf === undefined ? undefined : textOf(values[profileOf])
  if (owner !== undefined) all['profile'] = owner in profiles ? profiles[owner] : owner.toLowerCase()
  const given = [
    ...args.map((field) => textOf(values[field]) ?? placeholder(field)),
    ...optionalArgs.flatMap((field) => textOf(values[field]) ?? []),
  ]
  const input =
    stdin && (textOf(values[stdin.field]) ?? (stdin.flag === undefined ? placeholder(stdin.field) : undefined))
  if (stdin === undefined || input === undefined) return typedCommand(words, given, all)
  if (stdin.flag === undefined) given.push('-')
  else all[stdin.flag] = '-'
  return `printf %s ${quoted(input)} | ${typedCommand(words, given, all)}`
}

function flagValue(value: unknown): string | true | undefined {
  return value === true ? true : value === false ? undefined : textOf(value)
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

/** `payoutId` becomes PAYOUT_ID. */
function placeholder(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}
