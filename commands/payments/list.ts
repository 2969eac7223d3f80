import { checkMoments } from '../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Flags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn, statusColumn, wholeColumn } from '../../src/cli/topics/gateway/arguments.ts'
import { gatewayListFlags, listPages } from '../../src/cli/topics/gateway/list-pages.ts'
import { paymentStatuses } from '../../src/domain/payments/payment.ts'
import { definedFields } from '../../src/kit/defined-fields.ts'
import type { Payment } from '../../src/services/gateway/api/schemas.ts'

export default class PaymentsList extends CountroomCommand {
  static override summary = 'List payments, newest first'
  static override examples = [
    'countroom payments list --limit 20',
    {
      command: 'countroom payments list --status partially_paid',
      description: 'List payments that may need a decision',
    },
    { command: 'countroom payments list --order order-1', description: 'List the payments of an order' },
    { command: 'countroom payments list --invoice 1000001', description: 'List the payments of an invoice' },
    {
      command: 'countroom payments list --from 2026-03-01 --to 2026-03-31 --csv',
      description: 'Export a month for a spreadsheet',
    },
  ]
  static override exits = ['permission', 'temporary'] as const
  static override flags = {
    status: Flags.string({
      summary: 'Payments in these statuses only, separated by commas',
      options: [...paymentStatuses],
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      helpValue: 'STATUS',
    }),
    order: Flags.string({ summary: 'Payments of this order only (order_id)', helpValue: 'ORDER' }),
    from: Flags.string({ summary: 'Created on or after this day or time', helpValue: 'DATE' }),
    to: Flags.string({ summary: 'Created on or before this day or time', helpValue: 'DATE' }),
    invoice: Flags.string({ summary: 'Payments of this invoice only', helpValue: 'ID' }),
    sort: Flags.string({
      summary: 'Field to sort by',
      options: ['created_at', 'updated_at', 'payment_id', 'payment_status', 'price_amount', 'pay_amount', 'order_id'],
      default: 'created_at',
    }),
    asc: Flags.boolean({ summary: 'Sort ascending (oldest first)' }),
    ...gatewayListFlags,
  }
  static override data = ({ Type, gateway }: Shapes) =>
    Type.Object({ payments: Type.Array(gateway.Payment), total: Type.Integer(), more: Type.Boolean(moreThere) })

  override async run() {
    const { flags } = await this.parse(PaymentsList)
    checkMoments(flags.from, flags.to)
    const { gateway } = await this.services.gateway()
    const statuses = flags.status ?? []
    const isListed = (row: Payment) =>
      (statuses.length === 0 || statuses.includes(row.payment_status)) &&
      (flags.order === undefined || row.order_id === flags.order)
    let [total, dropped] = [0, 0]
    const { rows: payments, more } = await listPages(
      this,
      flags.limit,
      async (limit, page) => {
        const query = {
          limit,
          page,
          sortBy: flags.sort,
          orderBy: flags.asc ? 'asc' : 'desc',
          ...definedFields({
            dateFrom: flags.from,
            dateTo: flags.to,
            invoiceId: flags.invoice,
            status: statuses.length === 0 ? undefined : statuses.join(','),
            orderId: flags.order,
          }),
        }
        const reply = await gateway.payments({ query })
        total = reply.total
        dropped += reply.data.filter((row) => !isListed(row)).length
        return reply.data
      },
      isListed,
    )
    // A gateway that ignores a filter counts all payments.
    if (dropped > 0) total = payments.length
    this.table(
      payments,
      [
        wholeColumn('payment_id', 'payment'),
        statusColumn('payment_status', 'status'),
        amountColumn('price_amount', 'price'),
        { key: 'price_currency', title: 'currency' },
        amountColumn('pay_amount', 'to pay'),
        amountColumn('actually_paid', 'paid'),
        { key: 'pay_currency', title: 'coin' },
        { key: 'order_id', title: 'order' },
        { key: 'updated_at', title: 'updated' },
      ],
      'No payments.',
    )
    return { payments, total, more }
  }
}
