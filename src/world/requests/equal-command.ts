import { type CommandTemplate, commandTemplates, nearCommands } from './command-templates.ts'

/** The countroom command that sends a request again, or the reason why there is none. */
export type EqualCommand =
  | { readonly command: string; readonly reason?: undefined }
  | { readonly command: null; readonly reason: string }

/** Values of a request by their names, from its path, query, body and headers; `parent.child` for those of an object. */
export type RequestValues = Readonly<Record<string, unknown>>

export interface CommandRequest {
  /** Name of the API: casino, gateway, chat, agent; another has no commands. */
  readonly api: string | null
  readonly endpoint: string | undefined
  readonly values: RequestValues
  /** Profile that the command needs. */
  readonly profile?: string | undefined
}

/** Returns the command that makes the same request. `quoted` quotes a word for a shell. */
export function equalCommand(
  { api, endpoint = '', values, profile }: CommandRequest,
  quoted: (word: string) => string,
): EqualCommand {
  const form = commandTemplates[api ?? '']?.[endpoint]
  if (form === undefined) {
    const near = nearCommands[api ?? '']?.[endpoint]
    return none(`No command sends this request${near === undefined ? '' : `. ${near}`}`)
  }
  const read = readForm(form, values)
  if ('reason' in read) return none(read.reason)
  const { args, flags } = read
  const options = [...flags, ...(profile === undefined ? [] : [['profile', profile] as const])].map(([name, value]) =>
    value === true ? `--${name}` : value.startsWith('-') ? `--${name}=${quoted(value)}` : `--${name} ${quoted(value)}`,
  )
  const words = args.map(quoted)
  // An argument with a dash would be read as a flag.
  const rest = args.some((arg) => arg.startsWith('-')) ? [...options, '--', ...words] : [...words, ...options]
  return { command: ['countroom', form.words, ...rest].join(' ') }
}

const none = (reason: string): EqualCommand => ({ command: null, reason })

/** A flag and its value; true for a flag without one. */
type Flag = readonly [name: string, value: string | true]

type ReadForm = { readonly args: readonly string[]; readonly flags: readonly Flag[] } | { readonly reason: string }

/** Returns the arguments and flags for the values, or the reason why the form cannot send them. */
function readForm(form: CommandTemplate, values: RequestValues): ReadForm {
  const left = new Map(Object.entries(values).filter(([, value]) => value !== undefined))
  const take = (field: string) => {
    const value = left.get(field)
    left.delete(field)
    return value
  }
  const args: string[] = []
  const flags: Flag[] = []
  const wrong: string[] = []
  for (const field of form.args ?? []) {
    const text = textOf(form, field, take(field))
    if (text === undefined) return { reason: `The request has no ${field}, which ${nameOf(form)} needs` }
    args.push(text)
  }
  const further = form.optionalArg === undefined ? undefined : textOf(form, form.optionalArg, take(form.optionalArg))
  if (further !== undefined) args.push(further)
  for (const [flag, field] of Object.entries(form.flags ?? {})) {
    const text = textOf(form, field, left.get(field))
    if (text === undefined && left.get(field) !== undefined) continue
    left.delete(field)
    if (text?.startsWith('--')) flags.push([text.slice(2), true])
    else if (text !== undefined) flags.push([flag, text])
  }
  for (const [flag, { field, on, off, absent }] of Object.entries(form.switches ?? {})) {
    const value = String(left.get(field) ?? absent).toLowerCase()
    if (value === on) flags.push([flag, true])
    else if (value !== off) continue
    left.delete(field)
  }
  for (const [flag, fields] of Object.entries(form.needs ?? {}))
    if (fields.some((field) => values[field] !== undefined)) flags.push([flag, true])
  for (const [flag, parent] of Object.entries(form.pairs ?? {}))
    for (const [name, value] of [...left])
      if (name.startsWith(`${parent}.`) && scalarText(value) !== undefined)
        flags.push([flag, `${name.slice(parent.length + 1)}=${scalarText(take(name))}`])
  for (const [field, { value, absent }] of Object.entries(form.sends ?? {})) {
    const given = String(left.get(field) ?? absent)
    if (given.toLowerCase() === value.toLowerCase()) left.delete(field)
    else if (!left.has(field)) wrong.push(`${field}=${value}`)
  }
  flags.push(...limitOf(form, take))
  for (const field of form.own ?? []) left.delete(field)
  for (const [field, other] of Object.entries(form.notLiteral ?? {}))
    if (other.test(String(values[field] ?? ''))) wrong.push(`${field}=${String(values[field])}`)
  if (left.size > 0) return { reason: `${nameOf(form)} cannot send ${[...left].map(shown).join(', ')}` }
  if (wrong.length > 0) return { reason: `${nameOf(form)} would send another request because of ${wrong.join(', ')}` }
  return { args, flags }
}

function limitOf({ limit }: CommandTemplate, take: (field: string) => unknown): Flag[] {
  if (limit === undefined) return []
  return [['limit', scalarText(take(limit.field)) ?? String(limit.absent)]]
}

const nameOf = ({ words }: CommandTemplate) => `"countroom ${words}"`
const shown = ([name, value]: [string, unknown]) => {
  const text = scalarText(value)
  return text === undefined || text.length > 40 ? name : `${name}=${text}`
}

/** Returns the text of a field for a command line; undefined for a field that is not given or has no such text. */
function textOf({ nulls }: CommandTemplate, field: string, value: unknown): string | undefined {
  // A secret is not kept: the mask in its place would be sent.
  if (value === null) return nulls?.[field]
  const text = scalarText(value)
  return text === '***' ? undefined : text
}

/** Returns the text of a number without an exponent, of a text as it is; undefined for others. */
function scalarText(value: unknown): string | undefined {
  if (typeof value === 'number') return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 18 })
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined
}
