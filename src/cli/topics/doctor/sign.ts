import { expectedSignature, signedLines } from '../../../domain/signatures/diagnosis.ts'
import { formHints } from '../../../domain/signatures/mistakes.ts'
import { diagnoseSent, splitUrl } from '../../../domain/signatures/whole-url.ts'
import { Problem } from '../../../kit/problem.ts'
import { openTenantWorld } from '../../../world/clients/local-world.ts'
import { noSection } from '../../../world/config/profile-schema.ts'
import type { CommandContext } from '../../context/context.ts'
import { readBytes } from '../../terminal/read-input.ts'
import { printable } from '../../terminal/text.ts'

/** Parsed flags of `doctor sign`. */
export interface SignFlags {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly timestamp: string
  readonly nonce: string
  readonly signature: string | undefined
  readonly 'secret-file': string | undefined
}

/** Computes the signature of a request, compares it with a given one, and names the mistake that explains a difference. */
export async function signRequest(context: CommandContext, flags: SignFlags) {
  const { method, path, timestamp, nonce, signature } = flags
  if (flags.body === '-' && flags['secret-file'] === '-')
    throw new Problem('INVALID_USAGE', 'Only one of --body and --secret-file can be read from stdin')
  const body = flags.body === undefined ? new Uint8Array() : await readBytes(flags.body)
  const sent = splitUrl(path)
  const request = { method, url: sent.path, timestamp, nonce, body }
  const { secret, note, hosts } = await secretOf(context, flags['secret-file'])
  const lines = signedLines(request)
  const expected = expectedSignature(secret, request)
  const diagnosis =
    signature === undefined ? undefined : diagnoseSent(secret, request, signature, [sent.origin, ...hosts])
  const hints = [...(diagnosis?.hints ?? []), ...formHints({ ...request, url: path }, Date.now()), ...note]
  const verdict = diagnosis?.verdict ?? ('computed' as const)
  const differs = diagnosis?.differs ?? null
  const signedValue = diagnosis?.signedValue ?? null
  const data = { lines, expected, given: signature ?? null, verdict, differs, signedValue, hints }
  print(context, data)
  if (verdict === 'differs')
    context.endWith(
      'DIFFERENCES',
      diagnosis?.hints.length === 0
        ? 'The signature differs, and no usual mistake explains it: check the secret and the bytes of the body'
        : `The signature differs: ${hints[0]}`,
    )
  return data
}

/** A secret, a remark about it, and the hosts that its requests go to. */
interface Secret {
  readonly secret: string
  readonly note: readonly string[]
  readonly hosts: readonly string[]
}

/** Reads the secret from a file or the profile. A line break at its end belongs to the file, not to the secret. */
async function secretOf(context: CommandContext, file: string | undefined): Promise<Secret> {
  if (file === undefined) return profileSecret(context)
  const secret = (await readBytes(file)).toString('utf8').replace(/\r?\n$/, '')
  if (secret === '') throw new Problem('INVALID_FILE', `${file === '-' ? 'stdin' : file} has no secret`)
  const isSpaced = secret !== secret.trim()
  return { secret, note: isSpaced ? ['The secret in the file has white space around it'] : [], hosts: [] }
}

async function profileSecret(context: CommandContext): Promise<Secret> {
  const named = context.profile
  context.services.nameTarget()
  const { profile } = named
  if (profile.kind === 'remote') {
    if (profile.casino) return { secret: profile.casino.secret, note: [], hosts: [profile.casino.baseUrl] }
    throw noSection(named, 'casino')
  }
  const { world, key } = await openTenantWorld(profile, context.settings)
  context.closeLater(() => world.close())
  return { secret: key.secret, note: [], hosts: [world.casino.config.publicUrl()] }
}

function print(context: CommandContext, data: Awaited<ReturnType<typeof signRequest>>): void {
  const { lines, expected, given, verdict, differs, signedValue, hints } = data
  context.text(() =>
    lines
      .map(({ name, value, bytes }, at) => `${at + 1}  ${name.padEnd(10)}  ${printable(value)}  (${bytes} bytes)\n`)
      .join(''),
  )
  context.fields({ expected, given, verdict, differs, 'signed value': signedValue })
  for (const hint of hints) context.log(printable(`- ${hint}`))
}
