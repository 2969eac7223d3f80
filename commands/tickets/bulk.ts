import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, dangerFlags, Flags } from '../../src/cli/framework/flags.ts'
import { macrosHelp, textFlags } from '../../src/cli/topics/chat/text-flags.ts'
import { bookExits, bookFiles, bookRunFlags, bulkResult } from '../../src/cli/topics/tickets/bulk/flags.ts'
import { filterHelp } from '../../src/cli/topics/tickets/filter-flags.ts'

export default class TicketsBulk extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Preview a bulk action on tickets; --apply carries it out'
  static override description =
    `Lists the matching tickets, most urgent first, and the changes. Changes nothing without --apply. The bulk action is recorded before it is sent: after an interruption, run the same command to continue; no comment is written twice. Tickets that changed in the meantime are skipped. With --out the bulk action is written to a file, for "countroom tickets apply".\n\n${filterHelp} id=- reads them from stdin.`
  static override examples = [
    {
      command: 'countroom tickets bulk --filter "status=open stale=72h" --status resolved',
      description: 'Preview the changes',
    },
    {
      command:
        'countroom tickets bulk --filter "status=open keyword=jackpot" --comment "Known: see the notice" --apply',
      description: 'Make the changes',
    },
    {
      command: 'countroom tickets bulk --filter needs-reply --priority high --out plan.json',
      description: 'Save the bulk action for later',
    },
  ]
  static override exits = bookExits
  static override writes = true
  static override files = [...bookFiles, macrosHelp]
  static override completes = { out: 'files', macros: 'files', book: 'files', status: 'statuses' }
  static override flags = {
    filter: Flags.string({
      summary: 'Filter terms; tickets must match all of them',
      required: true,
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'TERMS',
    }),
    status: Flags.string({ summary: 'New status', helpValue: 'CODE' }),
    comment: Flags.string({ summary: 'Comment to add: text, @MACRO, or - for stdin', helpValue: 'TEXT|-' }),
    priority: Flags.string({ summary: 'New priority: low, normal, high or urgent', helpValue: 'PRIORITY' }),
    assign: Flags.string({ summary: 'New assignee: agent name or ID, "me" or "none"', helpValue: 'AGENT' }),
    snooze: Flags.string({ summary: 'Time to snooze the tickets', helpValue: 'DURATION' }),
    ...textFlags,
    apply: Flags.boolean({ summary: 'Make the changes', exclusive: ['out', 'dry-run'] }),
    new: Flags.boolean({ summary: 'Start a new bulk action instead of resuming an unfinished one' }),
    limit: Flags.integer({
      summary: 'Maximum number of tickets, most urgent first (default: all)',
      min: 1,
      max: 100_000,
      helpValue: 'N',
    }),
    out: Flags.string({ summary: 'File to write the bulk action to', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite an existing --out file' }),
    ...bookRunFlags,
    ...dangerFlags,
  }
  static override data = bulkResult

  override async run() {
    const { flags } = await this.parse(TicketsBulk)
    const { runBulk } = await import('../../src/cli/topics/tickets/bulk/run-bulk.ts')
    return runBulk(this, flags, this.argv)
  }
}
