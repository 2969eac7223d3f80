import { Problem } from '../../../../kit/problem.ts'
import { agentFrom } from '../../../../operator/tickets/agent-name.ts'
import type { BulkChange } from '../../../../operator/tickets/bulk/plan-items.ts'
import { noAgent } from '../../../../operator/tickets/no-agent.ts'
import type { Phrases } from '../../../../operator/tickets/text/phrases.ts'
import { durationMs } from '../../../arguments/moments.ts'
import { readInput } from '../../../terminal/read-input.ts'
import { checkedIds } from '../../chat/ids.ts'
import { readTextArgument } from '../../chat/outgoing-text.ts'
import { priorityFrom } from '../../chat/priority.ts'
import type { BookServices } from './book-services.ts'

/** Flags of the changes of a bulk action. */
export interface ChangeFlags {
  readonly status?: string | undefined
  readonly comment?: string | undefined
  readonly public?: boolean
  readonly priority?: string | undefined
  readonly assign?: string | undefined
  readonly snooze?: string | undefined
}

/** Rejects an empty filter: it is usually an unset variable of a script, and would select every ticket that is not done. */
export function refuseEmptyFilter(lines: readonly string[]): void {
  if (lines.some((line) => line.trim() === ''))
    throw new Problem(
      'INVALID_USAGE',
      '--filter is empty. To select all tickets of some statuses, pass --filter status=CODE,CODE',
    )
}

/** Returns the terms of the filter. `id=-` reads ids or numbers from stdin. */
export async function termsWithIds(lines: readonly string[]): Promise<string[]> {
  const fromStdin = /(^|\s)id=-(?=\s|$)/
  if (!lines.some((line) => fromStdin.test(line))) return [...lines]
  const ids = (await readInput('-')).split(/[\s,]+/).filter((id) => id !== '')
  if (ids.length === 0) throw new Problem('INVALID_USAGE', 'The filter has id=-, but stdin has no ticket IDs')
  // Validated first: a blank inside an id would start another term.
  return lines.map((line) => line.replace(fromStdin, `$1id=${checkedIds(ids, 'ticket').join(',')}`))
}

/** Returns the changes that the flags ask for. */
export async function changeFrom(services: BookServices, flags: ChangeFlags, phrases: Phrases): Promise<BulkChange> {
  if ([flags.status, flags.comment, flags.priority, flags.assign, flags.snooze].every((each) => each === undefined))
    throw new Problem('INVALID_USAGE', 'Nothing to do: pass --status, --comment, --priority, --assign or --snooze')
  const priority = flags.priority === undefined ? undefined : priorityFrom(flags.priority)
  const comment = flags.comment === undefined ? undefined : await readTextArgument(flags.comment, phrases)
  const sleepMs = flags.snooze === undefined ? undefined : durationMs(flags.snooze)
  if (flags.snooze !== undefined && sleepMs === undefined)
    throw new Problem('INVALID_USAGE', `--snooze must be a duration such as 24h; received ${flags.snooze}`)
  const needsAgent = flags.priority !== undefined || flags.assign !== undefined || flags.snooze !== undefined
  const ticketsApi = await services.tickets()
  if (needsAgent && !ticketsApi.canChange)
    throw noAgent((await services.context.services.chat()).access, '--priority, --assign and --snooze need')
  const assigned = flags.assign === undefined ? undefined : await agentFrom(flags.assign, ticketsApi)
  const { now } = await services.context.services.chat()
  return {
    status: flags.status,
    comment,
    macroFile: phrases.file,
    visibility: flags.public ? 'public' : 'internal',
    priority,
    assigneeId: assigned === undefined ? undefined : (assigned?.agentId ?? null),
    until: sleepMs === undefined ? undefined : (await now()) + sleepMs,
  }
}

/** Returns the text that identifies a bulk action: the same text on the same target resumes an unfinished one. */
export function orderText(terms: readonly string[], flags: ChangeFlags): string {
  return JSON.stringify({
    filter: terms,
    status: flags.status,
    comment: flags.comment,
    public: flags.public,
    priority: flags.priority,
    assign: flags.assign,
    snooze: flags.snooze,
  })
}
