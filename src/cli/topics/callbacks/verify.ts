import { Problem } from '../../../kit/problem.ts'
import { momentFrom } from '../../arguments/moments.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import { readBytes } from '../../terminal/read-input.ts'
import { CallbackCommand, type Mail } from './command.ts'
import { identityFields, identitySchemas } from './view.ts'

export const verifyData = (mail: Mail) => (shapes: Shapes) => {
  const { Type } = shapes
  const text = Type.Union([Type.String(), Type.Null()])
  const isDated = mail.form.channel === 'tenant-webhook'
  const age = { signedAt: text, ageSeconds: Type.Union([Type.Number(), Type.Null()]) }
  return Type.Object({
    verdict: isDated
      ? Type.Enum(['genuine', 'stale', 'forged', 'malformed'])
      : Type.Enum(['genuine', 'forged', 'malformed']),
    ...identitySchemas(shapes, mail),
    ...(isDated ? age : {}),
    complaint: text,
  })
}

interface VerifyFlags {
  readonly signature?: string | undefined
  readonly at?: string | undefined
  readonly 'secret-file'?: string | undefined
}

/** Verifies a captured callback. */
export abstract class VerifyCommand extends CallbackCommand {
  protected async verify(path: string, flags: VerifyFlags) {
    if (path === '-' && flags['secret-file'] === '-')
      throw new Problem('INVALID_USAGE', 'Only one of FILE and --secret-file can be stdin')
    const { form } = this.mail
    const at = flags.at === undefined ? Date.now() : momentFrom(flags.at)
    const file = await readBytes(path)
    const secret = await this.secret(flags['secret-file'])
    const { captureFrom } = await import('../../../operator/callbacks/parse.ts')
    const found = captureFrom(file)
    const captured =
      flags.signature === undefined ? found : { ...found, headers: [[form.signatureHeader, flags.signature] as const] }
    const verdict = form.verdictOn(captured, secret, at)
    const identity = form.identityOf(captured)
    const nothing = Object.fromEntries(identityFields(this.mail).map((name) => [name, null]))
    const signedAt = form.signedAtOf(captured)
    const age = {
      signedAt: signedAt === null ? null : new Date(signedAt).toISOString(),
      ageSeconds: signedAt === null ? null : Math.round((at - signedAt) / 1000),
    }
    const result = {
      verdict,
      ...('because' in identity ? nothing : form.told(identity)),
      ...(form.channel === 'tenant-webhook' ? age : {}),
      complaint: 'because' in identity ? identity.because : null,
    }
    this.fields(result)
    if (verdict === 'stale')
      this.endWith('STALE', 'The signature is valid but differs from the time by more than 300 seconds', { verdict })
    else if (verdict !== 'genuine') this.endWith('INVALID_SIGNATURE', `The signature is ${verdict}`, { verdict })
    return result
  }
}
