import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags, listFlags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class BookOrders extends CountroomCommand {
  static override summary = 'List the payment gateway orders in the book, newest first'
  static override description =
    'Shows the Idempotency-Key and the outcome of each order. An order in state "unknown" may have been carried out: run the same command with the same --key to find out and finish it.'
  static override examples = ['countroom book orders --limit 20', 'countroom book orders --csv --columns key,state']
  static override files = ['the book (COUNTROOM_BOOK): read only']
  static override flags = {
    limit: Flags.integer({ summary: 'Maximum number of results', default: 50, min: 1, max: 100_000, helpValue: 'N' }),
    ...bookFlag,
    ...listFlags,
  }
  static override data = ({ Type }: Shapes) => {
    const row = Type.Object({
      key: Type.String(),
      endpoint: Type.String(),
      place: Type.String(),
      state: Type.Enum(['new', 'unknown', 'done', 'refused']),
      refusal: Type.Union([Type.String(), Type.Null()]),
      attempts: Type.Integer(),
      madeAt: Type.String(),
      changedAt: Type.String(),
    })
    return Type.Object({ orders: Type.Array(row), more: Type.Boolean(moreThere) })
  }

  override async run() {
    const { flags } = await this.parse(BookOrders)
    const book = await this.services.bookIfThere()
    if (!book) {
      this.table([], ['key'], 'The book has no orders.')
      return { orders: [], more: false }
    }
    const { listOrders } = await import('../../src/operator/gateway-orders/journal.ts')
    const { rows, more } = this.upTo(flags.limit, await listOrders(book, flags.limit + 1))
    const orders = rows.map((row) => ({
      key: row.key,
      endpoint: row.endpoint,
      place: row.place,
      state: row.state,
      refusal: row.refusal,
      attempts: row.attempts,
      madeAt: new Date(row.made_at).toISOString(),
      changedAt: new Date(row.changed_at).toISOString(),
    }))
    this.table(
      orders,
      [
        { key: 'madeAt', title: 'created', whole: true },
        { key: 'endpoint', title: 'order' },
        { key: 'state', tint: (state) => (state === 'done' ? 'green' : state === 'unknown' ? 'red' : 'yellow') },
        { key: 'refusal' },
        { key: 'key', whole: true },
      ],
      'The book has no orders.',
    )
    return { orders, more }
  }
}
