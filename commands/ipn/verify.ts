import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { secretFlag } from '../../src/cli/topics/callbacks/flags.ts'
import { ipnTopic } from '../../src/cli/topics/callbacks/topics.ts'
import { verifySchema } from '../../src/cli/topics/callbacks/view.ts'

export default class IpnVerify extends CountroomCommand {
  static override summary = 'Verify the signature of a captured IPN'
  static override description =
    'The file is a whole HTTP message (headers, an empty line, the body), the output of "countroom ipn show --json", or the body alone with --signature. Exits with 0 if the signature is valid, else with 4. The signature covers no time, so a valid IPN can be old.'
  static override examples = [
    'countroom ipn verify captured.http',
    'countroom ipn verify body.json --signature 9c1f… --secret-file secret.txt',
  ]
  static override exits = ['permission', 'configuration'] as const
  static override completes = { file: 'files', 'secret-file': 'files' }
  static override args = { file: Args.string({ required: true, description: 'Captured IPN, or - for stdin' }) }
  static override flags = {
    signature: Flags.string({ summary: 'Value of x-gw-sig, for a body without headers', helpValue: 'HEX' }),
    ...secretFlag,
  }
  static override data = verifySchema(ipnTopic)

  override async run() {
    const { args, flags } = await this.parse(IpnVerify)
    const { verifyCallback } = await import('../../src/cli/topics/callbacks/verify.ts')
    return verifyCallback(this, ipnTopic, args.file, flags)
  }
}
