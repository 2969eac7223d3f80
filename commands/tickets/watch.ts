import { Flags } from '../../src/cli/framework/flags.ts'
import { ticketFlag } from '../../src/cli/topics/chat/ids.ts'
import { type ChatEvent, ChatWatchCommand, field, watchFlags } from '../../src/cli/topics/rooms/watch-command.ts'

export default class TicketsWatch extends ChatWatchCommand {
  static override summary = 'Follow new and changed tickets'
  static override description =
    'Prints one line per change; with --json, one JSON object per line and a summary as the last line. With --cursor FILE, the next run continues where this one ended, without gaps or duplicates. An event has the ticket and its status; for more, use "countroom tickets show". Ends on a signal, or after --count events.'
  static override examples = [
    'countroom tickets watch --count 1',
    {
      command: 'countroom tickets watch --json --cursor watch.cursor --status resolved',
      description: 'Process resolved tickets in a script',
    },
  ]
  static override flags = {
    ticket: ticketFlag('Events of this ticket only: number or ID'),
    status: Flags.string({ summary: 'Events with this new status only', helpValue: 'CODE' }),
    ...watchFlags,
  }

  override async run() {
    const { flags } = await this.parse(TicketsWatch)
    const { ticket } = flags
    const isMeant = ({ event, data }: ChatEvent) => {
      if (event !== 'ticket.updated') return false
      if (flags.status !== undefined && field(data, 'status') !== flags.status) return false
      return ticket === undefined || [field(data, 'ticketId'), String(field(data, 'ticketNumber'))].includes(ticket)
    }
    return this.follow(flags, isMeant, async () => {
      if (flags.status === undefined) return
      const { checkCodes } = await import('../../src/cli/topics/tickets/filter.ts')
      await checkCodes(await this.services.tickets(), { status: flags.status })
    })
  }
}
