import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { ticketFields } from '../../src/cli/topics/tickets/view.ts'

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
  static override completes = { status: 'statuses' }
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
    const { listMatching } = await import('../../src/cli/topics/tickets/list-tickets.ts')
    return listMatching(this, flags)
  }
}
