import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { ticketArg } from '../../src/cli/topics/chat/ids.ts'
import { priorityName, shortMoment, wholeTicketFields, wholeTicketRow } from '../../src/cli/topics/tickets/view.ts'
import { urgencyOf } from '../../src/domain/tickets/priority.ts'

const ticketColumns: readonly (string | Column)[] = [
  'ticketNumber',
  'ticketId',
  'title',
  'status',
  { key: 'allowedTransitions', title: 'next statuses' },
  'priority',
  { key: 'customerAccount', title: 'customer' },
  { key: 'customerDisplayName', title: 'name' },
  { key: 'customerLanguage', title: 'language' },
  { key: 'formCode', title: 'form' },
  'fields',
  'assignee',
  { key: 'roomId', title: 'room' },
  { key: 'createdAt', title: 'created', show: shortMoment },
  { key: 'updatedAt', title: 'updated', show: shortMoment },
  'version',
  'score',
  'description',
]

const commentColumns: readonly (string | Column)[] = [
  { key: 'createdAt', title: 'comments (UTC)', whole: true, show: shortMoment },
  { key: 'authorDisplayName', title: 'author' },
  { key: 'visibility', title: 'visibility', tint: (visibility) => (visibility === 'public' ? 'yellow' : undefined) },
  { key: 'content', title: 'text' },
]

const historyColumns: readonly (string | Column)[] = [
  { key: 'at', title: 'history (UTC)', whole: true, show: shortMoment },
  { key: 'actorDisplayName', title: 'actor' },
  'kind',
  'from',
  'to',
]

export default class TicketsShow extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Show a ticket with its comments, history and queue score'
  static override examples = [
    'countroom tickets show 1',
    'countroom tickets show tkt_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --json',
  ]
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = ticketArg
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const reason = Type.Object({ kind: Type.String(), points: Type.Integer(), text: Type.String() })
    return Type.Object({ ...wholeTicketFields(shapes), score: Type.Integer(), reasons: Type.Array(reason) })
  }

  override async run() {
    const { args } = await this.parse(TicketsShow)
    const [ticketsApi, { now }] = await Promise.all([this.services.tickets(), this.services.chat()])
    const ticket = await ticketsApi.read(args.ticket)
    const { score, reasons } = urgencyOf(ticket, await now())
    const row = wholeTicketRow(ticket)
    this.fields(
      {
        ...row,
        priority: priorityName(ticket.priority),
        assignee: row.assignee?.displayName ?? '',
        fields: ticket.fieldValues.map(({ fieldCode, value }) => `${fieldCode}: ${String(value)}`).join(', '),
        score: `${score} (${reasons.map(({ points, text }) => `${points} ${text}`).join(', ')})`,
      },
      ticketColumns,
    )
    const { comments, history } = row
    if (comments !== null && comments.length > 0) {
      this.log('')
      this.table(comments, commentColumns)
    }
    if (history !== null && history.length > 0) {
      this.log('')
      this.table(history, historyColumns)
    }
    return { ...row, score, reasons }
  }
}
