import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { ticketArg } from '../../src/cli/topics/chat/ids.ts'

export default class TicketsEvidence extends CountroomCommand {
  static override summary = 'Write the evidence about a ticket to a folder'
  static override description = [
    'Collects the ticket, the messages of its room, the player and balance at the platform, and the transfers, slips, rounds and payments around its time. Writes case.html for people, case.json with all of it, one file in calls/ for each request made and its response, and manifest.json with the SHA-256 of every file. Keys, tokens and other secrets are masked with ***.',
    'Transfers and slips come from the book; each transfer and round is looked up at the platform. A part that cannot be read is named in the case, and the exit code is 11.',
    'With --redact, for use outside the company: names and accounts of the customer and agents, email addresses, phone numbers, IP and wallet addresses are replaced, and internal comments are omitted. The ticket is then read once before, to know what to replace. Check the text of customers before you pass it on.',
  ].join('\n\n')
  static override examples = [
    'countroom tickets evidence 12 --out case-12',
    {
      command: 'countroom tickets evidence 12 --out case-12-outside --redact',
      description: 'Write a redacted copy for a partner or an authority',
    },
  ]
  static override exits = ['permission', 'not-found', 'conflict', 'temporary', 'inconclusive'] as const
  static override files = ['the book (COUNTROOM_BOOK): read only', 'the folder named with --out']
  static override completes = { out: 'files', book: 'files' }
  static override args = ticketArg
  static override flags = {
    out: Flags.string({ summary: 'Folder to write; it must not exist, or be empty', required: true, helpValue: 'DIR' }),
    redact: Flags.boolean({ summary: 'Replace personal data, for use outside the company' }),
    days: Flags.integer({
      summary: 'Days before the ticket and after its last change',
      default: 3,
      min: 0,
      max: 366,
      helpValue: 'N',
    }),
    ...bookFlag,
  }
  static override data = ({ Type, evidence }: Shapes) =>
    Type.Object({
      ticket: Type.String(),
      redacted: Type.Boolean(),
      missing: Type.Array(Type.String(), { description: 'Parts that could not be read, and lists that were cut.' }),
      ...evidence.EvidenceWrittenShown.properties,
    })

  override async run() {
    const { args, flags } = await this.parse(TicketsEvidence)
    const { writeTicketEvidence } = await import('../../src/cli/topics/tickets/write-ticket-evidence.ts')
    return writeTicketEvidence(this, args.ticket, flags)
  }
}
