import type { Input } from '@oclif/core/interfaces'
import { isProblem, Problem } from '../../kit/problem.ts'
import { flagOf, settingNames } from '../../world/config/config.ts'
import { stoppedBy } from '../outcome/signals.ts'
import type { Column } from '../terminal/table.ts'
import type { CountroomCommand } from './command.ts'
import type { CommandEntry } from './manifest.ts'

/** Values of parsed flags or arguments, by name. */
export type Values = Record<string, unknown>

/** Splits a list of names at its commas. */
export const listNames = (said: string | undefined): string[] | undefined => said?.split(',').map((name) => name.trim())

/** After a signal the run counts as stopped, unless what it ended in says more: money whose outcome is unknown, for one. */
export function stopProblem(thrown: Problem | undefined): Problem | undefined {
  const signal = stoppedBy()
  if (signal === undefined || isProblem(thrown, 'MONEY_UNKNOWN')) return undefined
  return new Problem('INTERRUPTED', `Stopped by ${signal}`, { signal }, { cause: thrown })
}

/** What a command says of itself, for its usage line, without the manifest. */
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
 * A command class as the parser's input: its statics by name, since spreading a class loses those it inherits. The
 * framework would fill a positional that is not given from stdin, and eat the rest of a shell loop's input: never here.
 */
export function inputOf<F extends Values, B extends Values, A extends Values>(input: Input<F, B, A>): Input<F, B, A> {
  const { flags, baseFlags, strict, constraints } = input
  const args = Object.entries(input.args ?? {}).map(([name, arg]) => [name, { ...(arg as object), ignoreStdin: true }])
  return { flags, baseFlags, strict, constraints, args: Object.fromEntries(args) } as Input<F, B, A>
}

/** The flags that are settings by name, so that `--db` wins over COUNTROOM_DB without a command's doing. */
export function settingsAmong(flags: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = flags[flagOf(name)]
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
    }),
  )
}

/** Returns the columns of `--columns`, or INVALID_USAGE for a name that is no column. */
export function checkedNames(asked: string, columns: readonly Column[]): string[] {
  const names = listNames(asked) ?? []
  const keys = columns.map(({ key }) => key)
  const unknown = names.find((name) => !keys.includes(name))
  if (unknown === undefined) return names
  throw new Problem('INVALID_USAGE', `There is no column "${unknown}"; there are ${keys.join(', ')}`, { columns: keys })
}
