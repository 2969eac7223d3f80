import { dryRunFlag, Flags } from '../../../src/cli/flags.ts'
import { tenantArg } from '../../../src/cli/tenant-state.ts'
import { WorldCommand } from '../../../src/cli/world-command.ts'

/** How long to wait for a served world that took the message before we could. */
const waitMs = 12_000
const lookEveryMs = 100

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
    const { sendTest } = await import('../../../src/casino/webhook-settings.ts')
    const { casino } = await this.world()
    const deliveryId = await sendTest(casino, args.code, flags.message)
    const companyCode = args.code.toUpperCase()
    if (this.isDryRun) return { companyCode, deliveryId: null, state: 'owed', lastStatus: null, lastError: null }
    const { state, attempts, last_status: lastStatus, last_error: lastError } = await this.#sent(deliveryId)
    const result = { companyCode, deliveryId, state, lastStatus, lastError }
    this.fields(result)
    if (attempts === 0) this.note('A served world has taken it and has not heard back yet.')
    else if (state !== 'delivered') this.endWith('DELIVERY_FAILED', `Not acknowledged: ${lastError}`, { deliveryId })
    return result
  }

  /** The message after its first attempt, whoever makes it: a served world beside us sends too. */
  async #sent(deliveryId: string) {
    const { readDelivery } = await import('../../../src/casino/webhook-settings.ts')
    const { realSleep } = await import('../../../src/wire/sleep.ts')
    const world = await this.world()
    await world.settle()
    for (let waited = 0; ; waited += lookEveryMs) {
      const { delivery } = await readDelivery(world.casino, deliveryId)
      if (delivery.attempts > 0 || delivery.state !== 'owed' || waited >= waitMs || this.stop.aborted) return delivery
      await realSleep(lookEveryMs)
    }
  }
}
