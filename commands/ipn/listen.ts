import { ipnMail } from '../../src/cli/topics/callbacks/kinds.ts'
import { ListenCommand, listenData, listenFlags } from '../../src/cli/topics/callbacks/listen.ts'

export default class IpnListen extends ListenCommand {
  static override summary = "Receive the gateway's callbacks, keep them, and hand them on"
  static override description =
    'Each is checked for its signature over the raw bytes, kept in the book with these bytes and its headers, and only then acknowledged; the same bytes again are acknowledged and counted. With --forward it is handed on as it came, one after another; what your own shop did not take stays in the book, for "countroom ipn replay --unforwarded". Any path is taken. Put it behind your own https for a gateway elsewhere.'
  static override examples = [
    'countroom ipn listen --port 8791',
    'countroom ipn listen --port 8791 --forward http://127.0.0.1:3000/ipn',
    { command: 'countroom ipn listen --secret-file - < secret.txt --json', description: 'One JSON line a callback' },
  ]
  static override exits = ['configuration', 'stopped'] as const
  static override streams = true
  static override files = ['the book: what was received']
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override flags = listenFlags(8791)
  static override data = listenData
  protected override readonly mail = ipnMail

  override async run() {
    const { flags } = await this.parse(IpnListen)
    return this.listen(flags)
  }
}
