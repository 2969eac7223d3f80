import { ipnView, ipnViewSchema, merchantArg, merchantId } from '../../../src/cli/merchant-ipns.ts'
import { WorldCommand } from '../../../src/cli/world-command.ts'
import { schedules } from '../../../src/domain/delivery.ts'

export default class ConsoleIpnsShow extends WorldCommand {
  static override summary = 'Show how a merchant is told of its payments'
  static override description =
    'What became of each callback is listed by "countroom console deliveries list MERCHANT", with every attempt by "countroom console deliveries show".'
  static override examples = ['countroom console ipns show', 'countroom console ipns show 4384100000 --json']
  static override exits = ['not-found'] as const
  static override args = merchantArg
  static override data = ipnViewSchema

  override async run() {
    const { args } = await this.parse(ConsoleIpnsShow)
    const world = await this.world()
    const { theMerchant } = await import('../../../src/gateway/console.ts')
    const id = await merchantId(world, args.merchant, this.profile)
    const row = await world.store.read((reader) => theMerchant(reader, id))
    const view = ipnView(row, schedules['merchant-ipn'].attempts)
    this.fields(view)
    return view
  }
}
