import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { listenFlags } from '../../src/cli/topics/callbacks/flags.ts'
import { ipnTopic } from '../../src/cli/topics/callbacks/topics.ts'
import { listenSchema } from '../../src/cli/topics/callbacks/view.ts'

export default class IpnListen extends CountroomCommand {
  static override summary = 'Receive IPNs of the gateway, store them and forward them'
  static override description = [
    'Verifies the signature over the raw bytes, stores the bytes and headers in the book, and only then acknowledges. Duplicates are acknowledged and counted.',
    'With --forward, IPNs are forwarded unchanged, one after another. Those that your shop does not accept stay in the book for "countroom ipn replay --unforwarded".',
    'Accepts any path. To receive from a remote gateway, put it behind your own HTTPS proxy.',
  ].join('\n\n')
  static override examples = [
    'countroom ipn listen --port 8791',
    'countroom ipn listen --port 8791 --forward http://127.0.0.1:3000/ipn',
    { command: 'countroom ipn listen --secret-file - < secret.txt --json', description: 'Print one JSON line per IPN' },
  ]
  static override exits = ['configuration', 'stopped'] as const
  static override streams = true
  static override files = ['the book: received IPNs']
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override flags = listenFlags(8791)
  static override data = listenSchema

  override async run() {
    const { flags } = await this.parse(IpnListen)
    const { listenForCallbacks } = await import('../../src/cli/topics/callbacks/listen.ts')
    return listenForCallbacks(this, ipnTopic, flags)
  }
}
