import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag } from '../../src/cli/framework/flags.ts'
import { ipnTopic } from '../../src/cli/topics/callbacks/topics.ts'
import { showSchema } from '../../src/cli/topics/callbacks/view.ts'

export default class IpnShow extends CountroomCommand {
  static override summary = 'Show the headers and exact bytes of a received IPN'
  static override description =
    'Takes the ID of an IPN, or of a payment or payout to show its newest IPN. "countroom ipn verify" reads the output of --json.'
  static override examples = [
    'countroom ipn show 4384100001-finished-3f2a9c04d1be',
    { command: 'countroom ipn show 4384100001', description: 'Show the newest IPN of this payment' },
  ]
  static override exits = ['not-found'] as const
  static override completes = { book: 'files' }
  static override args = {
    id: Args.string({ required: true, description: 'ID of an IPN or of its object' }),
  }
  static override flags = { ...bookFlag }
  static override data = showSchema(ipnTopic)

  override async run() {
    const { args } = await this.parse(IpnShow)
    const { showCallback } = await import('../../src/cli/topics/callbacks/show.ts')
    return showCallback(this, ipnTopic, args.id)
  }
}
