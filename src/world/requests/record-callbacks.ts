import type { ExchangeLog } from '../../http/server/exchanges/exchange-log.ts'
import type { Outbox } from '../../outbox/outbox.ts'

/** Returns a function that records the callbacks of an outbox. `name` is the part of their ids before the number. */
export function recordCallbacks(exchanges: ExchangeLog, name = 'callback'): NonNullable<Outbox['record']> {
  let count = 0
  return ({ delivery, headers, body }) => {
    const { id, event, owner, channel, url } = delivery
    const exchange = exchanges.begin({
      kind: 'callback',
      // An attempt may be sent twice, so its delivery and number do not identify it.
      id: `${name}-${++count}`,
      method: 'POST',
      url,
      headers,
      prefix: '',
      address: '',
      service: channel === 'tenant-webhook' ? 'casino' : 'gateway',
      delivery: { id, event, owner },
    })
    exchange.body = body
    return (outcome) => {
      if ('reason' in outcome) exchange.error = outcome.reason
      exchanges.end(exchange, 'reason' in outcome ? undefined : outcome)
    }
  }
}
