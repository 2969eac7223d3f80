import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { replayFlags } from '../../src/cli/topics/callbacks/flags.ts'
import { ipnTopic } from '../../src/cli/topics/callbacks/topics.ts'
import { replaySchema } from '../../src/cli/topics/callbacks/view.ts'
import { ipnKinds } from '../../src/domain/webhooks/retry-schedule.ts'

export default class IpnReplay extends CountroomCommand {
  static override summary = 'Send stored IPNs again'
  static override description =
    'Sends the named IPNs, or all that match the flags, with their exact bytes and headers, in the order they first arrived. Your receiver must recognize duplicates by object and status.'
  static override examples = [
    'countroom ipn replay --to http://127.0.0.1:3000/ipn --unforwarded --retries 3',
    {
      command: 'countroom ipn replay --status finished --since 2026-03-01',
      description: 'Send to the target of the newest forwarded IPN',
    },
    'countroom ipn replay 4384100001 --to https://shop.example.com/ipn',
  ]
  static override exits = ['not-found', 'temporary', 'partial', 'configuration'] as const
  static override writes = true
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override args = {
    ids: Args.string({ multiple: true, description: 'IDs of IPNs or of their objects' }),
  }
  static override flags = {
    status: Flags.string({ summary: 'IPNs with this status only', helpValue: 'STATUS' }),
    kind: Flags.string({ summary: 'IPNs about this kind of object only', options: [...ipnKinds] }),
    ...replayFlags,
  }
  static override data = replaySchema(ipnTopic)

  override async run() {
    const { args, flags } = await this.parse(IpnReplay)
    const kind = ipnKinds.find((each) => each === flags.kind)
    const { replayStored } = await import('../../src/cli/topics/callbacks/replay.ts')
    return replayStored(this, ipnTopic, args.ids, flags, { event: flags.status?.toLowerCase(), kind })
  }
}
