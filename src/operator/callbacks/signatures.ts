import type { BookCallbackRow } from '../../db/schema/book.ts'
import {
  isIpnSignature,
  signatureWindowMs,
  signIpn,
  signWebhook,
  verifyWebhook,
  type WebhookVerdict,
} from '../../domain/signing.ts'
import type { CallbackKind, Channel } from '../../domain/webhooks/retry-schedule.ts'
import { sha256Hex } from '../../kit/hmac.ts'
import { maybeMoment } from '../../kit/moment.ts'
import type { CallbackIdentity } from './inbox.ts'
import { type Captured, fieldsOf, headerOf } from './parse.ts'

/** Differences between the callbacks of the two documents: signature and identity. */
export interface CallbackForm {
  readonly channel: Channel
  /** Header with the signature. */
  readonly signatureHeader: string
  /** Verifies a captured callback with a secret at a time. */
  verdictOn(captured: Captured, secret: string, now: number): WebhookVerdict
  /** Returns the identity in the body, or why it cannot be used. */
  identityOf(captured: Captured): CallbackIdentity | { readonly because: string }
  /** Returns the time in the signature, if it has one. */
  signedAtOf(captured: Captured): number | null
  /** Formats the identity for JSON output. */
  identityView(identity: CallbackIdentity): Readonly<Record<string, string | null>>
  /** Returns whether a stored signature has expired. */
  hasRunOut(row: Pick<BookCallbackRow, 'signed_at'>, now: number): boolean
  /** Signs bytes at a time. */
  sign(secret: string, body: Uint8Array, now: number): string
}

/** Webhooks of the casino platform (1-tenant-api, Events). */
export const webhookForm: CallbackForm = {
  channel: 'tenant-webhook',
  signatureHeader: 'x-svc-signature',
  verdictOn: (captured, secret, now) =>
    verifyWebhook(secret, headerOf(captured, 'x-svc-signature') ?? '', captured.body, now),
  identityOf(captured) {
    const fields = fieldsOf(captured.body)
    if (!fields) return { because: 'the body is not a JSON object' }
    const { id, event, companyCode, createdAt } = fields
    if (typeof id !== 'string' || id === '' || typeof event !== 'string' || typeof companyCode !== 'string')
      return { because: 'the body lacks id, event or companyCode' }
    const identityFields = { 'x-svc-delivery': id, 'x-svc-event': event }
    for (const [name, value] of Object.entries(identityFields)) {
      const header = headerOf(captured, name)
      // Only the body is signed: a header that differs was changed on the way.
      if (header !== undefined && header !== value) return { because: `${name} differs from the body` }
    }
    return {
      id,
      channel: 'tenant-webhook',
      owner: companyCode,
      kind: 'webhook',
      subject: null,
      event,
      eventAt: momentOf(createdAt),
    }
  },
  signedAtOf(captured) {
    const seconds = /^\s*t=([0-9]{1,12}),/.exec(headerOf(captured, 'x-svc-signature') ?? '')?.[1]
    return seconds === undefined ? null : Number(seconds) * 1000
  },
  identityView: ({ id, event, owner, eventAt }) => ({
    deliveryId: id,
    event,
    companyCode: owner,
    createdAt: maybeMoment(eventAt),
  }),
  hasRunOut: ({ signed_at }, now) => Math.abs((signed_at ?? 0) - now) > signatureWindowMs,
  sign: signWebhook,
}

/** IPNs of the gateway (2-payment-gateway-api, Events). Their signature has no time and never expires. */
export const ipnForm: CallbackForm = {
  channel: 'merchant-ipn',
  signatureHeader: 'x-gw-sig',
  verdictOn(captured, secret) {
    const signature = (headerOf(captured, 'x-gw-sig') ?? '').trim()
    if (!/^[0-9a-f]{128}$/.test(signature)) return 'malformed'
    return isIpnSignature(secret, captured.body, signature) ? 'genuine' : 'forged'
  },
  identityOf({ body }) {
    const fields = fieldsOf(body)
    if (!fields) return { because: 'the body is not a JSON object' }
    const kind = ipnKindOf(fields)
    const isPayment = fields['payment_id'] !== undefined
    const subject = isPayment ? fields['payment_id'] : fields['id']
    const status = isPayment ? fields['payment_status'] : fields['status']
    if ((typeof subject !== 'string' && typeof subject !== 'number') || subject === '' || typeof status !== 'string')
      return { because: 'the body has no id with a status' }
    return {
      // There is no delivery ID, and a status can be sent more than once: equal bytes are the same callback.
      id: `${subject}-${status.toLowerCase()}-${sha256Hex(body).slice(0, 12)}`,
      channel: 'merchant-ipn',
      owner: null,
      kind,
      subject: String(subject),
      event: status.toLowerCase(),
      eventAt: momentOf(fields['updated_at']),
    }
  },
  signedAtOf: () => null,
  identityView: ({ id, kind, subject, event, eventAt }) => ({
    id,
    kind,
    subject,
    status: event,
    updatedAt: maybeMoment(eventAt),
  }),
  hasRunOut: () => false,
  sign: (secret, body) => signIpn(secret, body),
}

/** Returns the kind of object. No field names it; each kind has fields that the others lack. */
function ipnKindOf(fields: Readonly<Record<string, unknown>>): CallbackKind {
  if (fields['gw_test'] === true) return 'test'
  if (fields['payment_id'] !== undefined) return 'payment'
  if (fields['batch_withdrawal_id'] !== undefined) return 'payout'
  if (fields['from_currency'] !== undefined) return 'conversion'
  return fields['from_sub_id'] === undefined ? 'subscription' : 'transfer'
}

/** Parses a time of a body: ISO text, or milliseconds as the compatible gateway writes them. */
function momentOf(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : value
  return typeof at === 'number' && Number.isSafeInteger(at) ? at : null
}
