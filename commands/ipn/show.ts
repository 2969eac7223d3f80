import { Args } from '../../src/cli/framework/flags.ts'
import { bookFlag } from '../../src/cli/topics/callbacks/command.ts'
import { ipnMail } from '../../src/cli/topics/callbacks/kinds.ts'
import { ShowCommand, showData } from '../../src/cli/topics/callbacks/show.ts'

export default class IpnShow extends ShowCommand {
  static override summary = 'Show a callback as it was received: its headers and its exact bytes'
  static override description =
    'By its own id, or by that of a payment or payout, of which the newest callback is shown. What --json prints can be given to "countroom ipn verify".'
  static override examples = [
    'countroom ipn show 4384100001-finished-3f2a9c04d1be',
    { command: 'countroom ipn show 4384100001', description: 'The newest about this payment' },
  ]
  static override exits = ['not-found'] as const
  static override completes = { book: 'files' }
  static override args = {
    id: Args.string({ required: true, description: 'The id of a callback, or of what it is about' }),
  }
  static override flags = { ...bookFlag }
  static override data = showData(ipnMail)
  protected override readonly mail = ipnMail

  override async run() {
    const { args } = await this.parse(IpnShow)
    return this.show(args.id)
  }
}
