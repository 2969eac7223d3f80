import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { ipnMail } from '../../src/cli/topics/callbacks/kinds.ts'
import { ReplayCommand, replayData, replayFlags } from '../../src/cli/topics/callbacks/replay.ts'
import { ipnKinds } from '../../src/domain/webhooks/retry-schedule.ts'

export default class IpnReplay extends ReplayCommand {
  static override summary = 'Send callbacks of the book again, to a program of yours'
  static override description =
    'With their exact bytes and headers, in the order in which they first came: those named, or all that the flags leave. A receiver must know a callback again by its object and status: one it took before comes twice.'
  static override examples = [
    'countroom ipn replay --to http://127.0.0.1:3000/ipn --unforwarded --retries 3',
    {
      command: 'countroom ipn replay --status finished --since 2026-03-01',
      description: 'To where the listener handed on',
    },
    'countroom ipn replay 4384100001 --to https://shop.example.com/ipn',
  ]
  static override exits = ['not-found', 'temporary', 'partial', 'configuration'] as const
  static override writes = true
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override args = {
    ids: Args.string({ multiple: true, description: 'Ids of callbacks, or of what they are about' }),
  }
  static override flags = {
    status: Flags.string({ summary: 'Only those that tell this status', helpValue: 'S' }),
    kind: Flags.string({ summary: 'Only those about this', options: [...ipnKinds] }),
    ...replayFlags,
  }
  static override data = replayData(ipnMail)
  protected override readonly mail = ipnMail

  override async run() {
    const { args, flags } = await this.parse(IpnReplay)
    const kind = ipnKinds.find((each) => each === flags.kind)
    return this.replay(args.ids, flags, { event: flags.status?.toLowerCase(), kind })
  }
}
