import { describe, expect, test } from 'vitest'
import { run, runJson } from '../../support/program/cli.ts'
import { bareChat, bareHome, remoteHelpdesk, servedChat } from '../../support/worlds/chat-served.ts'

/** Texts are sent to others only once, even if the response is lost. */

const words = (line: string) => line.split(' ')
/** One attempt each, so that a retry does not repair the loss. */
const once = { COUNTROOM_ATTEMPTS: '1' }

async function aHelpdesk() {
  const served = await servedChat()
  const home = await remoteHelpdesk(served)
  await run(words('tickets create First --account amy'), { home })
  const opened = await runJson(words('rooms open amy'), { home })
  const roomId = String(opened.data['roomId'])
  const commands = {
    comment: words('tickets comment 1 Noted'),
    sendCustomerText: ['rooms', 'say', roomId, 'Hello'],
    reply: ['rooms', 'reply', roomId, 'Welcome', '--yes'],
    createTicket: words('tickets create Second'),
  }
  const counts = async () => {
    const ticket = await runJson(words('tickets show 1'), { home })
    const room = await runJson(['rooms', 'messages', roomId], { home })
    const list = await runJson(words('tickets list'), { home })
    const comments = ticket.data['comments'] as { content: string }[]
    const texts = (room.data['messages'] as { text: string }[]).map(({ text }) => text)
    return {
      comment: comments.filter(({ content }) => content === 'Noted').length,
      sendCustomerText: texts.filter((text) => text === 'Hello').length,
      reply: texts.filter((text) => text === 'Welcome').length,
      createTicket: Number(list.data['total']) - 1,
    }
  }
  return { home, commands, counts, faults: served.world.faults }
}

type Call = keyof Awaited<ReturnType<typeof aHelpdesk>>['commands']
const all = (count: number) => ({ comment: count, sendCustomerText: count, reply: count, createTicket: count })

describe('with a response that is lost', () => {
  test('it is found and reported as done, or the idempotency key for a repeat is named', async () => {
    const { home, commands, counts, faults } = await aHelpdesk()
    const ended: Record<string, unknown> = {}
    for (const [endpoint, line] of Object.entries(commands)) {
      await faults.set({ kind: 'cut-after', endpoint, times: 1 })
      const { code, data, error } = await runJson(line, { home, env: once })
      ended[endpoint] = code
      if (endpoint === 'comment') expect(data['commentId']).toMatch(/^cmt_/)
      if (endpoint === 'sendCustomerText') expect(data['message']).toMatchObject({ text: 'Hello', seq: 1 })
      if (endpoint !== 'createTicket') continue
      // Several tickets may have this title, so none is guessed.
      expect(error.message).toContain(`--key ${error.details['key']}`)
      const again = await runJson([...line, ...String(error.details['repeatWith']).split(' ')], { home })
      expect([again.code, again.data['key']]).toEqual([0, error.details['key']])
    }
    expect(ended).toEqual({ comment: 0, sendCustomerText: 0, reply: 0, createTicket: 7 })
    expect(await counts()).toEqual(all(1))
  })
})

describe('with a request that is lost', () => {
  test('an unknown outcome is reported with the key, and the same command with it creates one object, also when run three times', async () => {
    const { home, commands, counts, faults } = await aHelpdesk()
    for (const [endpoint, line] of Object.entries(commands) as [Call, string[]][]) {
      await faults.set({ kind: 'cut-before', endpoint, times: endpoint === 'reply' ? 2 : 1 })
      const lost = await runJson(line, { home, env: once })
      expect([endpoint, lost.code, lost.error.retryable]).toEqual([endpoint, 7, true])
      expect(lost.error.message.includes('No response arrived, and it does not exist')).toBe(
        endpoint === 'comment' || endpoint === 'sendCustomerText',
      )
      expect((await counts())[endpoint]).toBe(0)
      const withKey = String(lost.error.details['repeatWith']).split(' ')
      for (let i = 0; i < 2; i++) expect((await run([...line, ...withKey], { home })).code).toBe(0)
    }
    expect(await counts()).toEqual(all(1))
  })
})

test('on an instance without keys the text is looked up, and a missing answer is reported', async () => {
  const bare = await bareChat(1)
  const home = await bareHome(bare)
  const line = words('tickets comment T1 Noted')
  bare.breakAfterComments = 0
  expect((await run(line, { home, env: once })).code).toBe(0)
  bare.breakAfterComments = 0
  bare.showsComments = false
  const hidden = await runJson(line, { home, env: once })
  expect([hidden.code, hidden.error.message]).toEqual([7, expect.stringContaining('check first whether it exists')])
  expect(bare.tickets[0]?.comments).toHaveLength(2)
  // Without known support for keys, a ticket is not created again automatically.
  bare.refuses = (request) => (request === 'POST /api/public/v1/tickets' ? { status: 503, retryAfter: 0 } : undefined)
  expect((await run(words('tickets create Third'), { home })).code).toBe(7)
  expect(bare.seen.filter((request) => request === 'POST /api/public/v1/tickets')).toHaveLength(1)
})
