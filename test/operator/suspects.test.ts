import { expect, test } from 'vitest'
import { createClient } from '../../src/http/client/client.ts'
import { inProcess } from '../../src/http/client/in-process-transport.ts'
import { signed } from '../../src/http/client/sign.ts'
import { keyInHeader } from '../../src/http/client/signers.ts'
import type { Transport } from '../../src/http/contract/wire-types.ts'
import { openSuspects } from '../../src/operator/tickets/duplicate-candidates.ts'
import { openTicketsApi } from '../../src/operator/tickets/tickets-api.ts'
import { chatCredentials } from '../../src/services/chat/admin.ts'
import { chat as chatContract } from '../../src/services/chat/api/contract.ts'
import { bareChat, servedChat } from '../support/worlds/chat-served.ts'

test('the same words are found at any age and by any author, in few requests', async () => {
  const served = await servedChat()
  const keys = await chatCredentials(served.world.chat, 'DEMO')
  const transport = signed(inProcess(served.world.server), keyInHeader('x-chat-apikey', keys?.apiKey ?? ''))
  const bot = createClient(chatContract, transport)
  const make = async (title: string, customerAccount: string) =>
    (await bot.createTicket({ body: { title, customerAccount } })).ticketId
  const old = await make('Jackpot of the pirate game was not paid out', 'bea')
  const reworded = await make('The pirate game jackpot: not paid out!', 'cid')
  const chinese = await make('海盜遊戲的彩金沒有派發', 'dan')
  for (let i = 0; i < 120; i++) await make(`Deposit was not paid out ${i}`, `c${i}`)
  const mine = await make('Jackpot of the pirate game was not paid out', 'amy')
  const mineInChinese = await make('海盜遊戲彩金沒有派發', 'amy')

  const requests: string[] = []
  const counting: Transport = (request) => {
    requests.push(request.path)
    return transport(request)
  }
  const operator = openTicketsApi({ bot: { once: counting, retrying: counting }, agent: undefined })
  const find = openSuspects(operator)
  const ticket = await operator.read(mine)
  requests.length = 0
  const { suspects, looked, total, words } = await find(ticket)
  expect(suspects.slice(0, 2).map(({ ticket: other, reason }) => [other.ticketId, reason])).toEqual([
    [old, 'similar texts'],
    [reworded, 'similar texts'],
  ])
  expect(suspects[0]?.likeness).toBe(1)
  expect(words).toContain('jackpot')
  expect(total).toBe(125)
  // Compared with some of them, and the result reports it.
  expect(looked).toBeLessThan(124)
  expect(requests.length).toBeLessThanOrEqual(8)
  const first = requests.length
  // The latest are read once for all.
  const second = await find(await operator.read(mineInChinese))
  expect(requests.length - first - 1).toBeLessThanOrEqual(7)
  expect(second.suspects[0]).toMatchObject({ ticket: { ticketId: chinese }, reason: 'similar texts' })
})

test('an instance without numbers, counts and keywords is compared with its lists', async () => {
  const bare = await bareChat(3)
  for (const [i, subject] of ['Where is my deposit', 'Password', 'Where is my deposit?'].entries()) {
    const ticket = bare.tickets[i]
    if (ticket) ticket.subject = subject
  }
  const send: Transport = async ({ method, path, headers }) => {
    const reply = await fetch(`${bare.url}${path}`, { method, headers: { ...headers, 'x-chat-apikey': 'bare-key' } })
    return { status: reply.status, headers: {}, body: await reply.text() }
  }
  const refusing: Transport = async (request) =>
    request.path.includes('keyword=')
      ? { status: 400, headers: {}, body: '{"message":"no keyword here"}' }
      : send(request)
  for (const way of [send, refusing]) {
    const operator = openTicketsApi({ bot: { once: way, retrying: way }, agent: undefined })
    const result = await openSuspects(operator)(await operator.read('T3'))
    expect(result.suspects.map(({ ticket }) => ticket.ticketId)).toEqual(['T1'])
    expect([result.looked, result.total]).toEqual([2, null])
  }
})
