import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../../src/cli/topics/console/merchant.ts'

export default class ConsoleMerchantsIpnTest extends CountroomCommand {
  static override summary = 'Send a test IPN to a merchant'
  static override description =
    'The IPN has every field of a payment, with payment_id 0, no amounts, and gw_test. If it is not acknowledged, it is retried like any other IPN and the command exits with 7. To list IPNs, run "countroom console deliveries list MERCHANT"; to see the attempts, run "countroom console deliveries show ID".'
  static override examples = [
    'countroom console merchants ipn test',
    'countroom console merchants ipn test --merchant 4384100000 --url http://127.0.0.1:8791/ --json',
  ]
  static override exits = ['not-found', 'conflict', 'temporary'] as const
  static override writes = true
  static override flags = {
    ...dryRunFlag,
    ...merchantFlags,
    url: Flags.string({ summary: "Target URL (default: the merchant's IPN URL)", helpValue: 'URL' }),
  }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      merchant: Type.String(),
      deliveryId: text,
      state: Type.Enum(['owed', 'delivered', 'dead']),
      lastStatus: Type.Union([Type.Integer(), Type.Null()]),
      lastError: text,
    })
  }

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsIpnTest)
    const { testIpn } = await import('../../../../src/cli/topics/console/test-delivery.ts')
    const result = await testIpn(this, await merchantOf(this, flags), flags.url)
    if (!this.isDryRun) this.fields(result)
    return result
  }
}
