import { entryFields } from '../../../domain/audit/chain.ts'
import { durationMs } from '../../../kit/duration.ts'
import { listEntries } from '../../../operator/audit/audit.ts'
import { momentFrom } from '../../arguments/moments.ts'
import { parameterFault, refuseFaults } from '../../arguments/validate.ts'
import type { CommandContext } from '../../context/context.ts'
import type { Column } from '../../terminal/table.ts'

interface ListFlags {
  readonly operator?: string | undefined
  readonly command?: string | undefined
  readonly since?: string | undefined
  readonly limit: number
  readonly csv?: boolean
  readonly columns?: string | undefined
}

/** Prints the latest entries of the audit trail. */
export async function listAudit(context: CommandContext, flags: ListFlags) {
  const { operator, command } = flags
  refuseFaults([
    parameterFault(
      'command',
      command !== undefined && !/^[a-z][a-z -]{0,60}$/.test(command),
      '--command must be a command or a topic, such as "wallet deposit" or wallet',
    ),
  ])
  const since = flags.since === undefined ? undefined : sinceOf(flags.since)
  const book = await context.services.bookIfThere()
  const found = book ? await listEntries(book, { operator, command, since }, flags.limit + 1) : []
  const { rows, more } = context.upTo(flags.limit, found)
  context.table(rows, columnsFor(flags.csv === true || flags.columns !== undefined), 'The audit trail has no entries.')
  return { entries: rows, more }
}

/** Returns the moment of `--since`: a time, or a duration before now. */
function sinceOf(text: string): number {
  const ms = durationMs(text)
  return ms === undefined ? momentFrom(text, 'a duration such as 24h, or ') : Date.now() - ms
}

function columnsFor(isForPrograms: boolean): Column[] {
  if (isForPrograms) return entryColumns
  return [
    { key: 'seq', kind: 'count' },
    { key: 'at', title: 'at (UTC)', whole: true, show: (at) => String(at).slice(0, 16).replace('T', ' ') },
    { key: 'operator' },
    { key: 'command', keep: true },
    { key: 'subject' },
    {
      key: 'outcome',
      // Without it, the two entries of a run look the same.
      keep: true,
      tint: (outcome) => (outcome === 'ok' ? 'green' : outcome === 'started' ? 'dim' : 'red'),
    },
  ]
}

/** All fields of an entry. */
export const entryColumns: Column[] = entryFields.map((key) => ({ key }))
