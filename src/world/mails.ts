import type { Ambient } from '../kit/ambient.ts'
import type { ChatOptions } from '../services/chat/service.ts'
import { insertMail } from '../services/gateway/queries/subscriptions.ts'

/**
 * Puts the chat's emails into the world's one outbox of mails, which belongs to the gateway. The chat has no environments, so
 * its mails are listed under `production`.
 */
export function chatMail({ id }: Pick<Ambient, 'id'>): ChatOptions['mail'] {
  return (tx, { tenant, recipient, subject, body }) =>
    insertMail(tx, {
      id: id(),
      environment: 'production',
      merchant: tenant,
      recipient,
      subject,
      body,
      created_at: tx.now,
    })
}
