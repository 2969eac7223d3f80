import { printable } from '../terminal/text.ts'

/** Flags that name the object of a command. Texts for customers and notes are not recorded: they are stored at their destination. */
const subjectFlags = [
  'txn',
  'order',
  'key',
  'ticket',
  'room',
  'player',
  'table',
  'filter',
  'file',
  'plan',
  'status',
  'until',
  'ref',
  'merchant',
  'environment',
]

/** Arguments that are texts, or values of settings. */
const texts = ['text', 'message', 'body', 'comment', 'value']

const maxLength = 300

/** Returns what a run changes, on one line: its arguments, then its naming flags. */
export function subjectOf(args: Readonly<Record<string, unknown>>, flags: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(args).flatMap(([name, value]) => (texts.includes(name) ? [] : textsOf(value)))
  const named = subjectFlags.flatMap((name) => textsOf(flags[name]).map((text) => `--${name} ${text}`))
  const subject = printable([...values, ...named].join(' ')).replaceAll('\n', ' ')
  return subject.length > maxLength ? `${subject.slice(0, maxLength - 1)}…` : subject
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
}
