import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { approverFlags, bookFlag, dangerFlags, Flags } from '../../../../src/cli/framework/flags.ts'
import { moneyExits } from '../../../../src/cli/outcome/exit-codes.ts'
import { refundSchema } from '../../../../src/cli/topics/merchants/fields.ts'
import { paymentArg } from '../../../../src/cli/topics/sim/chain-fields.ts'

/** Each refund has one of them. */
const ways = ['to', 'ask-customer', 'withdraw']

export default class ConsoleMerchantsPaymentsRefund extends CountroomCommand {
  static override summary = 'Refund a payment: all, a part, or the overpaid amount'
  static override description = [
    'Sends a payout from the custody of the merchant to the address. The network fee is deducted from the amount. Without --amount, --percent or --overpaid, everything received and not refunded yet is sent. A payment becomes refunded once all of it was sent back.',
    'The same part of a payment is refunded once: a repeated command exits with 6 and changes nothing.',
    'Above the setting approvalAbove, the first run records the request, and the same command by another person sends it. The person is the user of this machine, or the approver whose passphrase is given ("approvers add"); --as alone changes nothing. A coin without its own limit counts by its value in USD, together with earlier refunds of the payment.',
    'With --ask-customer, the refund is approved and a link for the customer is printed. On its page the customer enters the address, once; then the payout is created. Until then, --withdraw cancels the approval.',
  ].join('\n\n')
  static override examples = [
    'countroom console merchants payments refund 5745459419 --to TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa',
    {
      command:
        'countroom console merchants payments refund 5745459419 --overpaid --to TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa',
      description: 'Send back the overpaid amount',
    },
    {
      command:
        'countroom console merchants payments refund 5745459419 --percent 50 --to TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa --as beth --passphrase-file beth.txt',
      description: 'Approve the request of another person',
    },
    {
      command: 'countroom console merchants payments refund 5745459419 --ask-customer',
      description: 'Let the customer enter the address',
    },
  ]
  static override exits = moneyExits
  static override writes = true
  static override completes = { book: 'files', 'passphrase-file': 'files' }
  static override args = paymentArg
  static override flags = {
    amount: Flags.string({
      summary: 'Amount in the coin of the payment, network fee included',
      helpValue: 'AMOUNT',
      exclusive: ['overpaid', 'percent'],
    }),
    overpaid: Flags.boolean({
      summary: 'Refund the amount paid beyond the amount due',
      exclusive: ['amount', 'percent'],
    }),
    percent: Flags.string({
      summary: 'Percentage of the received amount',
      helpValue: 'PERCENT',
      exclusive: ['amount', 'overpaid'],
    }),
    to: Flags.string({ summary: 'Address to refund to', helpValue: 'ADDRESS', exactlyOne: ways }),
    'ask-customer': Flags.boolean({ summary: 'Print a link where the customer enters the address' }),
    withdraw: Flags.boolean({
      summary: 'Cancel the refund that waits for an address from the customer',
      exclusive: ['amount', 'percent', 'overpaid', 'key'],
    }),
    key: Flags.string({
      summary: 'Key of another refund of the same amount or percentage',
      helpValue: 'KEY',
      exclusive: ['overpaid'],
    }),
    ...approverFlags,
    ...bookFlag,
    ...dangerFlags,
  }
  static override data = refundSchema

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsPaymentsRefund)
    const { refundPayment } = await import('../../../../src/cli/topics/merchants/refunds.ts')
    return refundPayment(this, args.payment, flags)
  }
}
