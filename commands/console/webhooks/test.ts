import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'

export default class ConsoleWebhooksTest extends CountroomCommand {
  static override summary = 'Send a test webhook to a tenant'
  static override description =
    'Works without selecting the test event. If it is not acknowledged, it is retried like any other webhook and the command exits with 7.'
  static override examples = ['countroom console webhooks test DEMO', 'countroom console webhooks test DEMO-SBX --json']
  static override exits = ['not-found', 'conflict', 'temporary'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = {
    ...dryRunFlag,
    message: Flags.string({ summary: 'Text of the message', default: 'This is a test', helpValue: 'TEXT' }),
  }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      companyCode: Type.String(),
      deliveryId: text,
      state: Type.Enum(['owed', 'delivered', 'dead']),
      lastStatus: Type.Union([Type.Integer(), Type.Null()]),
      lastError: text,
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleWebhooksTest)
    const { testWebhook } = await import('../../../src/cli/topics/console/test-delivery.ts')
    const result = await testWebhook(this, args.code, flags.message)
    if (!this.isDryRun) this.fields(result)
    return result
  }
}
