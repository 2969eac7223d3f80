import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { WorldCommand } from '../../../src/cli/topics/console/command.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-state.ts'

export default class ConsoleWebhooksTest extends WorldCommand {
  static override summary = 'Send a test message to a tenant, and say whether it was acknowledged'
  static override description =
    'Needs no selecting. A message that is not acknowledged is tried again like every other; the exit code then is 7.'
  static override examples = ['countroom console webhooks test DEMO', 'countroom console webhooks test DEMO-SBX --json']
  static override exits = ['not-found', 'conflict', 'temporary'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = {
    ...dryRunFlag,
    message: Flags.string({ summary: 'What it says', default: 'This is a test', helpValue: 'TEXT' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
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
    const world = await this.world()
    const deliveryId = await sendTest(world.casino, args.code, flags.message)
    const companyCode = args.code.toUpperCase()
    if (this.isDryRun) return { companyCode, deliveryId: null, state: 'owed', lastStatus: null, lastError: null }
    const sent = await afterFirstAttempt(world, deliveryId, this.stop)
    const { state, attempts, last_status: lastStatus, last_error: lastError } = sent
    const result = { companyCode, deliveryId, state, lastStatus, lastError }
    this.fields(result)
    if (attempts === 0) this.note('A served world has taken it and has not heard back yet.')
    else if (state !== 'delivered') this.endWith('DELIVERY_FAILED', `Not acknowledged: ${lastError}`, { deliveryId })
    return result
  }
}
