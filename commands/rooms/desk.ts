import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { macrosHelp, textFlags } from '../../src/cli/topics/chat/text-flags.ts'
import { bookFiles, bookRunFlags } from '../../src/cli/topics/tickets/bulk/flags.ts'

export default class RoomsDesk extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Answer customers in a full-screen view of queue, conversation and reply'
  static override description = [
    'Made for a terminal of at least 80 columns and 24 rows; below 64 columns, the queue and the conversation are shown in turn. The queue is live, longest waiting first. Single keys open a room, take it (also from another agent), snooze, close or mark it unread, insert a macro, and send or save a file. ? lists the keys; q or Ctrl-C ends.',
    'You can cancel a reply for 5 seconds. Each reply has its own ID, so it is delivered once, after any failure of the connection or this program. It is not sent if another message arrives in the meantime. Unsent texts and snoozed rooms are kept in the book.',
  ].join('\n\n')
  static override examples = [
    'countroom rooms desk',
    { command: 'countroom rooms desk --files ~/Downloads', description: 'Save files of customers in a folder' },
    { command: 'countroom rooms desk --dry-run', description: 'Watch only; send and change nothing' },
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'locked', 'stopped'] as const
  static override writes = true
  static override files = [...bookFiles, macrosHelp, '--files: files of customers, never over an existing one']
  static override completes = { macros: 'files', book: 'files', files: 'files' }
  static override flags = {
    files: Flags.string({ summary: 'Folder for files of customers (default: this folder)', helpValue: 'DIR' }),
    macros: textFlags.macros,
    book: bookRunFlags.book,
    wait: bookRunFlags.wait,
    ...dryRunFlag,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      sent: Type.Integer({ description: 'Messages and files that arrived.' }),
      rooms: Type.Integer({ description: 'Rooms that they went to.' }),
      unsent: Type.Array(Type.Object({ roomId: Type.String(), customer: Type.String() })),
    })

  override async run() {
    const { flags } = await this.parse(RoomsDesk)
    const { runWorkspace } = await import('../../src/cli/topics/rooms/workspace/run-workspace.ts')
    return runWorkspace(this, flags)
  }
}
