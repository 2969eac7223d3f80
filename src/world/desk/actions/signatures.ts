import { Type } from 'typebox'
import { expectedSignature, signedLines } from '../../../domain/signatures/diagnosis.ts'
import { formHints } from '../../../domain/signatures/mistakes.ts'
import { diagnoseSent, splitUrl } from '../../../domain/signatures/whole-url.ts'
import { Problem } from '../../../kit/problem.ts'
import { theTenant } from '../../../services/casino/account/tenants.ts'
import { keyOf, keysOf } from '../../../services/casino/queries/tenants.ts'
import { action } from './action.ts'
import { choice, maybeText, tenant, text } from './fields.ts'

export const signatureActions = {
  'signature.check': action({
    title: 'Check the signature',
    summary: 'Computes the signature of a casino request, compares it with yours, and names the mistake.',
    input: Type.Object({
      tenant,
      method: choice('Method', ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']),
      path: text('Path and query', { maxLength: 4_000 }),
      timestamp: text('X-Timestamp', { maxLength: 40 }),
      nonce: text('X-Nonce', { maxLength: 200 }),
      body: Type.Optional(Type.String({ title: 'Body', maxLength: 200_000 })),
      signature: maybeText('X-Signature', { maxLength: 400 }),
      key: maybeText('X-Api-Key', { maxLength: 100 }),
    }),
    commands: [
      {
        words: 'doctor sign',
        flags: { method: 'method', path: 'path', timestamp: 'timestamp', nonce: 'nonce', signature: 'signature' },
        stdin: { field: 'body', flag: 'body' },
        profileOf: 'tenant',
      },
    ],
    async run({ world: { casino } }, { tenant: code, body = '', signature, key: sentKey, ...line }) {
      const { method, path, timestamp, nonce } = line
      const { keys, sender } = await casino.store.read(async (reader) => ({
        keys: await keysOf(reader, (await theTenant(reader, code)).code),
        sender: sentKey === undefined ? undefined : await keyOf(reader, sentKey),
      }))
      const active = keys.filter((each) => each.revoked_at === null && each.retires_at === null)
      const key = active.find(({ key_id }) => key_id === sentKey) ?? active[0]
      if (!key) throw new Problem('CONFLICT', `${code} has no active key`)
      const sent = splitUrl(path)
      const request = { method, url: sent.path, timestamp, nonce, body: Buffer.from(body) }
      const hosts = [sent.origin, casino.config.publicUrl()]
      const diagnosis = signature === undefined ? undefined : diagnoseSent(key.secret, request, signature, hosts)
      return {
        lines: signedLines(request),
        expected: expectedSignature(key.secret, request),
        given: signature ?? null,
        verdict: diagnosis?.verdict ?? 'computed',
        differs: diagnosis?.differs ?? null,
        signedValue: diagnosis?.signedValue ?? null,
        hints: [
          ...(sentKey === undefined ? [] : keyHints(code, sentKey, sender)),
          ...(diagnosis?.hints ?? []),
          ...formHints({ ...request, url: path }, Date.now()),
        ],
      }
    },
  }),
}

/** Explains what is wrong with the key of a request: its secret is that of its own tenant. */
function keyHints(code: string, sent: string, sender: Awaited<ReturnType<typeof keyOf>>): string[] {
  if (!sender) return [`No tenant has the key ${sent}`]
  if (sender.tenant !== code)
    return [`X-Api-Key is a key of ${sender.tenant}, not of ${code}: choose ${sender.tenant} above`]
  return sender.revoked_at === null ? [] : ['X-Api-Key was revoked']
}
