import { Problem } from '../../../kit/problem.ts'
import { captureFrom } from '../../../operator/callbacks/parse.ts'
import { momentFrom } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { readBytes } from '../../terminal/read-input.ts'
import { formOf, signingSecret } from './sources.ts'
import type { CallbackTopic } from './topics.ts'
import { identityFields } from './view.ts'

interface VerifyFlags {
  readonly signature?: string | undefined
  readonly at?: string | undefined
  readonly 'secret-file'?: string | undefined
}

/** Verifies a captured callback. */
export async function verifyCallback(context: CommandContext, topic: CallbackTopic, path: string, flags: VerifyFlags) {
  if (path === '-' && flags['secret-file'] === '-')
    throw new Problem('INVALID_USAGE', 'Only one of FILE and --secret-file can be stdin')
  const form = formOf(topic)
  const at = flags.at === undefined ? Date.now() : momentFrom(flags.at)
  const file = await readBytes(path)
  const secret = await signingSecret(context, topic, flags['secret-file'])
  const capture = captureFrom(file)
  const captured =
    flags.signature === undefined
      ? capture
      : { ...capture, headers: [[form.signatureHeader, flags.signature] as const] }
  const verdict = form.verdictOn(captured, secret, at)
  const identity = form.identityOf(captured)
  const nothing = Object.fromEntries(identityFields(topic).map((name) => [name, null]))
  const signedAt = form.signedAtOf(captured)
  const age = {
    signedAt: signedAt === null ? null : new Date(signedAt).toISOString(),
    ageSeconds: signedAt === null ? null : Math.round((at - signedAt) / 1000),
  }
  const result = {
    verdict,
    ...('because' in identity ? nothing : form.identityView(identity)),
    ...(form.channel === 'tenant-webhook' ? age : {}),
    complaint: 'because' in identity ? identity.because : null,
  }
  context.fields(result)
  if (verdict === 'stale')
    context.endWith('STALE', 'The signature is valid but differs from the time by more than 300 seconds', { verdict })
  else if (verdict !== 'genuine') context.endWith('INVALID_SIGNATURE', `The signature is ${verdict}`, { verdict })
  return result
}
