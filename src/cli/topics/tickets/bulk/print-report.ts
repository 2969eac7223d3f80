import { actionText, type TriageAction } from '../../../../domain/tickets/bulk-action.ts'
import { isProblem } from '../../../../kit/problem.ts'
import { countText } from '../../../../kit/text/count-text.ts'
import type { PublicText } from '../../../../operator/tickets/bulk/bulk-file.ts'
import type { BulkReport } from '../../../../operator/tickets/bulk/report.ts'
import type { CommandContext } from '../../../context/context.ts'
import { oneLine } from '../../../terminal/text.ts'
import { confirmPublic } from '../../chat/confirm-public.ts'
import type { BookServices } from './book-services.ts'

/** Maximum number of different texts shown before they are sent. */
const maxShown = 5

/** Confirms the public texts of a bulk action, each shown as it will arrive. They can be canceled together. */
export async function confirmTexts(
  context: CommandContext,
  texts: readonly PublicText[],
  isYes: boolean,
): Promise<void> {
  if (texts.length === 0) return
  const kinds = [...Map.groupBy(texts, ({ content, language }) => `${language ?? ''}\n${content}`).values()]
  const shown = kinds.slice(0, maxShown).map((group) => {
    const [first] = group
    const to = group.length === 1 ? (first?.to ?? '1 customer') : `${group.length} customers`
    return `To ${oneLine(to)} (${oneLine(first?.language ?? 'language unknown')}), as it will arrive:\n\n${first?.content}\n`
  })
  if (kinds.length > maxShown)
    shown.push(
      `… and ${countText(kinds.length - maxShown, 'more text')}. To see all, write the bulk action to a file with --out\n`,
    )
  const many = countText(texts.length, 'customer')
  await confirmPublic(context, shown.join('\n'), `Send this to ${many}`, isYes)
}

/** Returns the names of assignees. For display only, so an instance without an agent list is not an error. */
export async function agentNames(
  services: BookServices,
  actions: readonly TriageAction[],
): Promise<ReadonlyMap<string, string>> {
  if (services.context.screen.isJson || !actions.some(({ kind }) => kind === 'assign')) return new Map()
  const agents = await (await services.tickets()).agents().catch((error: unknown) => {
    if (isProblem(error)) return undefined
    throw error
  })
  return new Map(agents?.map(({ agentId, displayName }) => [agentId, displayName]))
}

/** Prints the report of a bulk action for people. */
export async function printReport(services: BookServices, report: BulkReport): Promise<void> {
  const { context } = services
  const names = await agentNames(
    services,
    report.items.flatMap(({ actions }) => actions),
  )
  const rows = report.items.map((item) => ({
    ...item,
    no: item.ticketNumber === null ? item.ticketId : `#${item.ticketNumber}`,
    change: (item.actions as TriageAction[]).map((action) => actionText(action, item.status, names)).join('; '),
  }))
  context.table(
    rows,
    [
      { key: 'no', whole: true },
      ...(rows.some(({ title }) => title !== null) ? [{ key: 'title' }] : []),
      { key: 'change' },
      ...(report.applied
        ? [
            {
              key: 'outcome',
              tint: (outcome: unknown) =>
                outcome === 'applied' ? ('green' as const) : outcome === 'no-op' ? ('dim' as const) : ('red' as const),
            },
            { key: 'message', title: 'why' },
          ]
        : []),
    ],
    report.leftOut.length > 0 ? 'All named tickets were skipped.' : 'No tickets match.',
  )
}
