import { expect, test } from 'vitest'
import type { CommandContext } from '../../../../src/cli/context/context.ts'
import { followRooms } from '../../../../src/cli/topics/rooms/follow-events.ts'
import { Problem } from '../../../../src/kit/problem.ts'
import type { ChatWatch } from '../../../../src/operator/tickets/watch.ts'

test('a watch says that it listens once, and not before its stream is open', async () => {
  const shown: string[] = []
  const shownBefore: string[][] = []
  const listen: ChatWatch['listen'] = async ({ take }) => {
    shownBefore.push([...shown])
    if (shownBefore.length === 1) throw new Problem('REMOTE_LOST', 'The stream broke off', { outcome: 'none' })
    take({ event: 'ready', id: 'e.1', data: '{}' })
    shownBefore.push([...shown])
    take({ event: 'ready', id: 'e.1', data: '{}' })
    take({ event: 'message.created', id: 'e.2', data: '{}' })
    return { end: 'closed' }
  }
  const context = {
    services: { chat: async () => ({ listen }) },
    stop: new AbortController().signal,
    note: (text: string) => shown.push(text),
    line: async () => true,
  } as unknown as CommandContext
  expect(await followRooms(context, { count: 1 })).toEqual({ events: 1, cursor: 'e.2' })
  const lost = 'The stream broke off. Trying again'
  expect(shownBefore).toEqual([[], [lost], [lost, 'Listening…', 'Connected again']])
  expect(shown).toEqual([lost, 'Listening…', 'Connected again'])
})
