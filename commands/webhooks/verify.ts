import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { secretFlag } from '../../src/cli/topics/callbacks/command.ts'
import { webhookMail } from '../../src/cli/topics/callbacks/kinds.ts'
import { VerifyCommand, verifyData } from '../../src/cli/topics/callbacks/verify.ts'

export default class WebhooksVerify extends VerifyCommand {
  static override summary = 'Check the signature of a captured webhook'
  static override description =
    'The file is a whole HTTP message (headers, an empty line, the body), or what "countroom webhooks show --json" printed, or the bare body together with --signature. Genuine ends in 0, genuine but outside of the 300 seconds in 9, anything else in 4.'
  static override examples = [
    'countroom webhooks verify captured.http',
    'countroom webhooks verify body.json --signature t=1767225600,v1=5f… --secret-file secret.txt',
    { command: 'countroom webhooks verify captured.http --at 2026-03-01T12:00:00Z', description: 'As of when it came' },
  ]
  static override exits = ['permission', 'differences', 'configuration'] as const
  static override completes = { file: 'files', 'secret-file': 'files' }
  static override args = { file: Args.string({ required: true, description: 'The capture, or - for stdin' }) }
  static override flags = {
    signature: Flags.string({ summary: 'The X-Svc-Signature of a bare body', helpValue: 't=…,v1=…' }),
    at: Flags.string({ summary: 'Judge as of this moment instead of now', helpValue: 'ISO' }),
    ...secretFlag,
  }
  static override data = verifyData(webhookMail)
  protected override readonly mail = webhookMail

  override async run() {
    const { args, flags } = await this.parse(WebhooksVerify)
    return this.verify(args.file, flags)
  }
}
