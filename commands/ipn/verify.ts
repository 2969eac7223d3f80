import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { secretFlag } from '../../src/cli/topics/callbacks/command.ts'
import { ipnMail } from '../../src/cli/topics/callbacks/kinds.ts'
import { VerifyCommand, verifyData } from '../../src/cli/topics/callbacks/verify.ts'

export default class IpnVerify extends VerifyCommand {
  static override summary = 'Check the signature of a captured callback, over its raw bytes'
  static override description =
    'The file is a whole HTTP message (headers, an empty line, the body), or what "countroom ipn show --json" printed, or the bare body together with --signature. Genuine ends in 0, anything else in 4. The signature holds no moment, so a genuine callback may be an old one.'
  static override examples = [
    'countroom ipn verify captured.http',
    'countroom ipn verify body.json --signature 9c1f… --secret-file secret.txt',
  ]
  static override exits = ['permission', 'configuration'] as const
  static override completes = { file: 'files', 'secret-file': 'files' }
  static override args = { file: Args.string({ required: true, description: 'The capture, or - for stdin' }) }
  static override flags = {
    signature: Flags.string({ summary: 'The x-gw-sig of a bare body', helpValue: 'HEX' }),
    ...secretFlag,
  }
  static override data = verifyData(ipnMail)
  protected override readonly mail = ipnMail

  override async run() {
    const { args, flags } = await this.parse(IpnVerify)
    return this.verify(args.file, flags)
  }
}
