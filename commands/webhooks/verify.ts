import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { secretFlag } from '../../src/cli/topics/callbacks/flags.ts'
import { webhookTopic } from '../../src/cli/topics/callbacks/topics.ts'
import { verifySchema } from '../../src/cli/topics/callbacks/view.ts'

export default class WebhooksVerify extends CountroomCommand {
  static override summary = 'Verify the signature of a captured webhook'
  static override description =
    'The file is a whole HTTP message (headers, an empty line, the body), the output of "countroom webhooks show --json", or the body alone with --signature. Exits with 0 if the signature is valid, 9 if it is valid but outside the 300 seconds, else 4.'
  static override examples = [
    'countroom webhooks verify captured.http',
    'countroom webhooks verify body.json --signature t=1767225600,v1=5f… --secret-file secret.txt',
    {
      command: 'countroom webhooks verify captured.http --at 2026-03-01T12:00:00Z',
      description: 'Verify at the time it arrived',
    },
  ]
  static override exits = ['permission', 'differences', 'configuration'] as const
  static override completes = { file: 'files', 'secret-file': 'files' }
  static override args = { file: Args.string({ required: true, description: 'Captured webhook, or - for stdin' }) }
  static override flags = {
    signature: Flags.string({ summary: 'Value of X-Svc-Signature, for a body without headers', helpValue: 't=…,v1=…' }),
    at: Flags.string({ summary: 'Time to verify at (default: now)', helpValue: 'ISO' }),
    ...secretFlag,
  }
  static override data = verifySchema(webhookTopic)

  override async run() {
    const { args, flags } = await this.parse(WebhooksVerify)
    const { verifyCallback } = await import('../../src/cli/topics/callbacks/verify.ts')
    return verifyCallback(this, webhookTopic, args.file, flags)
  }
}
