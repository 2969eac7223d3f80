import { expect, test } from 'vitest'
import { Problem } from '../../../src/kit/problem.ts'
import { watchChat } from '../../../src/operator/tickets/watch.ts'

test('an outage of the desk is reported once, after any number of attempts, and its end once', async () => {
  const messages: string[] = []
  const events: unknown[] = []
  const stop = new AbortController()
  const ways = ['good', 'bad', 'bad', 'bad', 'good', 'bad', 'bad', 'last']
  await watchChat({
    after: 'e.1',
    stop: stop.signal,
    sleep: async () => {},
    random: () => 0.5,
    keep: () => {},
    take: ({ event }) => events.push(event),
    onGap: (text) => messages.push(text),
    async listen({ take }) {
      const way = ways.shift()
      if (way === 'bad') throw new Problem('REMOTE_LOST', 'The stream broke off', { outcome: 'none' })
      take({ event: 'ready', id: 'e.1', data: '{}' })
      take({ event: 'message.created', id: 'e.2', data: '{}' })
      if (way === 'last') stop.abort()
      return { end: 'closed' }
    },
  })
  const outage = ['The stream broke off. Trying again', 'Connected again']
  expect(messages).toEqual([...outage, ...outage])
  expect(events).toHaveLength(3)
})
