import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn, statusColumn, wholeColumn } from '../../src/cli/topics/gateway/arguments.ts'
import { gatewayListFlags, listPages } from '../../src/cli/topics/gateway/list-pages.ts'
import { paymentStatuses } from '../../src/domain/payments/payment.ts'
import { definedFields } from '../../src/kit/defined-fields.ts'

export default class SubaccountsPayments extends CountroomCommand {
  static override summary = 'List payments into sub-accounts, newest first'
  static override examples = ['countroom subaccounts payments 5000000194']
  static override exits = ['permission', 'temporary'] as const
  static override args = { id: Args.string({ description: 'Sub-account ID (default: all)' }) }
  static override flags = {
    status: Flags.string({ summary: 'Payments in this status only', options: [...paymentStatuses] }),
    ...gatewayListFlags,
  }
  static override data = ({ Type, gateway }: Shapes) =>
    Type.Object({ payments: Type.Array(gateway.Payment), count: Type.Integer(), more: Type.Boolean(moreThere) })

  override async run() {
    const { args, flags } = await this.parse(SubaccountsPayments)
    const { gateway } = await this.services.gateway()
    let count = 0
    // The `page` parameter of this list is an offset.
    const { rows: payments, more } = await listPages(this, flags.limit, async (limit, _page, offset) => {
      const query = {
        limit,
        page: offset,
        orderBy: 'desc',
        ...definedFields({ sub_partner_id: args.id, status: flags.status }),
      }
      const reply = await gateway.subPayments({ query })
      count = reply.count
      return reply.result
    })
    this.table(
      payments,
      [
        wholeColumn('payment_id', 'payment'),
        statusColumn('payment_status', 'status'),
        amountColumn('pay_amount', 'to pay'),
        amountColumn('actually_paid', 'paid'),
        { key: 'pay_currency', title: 'coin' },
        { key: 'updated_at', title: 'updated' },
      ],
      'No payments.',
    )
    return { payments, count, more }
  }
}
