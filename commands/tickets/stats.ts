import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class TicketsStats extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Count tickets by status and show the age of the oldest'
  static override description =
    'With --fail-if the command exits with 9 if a limit is exceeded, for cron jobs: oldest>48h, open>200, needs-reply>20, overdue>0. A ticket is overdue by its priority: urgent after 2 h, high 8 h, normal 24 h, low 72 h.'
  static override examples = [
    'countroom tickets stats',
    { command: 'countroom tickets stats --fail-if "oldest>48h" --quiet', description: 'Check limits from a cron job' },
  ]
  static override exits = ['permission', 'temporary', 'differences'] as const
  static override flags = {
    form: Flags.string({ summary: 'Tickets of this form only', helpValue: 'CODE' }),
    'fail-if': Flags.string({
      summary: 'Limit to check (repeatable)',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'MEASURE>LIMIT',
    }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      open: Type.Integer(),
      needsReply: Type.Integer(),
      overdue: Type.Integer(),
      unassigned: Type.Integer(),
      oldestMs: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Age of the oldest open ticket, in milliseconds.',
      }),
      oldestTicketId: Type.Union([Type.String(), Type.Null()]),
      byStatus: Type.Array(
        Type.Object({ status: Type.String(), count: Type.Union([Type.Integer(), Type.Null()]), done: Type.Boolean() }),
      ),
      failed: Type.Array(Type.String()),
    })

  override async run() {
    const { flags } = await this.parse(TicketsStats)
    const { showStats } = await import('../../src/cli/topics/tickets/show-stats.ts')
    return showStats(this, flags)
  }
}
