import { Args, Flags } from '../../src/cli/flags.ts'
import { readBytes } from '../../src/cli/input-bytes.ts'
import { momentFrom } from '../../src/cli/moments.ts'
import { secretFlag, WebhookCommand } from '../../src/cli/webhook-command.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class WebhooksVerify extends WebhookCommand {
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
  static override data = async () => {
    const { Type } = await import('typebox')
    const text = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      verdict: Type.Enum(['genuine', 'stale', 'forged', 'malformed']),
      deliveryId: text,
      event: text,
      companyCode: text,
      signedAt: text,
      ageSeconds: Type.Union([Type.Number(), Type.Null()]),
      complaint: text,
    })
  }

  override async run() {
    const { args, flags } = await this.parse(WebhooksVerify)
    if (args.file === '-' && flags['secret-file'] === '-')
      throw new Problem('INVALID_USAGE', 'Only one of the capture and the secret can come from stdin')
    const at = flags.at === undefined ? Date.now() : momentFrom(flags.at)
    const file = await readBytes(args.file)
    const secret = await this.secret(flags['secret-file'])
    const { captureFrom, identityOf, signedAtOf, verdictOn } = await import('../../src/jobs/webhook-capture.ts')
    const found = captureFrom(file)
    const captured =
      flags.signature === undefined ? found : { ...found, headers: [['x-svc-signature', flags.signature] as const] }
    const verdict = verdictOn(captured, secret, at)
    const identity = identityOf(captured)
    const told = 'because' in identity ? undefined : identity
    const signedAt = signedAtOf(captured)
    const result = {
      verdict,
      deliveryId: told?.deliveryId ?? null,
      event: told?.event ?? null,
      companyCode: told?.companyCode ?? null,
      signedAt: signedAt === undefined ? null : new Date(signedAt).toISOString(),
      ageSeconds: signedAt === undefined ? null : Math.round((at - signedAt) / 1000),
      complaint: 'because' in identity ? identity.because : null,
    }
    this.fields(result)
    if (verdict === 'stale') this.endWith('STALE', 'Genuine, but signed more than 300 seconds away', { verdict })
    else if (verdict !== 'genuine') this.endWith('INVALID_SIGNATURE', `The signature is ${verdict}`, { verdict })
    return result
  }
}
