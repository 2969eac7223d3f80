import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { asFlag, dryRunFlag } from '../../../../src/cli/framework/flags.ts'
import { depositArg, fundsSchema } from '../../../../src/cli/topics/merchants/fields.ts'

export default class ConsoleMerchantsFundsRelease extends CountroomCommand {
  static override summary = 'Release a frozen deposit to the merchant'
  static override description =
    'The deposit becomes a payment of its own, with the failed one as parent_payment_id, and is settled and reported like any other. Foreign deposits are never credited; return them instead.'
  static override examples = ['countroom console merchants funds release 01KJKQ4GR0XF2M6ZP1YVZ8C3TN']
  static override exits = ['not-found', 'conflict', 'temporary', 'unknown-outcome'] as const
  static override writes = true
  static override args = depositArg
  static override flags = { ...asFlag, ...dryRunFlag }
  static override data = fundsSchema

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsFundsRelease)
    const { releaseFunds } = await import('../../../../src/cli/topics/merchants/funds.ts')
    return releaseFunds(this, args.id, flags)
  }
}
