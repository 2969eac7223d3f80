import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, Flags } from '../../src/cli/framework/flags.ts'
import { ticketFlag } from '../../src/cli/topics/chat/ids.ts'
import {
  watchCompletes,
  watchExits,
  watchFiles,
  watchFlags,
  watchResult,
} from '../../src/cli/topics/rooms/watch-flags.ts'

export default class TicketsWatch extends CountroomCommand {
  static override baseFlags = chatFlags
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
  static override exits = watchExits
  static override streams = true
  static override completes = { ...watchCompletes, status: 'statuses' }
  static override files = watchFiles
  static override flags = {
    ticket: ticketFlag('Events of this ticket only: number or ID'),
    status: Flags.string({ summary: 'Events with this new status only', helpValue: 'CODE' }),
    ...watchFlags,
  }
  static override data = watchResult

  override async run() {
    const { flags } = await this.parse(TicketsWatch)
    const { followTickets } = await import('../../src/cli/topics/rooms/follow-events.ts')
    return followTickets(this, flags)
  }
}
