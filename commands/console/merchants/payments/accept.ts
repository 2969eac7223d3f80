import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { asFlag, dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { paymentArg } from '../../../../src/cli/topics/sim/chain-fields.ts'

export default class ConsoleMerchantsPaymentsAccept extends CountroomCommand {
  static override summary = 'Accept an underpaid payment as finished'
  static override description =
    'A partially paid payment is settled with the received amount, and its IPNs report confirmed and finished. A payment that expired with a partial deposit was settled then; it becomes finished. A payment can be accepted once: a repeated command exits with 6.'
  static override examples = [
    'countroom console merchants payments accept 5745459419 --reason "The customer paid the fee"',
  ]
  static override exits = ['not-found', 'conflict', 'temporary', 'unknown-outcome'] as const
  static override writes = true
  static override args = paymentArg
  static override flags = {
    reason: Flags.string({ summary: 'Reason, 1 to 2,000 characters', required: true, helpValue: 'TEXT' }),
    ...asFlag,
    ...dryRunFlag,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      paymentId: Type.String(),
      status: Type.String({ description: 'Status now: finished, or sending until its settlement is confirmed.' }),
      before: Type.String({ description: 'Status before the acceptance.' }),
      received: Type.String(),
      due: Type.String(),
      currency: Type.String(),
      reason: Type.String(),
      acceptedBy: Type.Union([Type.String(), Type.Null()]),
      acceptedAt: Type.String(),
    })

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsPaymentsAccept)
    const { acceptWithReason } = await import('../../../../src/cli/topics/merchants/refunds.ts')
    return acceptWithReason(this, args.payment, flags)
  }
}
