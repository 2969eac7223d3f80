import { ChatCommand } from '../../src/cli/chat-command.ts'
import { Flags, listFlags } from '../../src/cli/flags.ts'
import { ticketColumns, ticketFields, ticketRow } from '../../src/cli/ticket-view.ts'

export default class TicketsList extends ChatCommand {
  static override summary = 'List tickets, the latest changed first'
  static override description =
    'Asks with the filters the ticket API has. What an instance does not tell of a ticket is null. Nothing is cut silently: how many there are is said below the table.'
  static override examples = [
    'countroom tickets list',
    { command: 'countroom tickets list --status open --form general --all', description: 'Every one of them' },
    { command: 'countroom tickets list --keyword refund --csv', description: 'For a spreadsheet' },
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
    const { listTickets, allTickets } = await import('../../src/jobs/tickets/listing.ts')
    const limit = flags.all ? 1_000_000 : flags.limit
    const { tickets, total } = flags.all
      ? await allTickets(desk, [query]).then((all) => ({ tickets: all, total: all.length }))
      : await listTickets(desk, query, limit)
    if (tickets.length === 0 && (flags.status !== undefined || flags.form !== undefined))
      await this.#checkCodes(flags.status, flags.form)
    const rows = tickets.map(ticketRow)
    const more = [
      'ticketId',
      'formCode',
      'description',
      'assignee.displayName',
      'customerLanguage',
      'version',
      'createdAt',
    ]
    const isForPrograms = flags.csv || flags.columns !== undefined
    this.table(rows, isForPrograms ? [...ticketColumns, ...more] : ticketColumns, 'No tickets.')
    if (rows.length > 0) this.footnote(total === null ? `${rows.length} tickets` : `${rows.length} of ${total}`)
    return { tickets: rows, total }
  }

  /** An empty list may be a slip of the hand: a status nothing can have, or a form there is not, is told as one. */
  async #checkCodes(status: string | undefined, formCode: string | undefined): Promise<void> {
    const [{ knownStatuses }, { checkedStatus }] = await Promise.all([
      import('../../src/cli/ticket-filter.ts'),
      import('../../src/cli/chat-command.ts'),
    ])
    const known = await knownStatuses(await this.desk(), { formCode })
    if (known) for (const each of status?.split(',') ?? []) checkedStatus(each.trim(), known.codes)
  }
}
