import type { Channel } from '../../../domain/webhooks/retry-schedule.ts'

/** The callbacks of one service, as far as commands describe them. */
export interface CallbackTopic {
  readonly channel: Channel
  /** First word of the commands. */
  readonly words: 'webhooks' | 'ipn'
  /** Noun for one callback. */
  readonly noun: 'webhook' | 'callback'
}

/** Webhooks of the casino platform. */
export const webhookTopic: CallbackTopic = { channel: 'tenant-webhook', words: 'webhooks', noun: 'webhook' }

/** IPNs of the payment gateway. */
export const ipnTopic: CallbackTopic = { channel: 'merchant-ipn', words: 'ipn', noun: 'callback' }
