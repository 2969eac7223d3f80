import { expect, test } from 'vitest'
import { type DoneAction, type UndoneTicket, undoActionsFor } from '../../../src/domain/tickets/undo.ts'
import { createClient } from '../../../src/http/client/client.ts'
import { inProcess } from '../../../src/http/client/in-process-transport.ts'
import { signed } from '../../../src/http/client/sign.ts'
import { keyInHeader } from '../../../src/http/client/signers.ts'
import { chatCredentials } from '../../../src/services/chat/admin.ts'
import { agent as agentContract, chat as chatContract } from '../../../src/services/chat/api/contract.ts'
import { runJson } from '../../support/program/cli.ts'
import { bareChat, bareHome, remoteHelpdesk, servedChat } from '../../support/worlds/chat-served.ts'

const words = (line: string) => line.split(' ')

test('a bulk action is undone for unchanged tickets: status and priority, but no comment and no change by others', async () => {
  const served = await servedChat()
  const keys = await chatCredentials(served.world.chat, 'DEMO')
  const line = (header: string, key: string | undefined) =>
    signed(inProcess(served.world.server), keyInHeader(header, key ?? ''))
  const bot = createClient(chatContract, line('x-chat-apikey', keys?.apiKey))
  const agent = createClient(agentContract, line('x-chat-agenttoken', keys?.agentToken))
  for (const title of ['One', 'Two', 'Three']) await bot.createTicket({ body: { title } })
  const home = await remoteHelpdesk(served)
  const order = [
    'tickets',
    'bulk',
    '--filter',
    'status=open',
    ...words('--status resolved --priority high --comment'),
    'Known',
  ]
  const { data: made } = await runJson([...order, '--apply'], { home })
  const sessionId = String(made['planId'])
  // Another agent changes the third one.
  await agent.changeTicket({ params: { ticketId: '3' }, body: { priority: 4 } })
  const { data: list } = await runJson(words('tickets undo'), { home })
  expect(list['sessions']).toMatchObject([{ sessionId, kind: 'bulk', tickets: 3, done: 9 }])
  const preview = await runJson(['tickets', 'undo', '--session', sessionId], { home })
  expect(preview.data).toMatchObject({ applied: false })
  expect((await bot.ticket({ params: { ticketId: '1' } })).status).toBe('resolved')
  const { code, data } = await runJson(['tickets', 'undo', '--session', sessionId, '--apply'], { home })
  expect(code).toBe(0)
  const items = data['items'] as { ticketNumber: number; outcome: string; stays: { why: string }[] }[]
  expect(items.map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied'])
  const third = items.find(({ ticketNumber }) => ticketNumber === 3)
  expect(third?.stays.map(({ why }) => why)).toEqual([
    'it changed in the meantime',
    expect.stringContaining('comments cannot be undone'),
  ])
  const after = (await bot.tickets({ query: { sort: 'createdAt' } })).items
  expect(after.map(({ status, priority, commentCount }) => [status, priority, commentCount])).toEqual([
    ['open', 2, 1],
    ['open', 2, 1],
    ['open', 4, 1],
  ])
  const again = await runJson(['tickets', 'undo', '--session', sessionId, '--apply'], { home })
  expect((again.data['items'] as { actions: unknown[] }[]).flatMap(({ actions }) => actions)).toEqual([])
  const nobody = await runJson(words('tickets undo --session 01J8Z3V5Q8T9X0Y1Z2A3B4C5D6'), { home })
  expect([nobody.code, nobody.error.code]).toEqual([5, 'PLAN_NOT_FOUND'])
})

test('it works with the document’s endpoints only', async () => {
  const bare = await bareChat(2)
  const home = await bareHome(bare)
  const { data } = await runJson(
    ['tickets', 'bulk', '--filter', 'status=open', ...words('--status resolved --apply')],
    { home },
  )
  expect(bare.tickets.map(({ status }) => status)).toEqual(['resolved', 'resolved'])
  await runJson(['tickets', 'undo', '--session', String(data['planId']), '--apply'], { home })
  expect(bare.tickets.map(({ status }) => status)).toEqual(['open', 'open'])
})

const ticket: UndoneTicket = {
  ticketId: 't',
  version: 1,
  status: 'resolved',
  priority: 3,
  assigneeId: 'a',
  snoozedUntil: null,
  allowedTransitions: ['closed'],
}
const did = (key: string, action: DoneAction['action'], before: unknown): DoneAction => ({ key, action, before })

test('several decisions on one ticket are undone to before the first of them, and a forbidden step is reported and not sent', () => {
  const steps = [
    did('1', { kind: 'priority', priority: 4 }, 1),
    did('2', { kind: 'priority', priority: 3 }, 4),
    did('3', { kind: 'status', status: 'resolved' }, 'open'),
  ]
  expect(undoActionsFor(ticket, steps, true)).toEqual({
    actions: [{ kind: 'priority', priority: 1 }],
    keys: ['1', '2'],
    stays: [{ action: { kind: 'status', status: 'resolved' }, reason: 'not-allowed' }],
  })
  expect(undoActionsFor({ ...ticket, allowedTransitions: null }, steps, false)).toMatchObject({
    actions: [{ kind: 'status', status: 'open' }],
    stays: [{ reason: 'not-here' }, { reason: 'not-here' }],
  })
  expect(undoActionsFor({ ...ticket, status: 'open', priority: 1 }, steps, true)).toEqual({
    actions: [],
    keys: ['1', '2', '3'],
    stays: [],
  })
})
