import { checkMoments } from '../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Flags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn, statusColumn, wholeColumn } from '../../src/cli/topics/gateway/arguments.ts'
import { gatewayListFlags, listPages } from '../../src/cli/topics/gateway/list-pages.ts'
import { definedFields } from '../../src/kit/defined-fields.ts'
import { isProblem, Problem } from '../../src/kit/problem.ts'

export default class InvoicesList extends CountroomCommand {
  static override summary = 'List invoices with the status of their payment, newest first'
  static override description =
    'An invoice has no status. Each row shows the status of its payment: the one that received money, else the waiting one.'
  static override examples = [
    'countroom invoices list',
    { command: 'countroom invoices list --order order-3', description: 'List the invoices of an order' },
    {
      command: 'countroom invoices list --from 2026-03-01 --to 2026-03-31 --csv',
      description: 'Export a month for a spreadsheet',
    },
  ]
  static override exits = ['permission', 'conflict', 'temporary'] as const
  static override flags = {
    order: Flags.string({ summary: 'Invoices of this order only (order_id)', helpValue: 'ORDER' }),
    from: Flags.string({ summary: 'Created on or after this day or time', helpValue: 'DATE' }),
    to: Flags.string({ summary: 'Created on or before this day or time', helpValue: 'DATE' }),
    asc: Flags.boolean({ summary: 'Sort ascending (oldest first)' }),
    ...gatewayListFlags,
  }
  static override data = ({ Type, gateway }: Shapes) =>
    Type.Object({ invoices: Type.Array(gateway.ListedInvoice), total: Type.Integer(), more: Type.Boolean(moreThere) })

  override async run() {
    const { flags } = await this.parse(InvoicesList)
    checkMoments(flags.from, flags.to)
    const { gateway } = await this.services.gateway()
    let total = 0
    const { rows: invoices, more } = await listPages(this, flags.limit, async (limit, page) => {
      const query = {
        limit,
        page,
        orderBy: flags.asc ? 'asc' : 'desc',
        ...definedFields({ dateFrom: flags.from, dateTo: flags.to, orderId: flags.order }),
      }
      const reply = await gateway.invoices({ query }).catch(noList)
      total = reply.total
      return reply.data
    })
    this.table(
      invoices,
      [
        wholeColumn('id', 'invoice'),
        amountColumn('price_amount', 'price'),
        { key: 'price_currency', title: 'currency' },
        { key: 'order_id', title: 'order' },
        wholeColumn('gw_payment_id', 'payment'),
        statusColumn('gw_payment_status', 'status'),
        { key: 'pay_currency', title: 'coin', show: (coin) => String(coin ?? 'any') },
        { key: 'created_at', title: 'created' },
      ],
      'No invoices.',
    )
    return { invoices, total, more }
  }
}

/** The document shows no list of invoices, so another gateway may have none. */
function noList(error: unknown): never {
  if (!isProblem(error, 'NOT_FOUND')) throw error
  throw new Problem(
    'NOT_SUPPORTED',
    'This gateway has no list of invoices. To list their payments: countroom payments list',
    error.detail,
    { cause: error },
  )
}
