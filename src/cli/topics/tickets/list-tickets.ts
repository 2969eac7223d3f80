import { countText, partText } from '../../../kit/text/count-text.ts'
import { allTickets, listTickets } from '../../../operator/tickets/list.ts'
import type { RemoteTicket } from '../../../operator/tickets/parse.ts'
import { checkCodes } from '../../../operator/tickets/statuses.ts'
import type { CommandContext } from '../../context/context.ts'
import { rememberNames } from '../../framework/completion.ts'
import { asColumn, droppedText, pagedTable } from '../../terminal/table.ts'
import { movedText, ticketColumns, ticketRow } from './view.ts'

interface ListFlags {
  readonly status?: string | undefined
  readonly form?: string | undefined
  readonly account?: string | undefined
  readonly keyword?: string | undefined
  readonly limit: number
  readonly all?: boolean
  readonly csv?: boolean
  readonly columns?: string | undefined
}

/** Additional columns of the CSV, also available with --columns. */
const more = ['ticketId', 'formCode', 'description', 'assignee.displayName', 'customerLanguage', 'version', 'createdAt']
const rest = [
  'statusCategory',
  'allowedTransitions',
  'customerDisplayName',
  'roomId',
  'assignee.agentId',
  'fieldValues',
  'commentCount',
  'lastPublicAuthorType',
  'snoozedUntil',
  'reopenCount',
  'firstResponseAt',
]

/** Stores numbers and statuses of a remote instance for completion, which makes no request. A local world is read instead. */
function rememberTickets(context: CommandContext, tickets: readonly RemoteTicket[]): void {
  const { name, profile } = context.profile
  if (profile.kind === 'local' || tickets.length === 0) return
  const { paths } = context.settings
  const names = tickets.map(({ ticketNumber, ticketId }) => (ticketNumber > 0 ? String(ticketNumber) : ticketId))
  const statuses = tickets.flatMap(({ status, allowedTransitions }) => [status, ...(allowedTransitions ?? [])])
  rememberNames(paths, 'tickets', names, name)
  rememberNames(paths, 'statuses', [...new Set(statuses)], name)
}

/** Returns the format of the pages of a list for people. */
function pageFormat(context: CommandContext): (rows: readonly object[]) => string {
  const { tableWidth, paintOut: paint } = context.screen
  const onDropped = (keys: readonly string[]) => context.footnote(droppedText(keys, true))
  const options = { width: tableWidth(), paint, hasHeader: true, onDropped }
  return pagedTable(ticketColumns.map(asColumn), options)
}

/** Lists the tickets that match the flags. */
export async function listMatching(context: CommandContext, flags: ListFlags) {
  const ticketsApi = await context.services.tickets()
  const query = {
    status: flags.status,
    formCode: flags.form,
    customerAccount: flags.account,
    keyword: flags.keyword,
  }
  // With several statuses one can be invalid although the list has results.
  const isSeveral = flags.status?.includes(',') === true
  if (isSeveral) await checkCodes(ticketsApi, flags)
  // Several pages take a moment: people get each as it arrives, as with --jsonl. Programs get all or nothing.
  const isLong = flags.all || flags.limit > 100
  const { screen } = context
  const isPaged = isLong && !screen.isJson && !screen.isLines && !context.wantsTable
  const progress = isLong && !isPaged && !screen.isLines ? context.progress('Reading tickets') : undefined
  const page = isPaged ? pageFormat(context) : undefined
  let read = 0
  const take = async (fresh: readonly RemoteTicket[]) => {
    read += fresh.length
    progress?.update(read)
    if (!page) return context.rows(fresh.map(ticketRow))
    return (await screen.out(page(fresh.map(ticketRow)))) && !context.stop.aborted
  }
  const { tickets, total } = await (flags.all
    ? allTickets(ticketsApi, [query], { take }).then(({ tickets: all, isWhole }) => {
        if (!isWhole) context.warn(movedText)
        return { tickets: all, total: all.length }
      })
    : listTickets(ticketsApi, query, flags.limit, take)
  ).finally(() => progress?.stop())
  // An empty list can mean an invalid status; one with results cannot.
  if (tickets.length === 0 && !isSeveral) await checkCodes(ticketsApi, flags)
  rememberTickets(context, tickets)
  const rows = tickets.map(ticketRow)
  const columns = flags.columns !== undefined ? [...ticketColumns, ...more, ...rest] : ticketColumns
  const isPrinted = isPaged && rows.length > 0
  if (!isPrinted)
    context.table(
      rows,
      flags.csv ? [...ticketColumns, ...more, ...(flags.columns === undefined ? [] : rest)] : columns,
      'No tickets match.',
    )
  if (rows.length > 0)
    context.footnote(
      total === null
        ? `Showing ${countText(rows.length, 'ticket')}`
        : `Showing ${partText(rows.length, total, 'ticket')}`,
    )
  return { tickets: rows, total }
}
