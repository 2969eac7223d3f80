import { ipnForm, webhookForm } from '../../../operator/callbacks/signatures.ts'
import type { Mail } from './command.ts'

/** Webhooks of the casino platform. */
export const webhookMail: Mail = {
  form: webhookForm,
  topic: 'webhooks',
  noun: 'webhook',
  secretPattern: /^whs_[A-Za-z0-9]{32}$/,
  secretForm: 'whs_ and 32 letters and digits',
  async secretOf(profile, config) {
    const { webhookAccessOf } = await import('../../../world/clients/webhook-secret.ts')
    return (await webhookAccessOf(profile, config)).secret
  },
  async openBook(profile, config) {
    const [{ openBookOf }, { webhookAccessOf }] = await Promise.all([
      import('../../../world/clients/book-location.ts'),
      import('../../../world/clients/webhook-secret.ts'),
    ])
    const { identity } = await webhookAccessOf(profile, config)
    return openBookOf(config, profile, identity)
  },
}

/** IPNs of the payment gateway. */
export const ipnMail: Mail = {
  form: ipnForm,
  topic: 'ipn',
  noun: 'callback',
  secretPattern: /^\S{8,256}$/,
  secretForm: 'one line without spaces, of at least 8 characters',
  async secretOf(profile, config) {
    const { ipnSecretOf } = await import('../../../world/clients/ipn-secret.ts')
    return ipnSecretOf(profile, config)
  },
  async openBook(profile, config) {
    const { openBookHere } = await import('../../../world/clients/book-location.ts')
    return openBookHere(config, profile)
  },
}
