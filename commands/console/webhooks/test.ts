import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'
import { loggedState } from '../../../src/domain/webhooks/delivery-status.ts'

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
    const { sendTest } = await import('../../../src/services/casino/admin/webhook-settings.ts')
    const { afterFirstAttempt } = await import('../../../src/cli/topics/callbacks/await-first-attempt.ts')
    const world = await this.services.world()
    const deliveryId = await sendTest(world.casino, args.code, flags.message)
    const companyCode = args.code.toUpperCase()
    if (this.isDryRun) return { companyCode, deliveryId: null, state: 'owed', lastStatus: null, lastError: null }
    const sent = await afterFirstAttempt(world, deliveryId, this.stop)
    const { total_attempts: attempts, last_status: lastStatus, last_error: lastError } = sent
    const state = loggedState(sent)
    const result = { companyCode, deliveryId, state, lastStatus, lastError }
    this.fields(result)
    if (attempts === 0) this.note('The served world queued the webhook and has no response yet.')
    else if (state !== 'delivered') this.endWith('DELIVERY_FAILED', `Not acknowledged: ${lastError}`, { deliveryId })
    return result
  }
}
