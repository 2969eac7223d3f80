import { Flags, listFlags } from '../../src/cli/framework/flags.ts'
import { ChatCommand } from '../../src/cli/topics/chat/command.ts'
import { movedText, ticketColumns, ticketFields, ticketRow } from '../../src/cli/topics/tickets/view.ts'
import type { DeskTicket } from '../../src/operator/tickets/parse.ts'

/** What a spreadsheet gets beside the columns of the table, and what else can be asked for by name. */
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

export default class TicketsList extends ChatCommand {
  static override summary = 'List tickets, the latest changed first'
  static override description =
    'Asks with the filters the ticket API has. What an instance does not tell of a ticket is null. Nothing is cut silently: how many there are is said below the table. With --all the pages are followed to the end, and where the desk is worked on meanwhile what changed is asked for too, so that none slips through between two pages.'
  static override examples = [
    'countroom tickets list',
    { command: 'countroom tickets list --status open --form general --all', description: 'Every one of them' },
    { command: 'countroom tickets list --keyword refund --csv --bom', description: 'For a spreadsheet' },
    {
      command: 'countroom tickets list --all --jsonl --fields ticketNumber,status,updatedAt',
      description: 'For a program: a line as soon as it is known',
    },
  ]
  static override exits = ['permission', 'temporary'] as const
  static override flags = {
    status: Flags.string({ summary: 'Only those in this status', helpValue: 'CODE' }),
    form: Flags.string({ summary: 'Only those of this form', helpValue: 'CODE' }),
    account: Flags.string({ summary: 'Only those of this customer', helpValue: 'NAME' }),
    keyword: Flags.string({ summary: 'Only those that have these words', helpValue: 'WORDS' }),
    limit: Flags.integer({ summary: 'At most so many', default: 20, min: 1, max: 100_000, helpValue: 'N' }),
    all: Flags.boolean({ summary: 'All there are', exclusive: ['limit'] }),
    ...listFlags,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      tickets: Type.Array(Type.Object(await ticketFields())),
      total: Type.Union([Type.Integer(), Type.Null()], { description: 'Null where the instance does not tell' }),
    })
  }

  override async run() {
    const { flags } = await this.parse(TicketsList)
    const desk = await this.desk()
    const query = {
      status: flags.status,
      formCode: flags.form,
      customerAccount: flags.account,
      keyword: flags.keyword,
    }
    // Of several statuses one may be wrong and the list still have something in it.
    const isSeveral = flags.status?.includes(',') === true
    if (isSeveral) await this.#checkCodes(flags)
    const { listTickets, allTickets } = await import('../../src/operator/tickets/list.ts')
    const take = (fresh: readonly DeskTicket[]) => this.rows(fresh.map(ticketRow))
    const { tickets, total } = flags.all
      ? await allTickets(desk, [query], { take }).then(({ tickets: all, isWhole }) => {
          if (!isWhole) this.warn(movedText)
          return { tickets: all, total: all.length }
        })
      : await listTickets(desk, query, flags.limit, take)
    // A list with something in it was asked for rightly; an empty one may be a slip of the hand.
    if (tickets.length === 0 && !isSeveral) await this.#checkCodes(flags)
    const rows = tickets.map(ticketRow)
    const columns = flags.columns !== undefined ? [...ticketColumns, ...more, ...rest] : ticketColumns
    this.table(
      rows,
      flags.csv ? [...ticketColumns, ...more, ...(flags.columns === undefined ? [] : rest)] : columns,
      'No tickets.',
    )
    if (rows.length > 0) this.footnote(total === null ? `${rows.length} tickets` : `${rows.length} of ${total}`)
    return { tickets: rows, total }
  }

  async #checkCodes(flags: { status?: string | undefined; form?: string | undefined }): Promise<void> {
    const { checkCodes } = await import('../../src/cli/topics/tickets/filter.ts')
    await checkCodes(await this.desk(), flags)
  }
}
