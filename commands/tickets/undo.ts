import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { auditText, bookExits, bookFiles, bookRunFlags } from '../../src/cli/topics/tickets/bulk/flags.ts'

export default class TicketsUndo extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Preview the undo of a bulk action or triage session; --apply carries it out'
  static override description =
    'Restores status, priority, assignee and snooze, if they are unchanged since the session and the workflow allows it. Changes that cannot be undone, such as comments and room messages, are listed with the reason. Without --session, lists the sessions. After an interruption, run the same command to continue; each change is made once.'
  static override examples = [
    { command: 'countroom tickets undo', description: 'List the sessions' },
    { command: 'countroom tickets undo --session 01J8Z3V5Q8T9X0Y1Z2A3B4C5D6', description: 'Preview the undo' },
    { command: 'countroom tickets undo --session 01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --apply', description: 'Undo the changes' },
  ]
  static override exits = bookExits
  static override writes = true
  static override files = bookFiles
  static override completes = { book: 'files' }
  static override flags = {
    session: Flags.string({ summary: 'Session ID, or planId of a bulk action', helpValue: 'ID' }),
    apply: Flags.boolean({ summary: 'Undo the changes', exclusive: ['dry-run'], dependsOn: ['session'] }),
    ...bookRunFlags,
    ...dryRunFlag,
  }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    const count = Type.Integer()
    const session = Type.Object({
      sessionId: Type.String(),
      kind: Type.Enum(['bulk', 'triage']),
      madeAt: Type.String(),
      tickets: count,
      done: Type.Integer({ description: 'Number of its changes and comments still in effect.' }),
    })
    const item = Type.Object({
      ticketId: Type.String(),
      ticketNumber: Type.Union([Type.Integer(), Type.Null()]),
      status: text,
      actions: Type.Array(Type.Unknown(), { description: 'Actions that restore the previous values.' }),
      stays: Type.Array(Type.Object({ action: Type.Unknown(), why: Type.String() })),
      outcome: Type.Enum([
        'planned',
        'applied',
        'no-op',
        'conflict',
        'rejected',
        'failed',
        'unknown',
        'not-begun',
        'stays',
      ]),
      message: text,
    })
    const answer = Type.Object({
      ticketId: Type.String(),
      ticketNumber: Type.Union([Type.Integer(), Type.Null()]),
      at: Type.String(),
      roomId: Type.String(),
      content: Type.String(),
    })
    return Type.Object({
      sessions: Type.Array(session, { description: 'Without --session: sessions that can be undone, newest first.' }),
      sessionId: text,
      applied: Type.Boolean({ description: 'True if anything was written; false for a preview.' }),
      audit: Type.Union([Type.String(), Type.Null()], { description: auditText }),
      items: Type.Array(item),
      roomAnswers: Type.Array(answer, { description: 'Room messages, which cannot be undone.' }),
    })
  }

  override async run() {
    const { flags } = await this.parse(TicketsUndo)
    const { undoSession } = await import('../../src/cli/topics/tickets/bulk/undo-session.ts')
    return undoSession(this, flags)
  }
}
