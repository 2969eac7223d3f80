import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, dryRunFlag, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { macrosHelp, textFlags } from '../../src/cli/topics/chat/text-flags.ts'
import { auditText, bookExits, bookFiles, bookRunFlags } from '../../src/cli/topics/tickets/bulk/flags.ts'
import { filterFlags, filterHelp } from '../../src/cli/topics/tickets/filter-flags.ts'
import { ticketFields } from '../../src/cli/topics/tickets/view.ts'

export default class TicketsTriage extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Work through the ticket queue, most urgent first'
  static override description =
    `On a terminal, shows one ticket at a time with the reasons for its score; one key acts on it: status, note, reply, macro, priority, assignee, snooze, duplicate, room, full text, skip or undo. After a quit or a crash, the next run resumes at the same ticket; --new starts a new session. Without a terminal, and with --list or --json, lists the queue only.\n\nAmounts of different currencies are not compared: --sort stake groups the tickets by currency, the currency with the most tickets first, and sorts each group by amount, largest first. Tickets without an amount are last.\n\n${filterHelp}`
  static override examples = [
    'countroom tickets triage',
    { command: 'countroom tickets triage --list --explain', description: 'List the queue with the scores' },
    {
      command: 'countroom tickets triage --needs-reply --stale 24h',
      description: 'Work through tickets that wait for a reply',
    },
    {
      command: 'countroom tickets triage --sort stake --limit 50',
      description: 'Start with the largest open amounts of each currency',
    },
  ]
  static override exits = bookExits
  static override writes = true
  static override audits = 'changes' as const
  static override files = [...bookFiles, macrosHelp]
  static override completes = { macros: 'files', book: 'files', status: 'statuses' }
  static override flags = {
    status: Flags.string({
      summary: 'Tickets in this status only (default: all that are not done)',
      helpValue: 'CODE',
    }),
    form: Flags.string({ summary: 'Tickets of this form only', helpValue: 'CODE' }),
    filter: Flags.string({
      summary: 'Filter terms; tickets must match all of them',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'TERMS',
    }),
    ...filterFlags,
    list: Flags.boolean({ summary: 'List the queue only' }),
    explain: Flags.boolean({ summary: 'Show the points of each reason' }),
    sort: Flags.string({
      summary: 'Order: urgency, or the open amount at stake: by currency, largest first within each',
      options: ['urgency', 'stake'],
      default: 'urgency',
    }),
    limit: Flags.integer({
      summary: 'Maximum number of tickets (default: all; 100 in a table)',
      min: 1,
      max: 100_000,
      helpValue: 'N',
    }),
    new: Flags.boolean({ summary: 'Start a new session instead of resuming' }),
    resume: Flags.boolean({ summary: 'Resume the last session, or fail', exclusive: ['new'] }),
    macros: textFlags.macros,
    ...bookRunFlags,
    ...dryRunFlag,
    ...listFlags,
  }
  static override list = 'queue'
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const reason = Type.Object({ kind: Type.String(), points: Type.Integer(), text: Type.String() })
    const suspect = Type.Object({ ticketId: Type.String(), why: Type.String(), likeness: Type.Number() })
    const stake = Type.Object({
      amounts: Type.Array(Type.Object({ currency: Type.Union([Type.String(), Type.Null()]), amount: Type.String() })),
      breaks: Type.Integer(),
      transfers: Type.Integer(),
      source: Type.Enum(['book', 'ticket']),
    })
    const item = Type.Object({
      ...ticketFields(shapes),
      score: Type.Integer(),
      reasons: Type.Array(reason),
      stake: Type.Union([stake, Type.Null()], {
        description:
          'Open amount of the customer: open breaks and transfers with an unknown outcome in the book, else the amount in the form. Null if nothing is known.',
      }),
      duplicateOf: Type.Array(suspect),
    })
    const count = Type.Integer()
    return Type.Object({
      statuses: Type.Array(Type.String(), { description: 'Statuses that were searched.' }),
      queue: Type.Array(item),
      session: Type.Union([
        Type.Object({
          sessionId: Type.String({ description: 'Session ID, for "tickets undo".' }),
          audit: Type.Union([Type.String(), Type.Null()], { description: auditText }),
          seen: count,
          decided: count,
          skipped: count,
          undone: count,
          left: count,
        }),
        Type.Null(),
      ]),
    })
  }

  override async run() {
    const { flags } = await this.parse(TicketsTriage)
    const { runTriage } = await import('../../src/cli/topics/tickets/triage/run-triage.ts')
    return runTriage(this, flags)
  }
}
