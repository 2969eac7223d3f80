import type { Input } from '@oclif/core/interfaces'
import { isProblem, Problem } from '../../kit/problem.ts'
import { flagOf, settingNames } from '../../world/config/config.ts'
import type { AuditedFrom } from '../context/services.ts'
import { stoppedBy } from '../outcome/signals.ts'
import type { Column } from '../terminal/table.ts'
import type { CountroomCommand } from './command.ts'
import type { CommandEntry } from './manifest.ts'

/** Values of parsed flags or arguments, by name. */
export type Values = Record<string, unknown>

/** Splits a comma-separated list of names. */
export const listNames = (text: string | undefined): string[] | undefined => text?.split(',').map((name) => name.trim())

/** After a signal the run counts as stopped, unless its problem says more, such as an unknown outcome of money. */
export function stopProblem(thrown: Problem | undefined): Problem | undefined {
  const signal = stoppedBy()
  if (signal === undefined || isProblem(thrown, 'MONEY_UNKNOWN')) return undefined
  return new Problem('INTERRUPTED', `Stopped by ${signal}`, { signal }, { cause: thrown })
}

/** Returns from when a run is recorded in the audit trail. A preview (`--dry-run`, `--no-keep`, or no `--apply`) never is. */
export function auditedFrom(command: typeof CountroomCommand, given: Readonly<Values>): AuditedFrom {
  // A command without flags of its own has none, against oclif's type.
  const { audits = command.writes, flags = {} } = command
  const isApplied = given['apply'] === true || !Object.hasOwn(flags, 'apply')
  const isPreview = given['dry-run'] === true || given['keep'] === false || !isApplied
  if (isPreview || audits === false) return 'never'
  return audits === 'changes' ? 'first-change' : 'first-service'
}

/** Builds the manifest entry of a command from its class, for the usage line. */
export function entryOf(command: typeof CountroomCommand, id: string): CommandEntry {
  const named = (parts: Readonly<Record<string, object>> | undefined) =>
    Object.fromEntries(Object.entries(parts ?? {}).map(([name, part]) => [name, { ...part, name }]))
  return {
    id,
    args: named(command.args),
    flags: { ...named(command.baseFlags), ...named(command.flags) },
  } as CommandEntry
}

/**
 * Returns a command class as parser input. The statics are copied by name, because spreading a class loses inherited ones.
 * `ignoreStdin` is set: oclif would fill a missing positional from stdin and consume the rest of a shell loop's input.
 */
export function inputOf<F extends Values, B extends Values, A extends Values>(input: Input<F, B, A>): Input<F, B, A> {
  const { flags, baseFlags, strict, constraints } = input
  const args = Object.entries(input.args ?? {}).map(([name, arg]) => [name, { ...(arg as object), ignoreStdin: true }])
  return { flags, baseFlags, strict, constraints, args: Object.fromEntries(args) } as Input<F, B, A>
}

/** Returns the flags that are named like settings, so that `--db` overrides COUNTROOM_DB in every command. */
export function settingsAmong(flags: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = flags[flagOf(name)]
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
    }),
  )
}

/** Returns the columns of `--columns`, or throws INVALID_USAGE for an unknown column. */
export function checkedNames(text: string, columns: readonly Column[]): string[] {
  const names = listNames(text) ?? []
  const keys = columns.map(({ key }) => key)
  const unknown = names.find((name) => !keys.includes(name))
  if (unknown === undefined) return names
  throw new Problem('INVALID_USAGE', `Unknown column "${unknown}"; available columns: ${keys.join(', ')}`, {
    columns: keys,
  })
}
