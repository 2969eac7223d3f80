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

/** The two documents' callbacks: how each is signed, and what it says of itself. Everything else about them is shared. */
export interface CallbackForm {
  readonly channel: Channel
  /** The header that vouches for the bytes. */
  readonly signatureHeader: string
  /** How a captured callback stands with a secret at a moment. */
  verdictOn(captured: Captured, secret: string, now: number): WebhookVerdict
  /** What the body says of itself; why not, where it says nothing that can be used or something else than the headers. */
  identityOf(captured: Captured): CallbackIdentity | { readonly because: string }
  /** The moment in its signature, where that has one. */
  signedAtOf(captured: Captured): number | null
  /** An identity as JSON output names it. */
  told(identity: CallbackIdentity): Readonly<Record<string, string | null>>
  /** Whether a recorded signature is outside of its window, so that a receiver would refuse it. */
  hasRunOut(row: Pick<BookCallbackRow, 'signed_at'>, now: number): boolean
  /** The signature over bytes at a moment. */
  sign(secret: string, body: Uint8Array, now: number): string
}

/** Webhooks of the platform (1-tenant-api, Events). */
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
    const told = { 'x-svc-delivery': id, 'x-svc-event': event }
    for (const [name, value] of Object.entries(told)) {
      const header = headerOf(captured, name)
      // Only the body is signed: a header that says otherwise was changed on the way.
      if (header !== undefined && header !== value) return { because: `${name} is not what the body says` }
    }
    return {
      id,
      channel: 'tenant-webhook',
      owner: companyCode,
      kind: 'webhook',
      subject: null,
      event,
      toldAt: momentOf(createdAt),
    }
  },
  signedAtOf(captured) {
    const seconds = /^\s*t=([0-9]{1,12}),/.exec(headerOf(captured, 'x-svc-signature') ?? '')?.[1]
    return seconds === undefined ? null : Number(seconds) * 1000
  },
  told: ({ id, event, owner, toldAt }) => ({
    deliveryId: id,
    event,
    companyCode: owner,
    createdAt: maybeMoment(toldAt),
  }),
  hasRunOut: ({ signed_at }, now) => Math.abs((signed_at ?? 0) - now) > signatureWindowMs,
  sign: signWebhook,
}

/** Callbacks of the gateway (2-payment-gateway-api, Events). Their signature has no moment in it, and never runs out. */
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
      // There is no delivery id, and a status may be told more than once: the same bytes are the same callback.
      id: `${subject}-${status.toLowerCase()}-${sha256Hex(body).slice(0, 12)}`,
      channel: 'merchant-ipn',
      owner: null,
      kind,
      subject: String(subject),
      event: status.toLowerCase(),
      toldAt: momentOf(fields['updated_at']),
    }
  },
  signedAtOf: () => null,
  told: ({ id, kind, subject, event, toldAt }) => ({
    id,
    kind,
    subject,
    status: event,
    updatedAt: maybeMoment(toldAt),
  }),
  hasRunOut: () => false,
  sign: (secret, body) => signIpn(secret, body),
}

/** No field says what a callback is about: its kinds are told apart by the fields that only one of them has. */
function ipnKindOf(fields: Readonly<Record<string, unknown>>): CallbackKind {
  if (fields['gw_test'] === true) return 'test'
  if (fields['payment_id'] !== undefined) return 'payment'
  if (fields['batch_withdrawal_id'] !== undefined) return 'payout'
  if (fields['from_currency'] !== undefined) return 'conversion'
  return fields['from_sub_id'] === undefined ? 'subscription' : 'transfer'
}

/** A moment as bodies carry it: ISO text, or milliseconds as the compatible gateway writes them. */
function momentOf(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : value
  return typeof at === 'number' && Number.isSafeInteger(at) ? at : null
}
