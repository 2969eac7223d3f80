import { Flags } from '../../src/cli/framework/flags.ts'
import { ticketFlag } from '../../src/cli/topics/chat/ids.ts'
import { type DeskEvent, DeskWatchCommand, field, watchFlags } from '../../src/cli/topics/rooms/watch-command.ts'

export default class TicketsWatch extends DeskWatchCommand {
  static override summary = 'Follow the tickets as they are made and changed'
  static override description =
    'A line for each change; with --json one JSON object a line, and the usual object as the last. With --cursor FILE the next run begins where this one ended: every change is told once, also those that happened meanwhile. An event says which ticket it is and its status; "countroom tickets show" tells the rest. Ends on a signal, or after --count events.'
  static override examples = [
    'countroom tickets watch --count 1',
    {
      command: 'countroom tickets watch --json --cursor watch.cursor --status resolved',
      description: 'For a program that wants to hear of every one that was resolved',
    },
  ]
  static override flags = {
    ticket: ticketFlag('Only this one: its number or id'),
    status: Flags.string({ summary: 'Only when it is in this status then', helpValue: 'CODE' }),
    ...watchFlags,
  }

  override async run() {
    const { flags } = await this.parse(TicketsWatch)
    const { ticket } = flags
    const isMeant = ({ event, data }: DeskEvent) => {
      if (event !== 'ticket.updated') return false
      if (flags.status !== undefined && field(data, 'status') !== flags.status) return false
      return ticket === undefined || [field(data, 'ticketId'), String(field(data, 'ticketNumber'))].includes(ticket)
    }
    return this.follow(flags, isMeant, async () => {
      if (flags.status === undefined) return
      const { checkCodes } = await import('../../src/cli/topics/tickets/filter.ts')
      await checkCodes(await this.desk(), { status: flags.status })
    })
  }
}
