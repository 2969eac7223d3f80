import { dryRunFlag, Flags } from '../../../src/cli/flags.ts'
import { ipnView, ipnViewSchema, merchantArg, merchantId } from '../../../src/cli/merchant-ipns.ts'
import { WorldCommand } from '../../../src/cli/world-command.ts'
import { mostIpnAttempts, schedules } from '../../../src/domain/delivery.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class ConsoleIpnsSet extends WorldCommand {
  static override summary = 'Say where a merchant is told of its payments, and how often that is tried'
  static override description =
    'The URL is for payments, payouts and plans that name none of their own, and for conversions and transfers, which can name none. It must be https and lead to a public address; a world served on loopback also takes http://127.0.0.1 and http://localhost. What is owed already keeps its URL and its number of attempts.'
  static override examples = [
    'countroom console ipns set --url https://shop.example.com/ipn',
    'countroom console ipns set 4384100000 --attempts 5',
    { command: 'countroom console ipns set --url ""', description: 'No place for those that name none' },
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = merchantArg
  static override flags = {
    ...dryRunFlag,
    url: Flags.string({ summary: 'Where to send; empty takes it out', helpValue: 'URL' }),
    attempts: Flags.integer({
      summary: 'After how many attempts a callback is given up',
      min: 1,
      max: mostIpnAttempts,
      helpValue: 'N',
    }),
  }
  static override data = ipnViewSchema

  override async run() {
    const { args, flags } = await this.parse(ConsoleIpnsSet)
    const { url, attempts } = flags
    if (url === undefined && attempts === undefined)
      throw new Problem('INVALID_USAGE', 'Say what to set: --url or --attempts')
    const world = await this.world()
    const { setMerchant } = await import('../../../src/gateway/console.ts')
    const row = await setMerchant(world.gateway, await merchantId(world, args.merchant, this.profile), {
      ...(url === undefined ? {} : { ipnUrl: url === '' ? null : url }),
      ...(attempts === undefined ? {} : { ipnAttempts: attempts }),
    })
    const view = ipnView(row, schedules['merchant-ipn'].attempts)
    this.fields(view)
    return view
  }
}
