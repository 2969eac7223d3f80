import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { movedText, ticketColumns, ticketFields, ticketRow } from '../../src/cli/topics/tickets/view.ts'
import type { RemoteTicket } from '../../src/operator/tickets/parse.ts'

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

export default class TicketsList extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'List tickets, most recently changed first'
  static override description =
    'Fields that an instance does not return are null. The number of matching tickets is shown below the table. With --all, every page is read, and tickets that change during the read are read again, so that none is missed.'
  static override examples = [
    'countroom tickets list',
    {
      command: 'countroom tickets list --status open --form general --all',
      description: 'List all open tickets of a form',
    },
    { command: 'countroom tickets list --keyword refund --csv --bom', description: 'Export for a spreadsheet' },
    {
      command: 'countroom tickets list --all --jsonl --columns ticketNumber,status,updatedAt',
      description: 'Stream tickets to a program',
    },
  ]
  static override exits = ['permission', 'temporary'] as const
  static override flags = {
    status: Flags.string({ summary: 'Tickets in this status only', helpValue: 'CODE' }),
    form: Flags.string({ summary: 'Tickets of this form only', helpValue: 'CODE' }),
    account: Flags.string({ summary: 'Tickets of this customer only', helpValue: 'NAME' }),
    keyword: Flags.string({ summary: 'Search term', helpValue: 'TEXT' }),
    limit: Flags.integer({ summary: 'Maximum number of results', default: 20, min: 1, max: 100_000, helpValue: 'N' }),
    all: Flags.boolean({ summary: 'List all results', exclusive: ['limit'] }),
    ...listFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      tickets: Type.Array(Type.Object(ticketFields(shapes))),
      total: Type.Union([Type.Integer(), Type.Null()], { description: 'Null if the instance does not report it.' }),
    })
  }

  override async run() {
    const { flags } = await this.parse(TicketsList)
    const ticketsApi = await this.services.tickets()
    const query = {
      status: flags.status,
      formCode: flags.form,
      customerAccount: flags.account,
      keyword: flags.keyword,
    }
    // With several statuses one can be invalid although the list has results.
    const isSeveral = flags.status?.includes(',') === true
    if (isSeveral) await this.#checkCodes(flags)
    const { listTickets, allTickets } = await import('../../src/operator/tickets/list.ts')
    const take = (fresh: readonly RemoteTicket[]) => this.rows(fresh.map(ticketRow))
    const { tickets, total } = flags.all
      ? await allTickets(ticketsApi, [query], { take }).then(({ tickets: all, isWhole }) => {
          if (!isWhole) this.warn(movedText)
          return { tickets: all, total: all.length }
        })
      : await listTickets(ticketsApi, query, flags.limit, take)
    // An empty list can mean an invalid status; one with results cannot.
    if (tickets.length === 0 && !isSeveral) await this.#checkCodes(flags)
    const rows = tickets.map(ticketRow)
    const columns = flags.columns !== undefined ? [...ticketColumns, ...more, ...rest] : ticketColumns
    this.table(
      rows,
      flags.csv ? [...ticketColumns, ...more, ...(flags.columns === undefined ? [] : rest)] : columns,
      'No tickets match.',
    )
    if (rows.length > 0)
      this.footnote(
        total === null
          ? `Showing ${rows.length} ${rows.length === 1 ? 'ticket' : 'tickets'}`
          : `Showing ${rows.length} of ${total} ${total === 1 ? 'ticket' : 'tickets'}`,
      )
    return { tickets: rows, total }
  }

  async #checkCodes(flags: { status?: string | undefined; form?: string | undefined }): Promise<void> {
    const { checkCodes } = await import('../../src/cli/topics/tickets/filter.ts')
    await checkCodes(await this.services.tickets(), flags)
  }
}
