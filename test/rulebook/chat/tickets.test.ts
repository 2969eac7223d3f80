import { describe, expect, test } from 'vitest'
import { createAgent, saveForm } from '../../../src/services/chat/admin.ts'
import { Message, WholeTicket } from '../../../src/services/chat/api/schemas.ts'
import { shared } from '../shared.ts'
import { aHelpdesk, ask } from './ask.ts'
import * as book from './forms.ts'

const helpdesk = shared(async (world) => {
  const shop = await aHelpdesk(world)
  const field = {
    ...{ fieldCode: 'cause', label: 'Cause', type: 'text', required: false, visibleToCustomer: true },
    ...{ validation: {}, requiredOnStatus: ['resolved'] },
  }
  const form = { title: 'Limited', description: '', fields: [field], workflow: book.limitedWorkflow }
  await saveForm(world.chat, shop.code, 'limited', form)
  const { agentId } = await createAgent(world.chat, shop.code, 'Helpdesk 2')
  return { ...shop, second: agentId }
})

const create = async (change: object = {}) =>
  (await ask(helpdesk(), 'POST /tickets', { title: 'Lost', formCode: 'limited', ...change })).body
const read = async (id: string) => (await ask(helpdesk(), `GET /tickets/${id}`)).body
const move = (id: string, status: string, more: object = {}) =>
  ask(helpdesk(), `POST /tickets/${id}/status`, { status, ...more })
const change = (id: string, sent: object) =>
  ask(helpdesk(), `PATCH /api/agent/v1/tickets/${id}`, sent, { 'x-chat-agenttoken': helpdesk().agentToken })

/** The names in a part of a schema. */
const named = (schema: object): string[] => {
  const text = JSON.stringify(schema)
  const lists = [...text.matchAll(/"enum":\[([^\]]*)\]/g)].flatMap(([, list = '']) => JSON.parse(`[${list}]`))
  return [...lists, ...[...text.matchAll(/"const":"([^"]*)"/g)].map(([, name = '']) => name)]
}

describe('names', () => {
  test('of senders, messages and categories are those of the tables', () => {
    expect(named(Message.properties.senderType).toSorted()).toEqual([...book.senderTypes].toSorted())
    expect(named(Message.properties.messageType).toSorted()).toEqual([...book.messageTypes].toSorted())
    expect(named(WholeTicket.properties.statusCategory).toSorted()).toEqual([...book.statusCategories].toSorted())
  })
})

describe('a workflow with steps', () => {
  const { statuses, transitions } = book.limitedWorkflow
  const codes = statuses.map(({ code }) => code)
  const stepFrom = (from: string, to: string) =>
    transitions.find((each) => each.from === from && each.to === to) ??
    transitions.find((each) => each.from === '*' && each.to === to)
  /** Ways in which a new ticket gets each status. */
  const ways = { open: [], waiting: ['waiting'], resolved: ['waiting', 'resolved'], closed: ['closed'] } as const
  const rows = codes.flatMap((from) => codes.map((to) => ({ from, to })))
  const cause = { fieldValues: [{ fieldCode: 'cause', value: 'x' }] }
  const comment = { comment: { content: 'why', visibility: 'internal' } }

  async function at(from: keyof typeof ways) {
    const { ticketId } = await create(cause)
    for (const status of ways[from]) expect((await move(ticketId, status, comment)).status).toBe(200)
    return read(ticketId)
  }

  test.each(rows)('from $from to $to', async ({ from, to }) => {
    const was = await at(from)
    const step = stepFrom(from, to)
    const expected = codes.filter((code) => code !== from && stepFrom(from, code))
    expect(was.allowedTransitions).toEqual(expected)
    const reply = await move(was.ticketId, to)
    const now = await read(was.ticketId)
    if (from === to) {
      expect(reply.body).toMatchObject({ changed: false, previousStatus: from, version: was.version })
      expect(now).toEqual(was)
    } else if (!step) {
      expect(reply.body.error).toMatchObject({ code: 'TRANSITION_NOT_ALLOWED' })
      expect(reply.body.error.details[0]).toMatchObject({ from, allowedTransitions: expected })
      expect(now).toEqual(was)
    } else if (step.requiresComment) {
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(now).toEqual(was)
      expect((await move(was.ticketId, to, comment)).body).toMatchObject({ changed: true, status: to })
    } else {
      expect(reply.body).toMatchObject({ changed: true, previousStatus: from, status: to, version: was.version + 1 })
      expect(now.history).toHaveLength(was.history.length + 1)
      expect(now.history.at(-1)).toMatchObject({ kind: 'statusChanged', from, to })
    }
  })

  test('a field that a status requires is required when it is entered', async () => {
    const { ticketId } = await create()
    await move(ticketId, 'waiting')
    const refused = await move(ticketId, 'resolved', comment)
    expect(refused.body.error.code).toBe('INVALID_FIELD_VALUES')
    expect(refused.body.error.details).toMatchObject([{ code: 'required' }])
    await change(ticketId, cause)
    expect((await move(ticketId, 'resolved', comment)).status).toBe(200)
  })

  test('a ticket has the times of its resolution and closing, and the number of its reopenings', async () => {
    const { ticketId } = await create({ formCode: 'general' })
    const lifecycle = async () => {
      const { resolvedAt, closedAt, reopenCount } = await read(ticketId)
      return [resolvedAt !== null, closedAt !== null, reopenCount]
    }
    expect(await lifecycle()).toEqual([false, false, 0])
    await move(ticketId, 'resolved')
    expect(await lifecycle()).toEqual([true, false, 0])
    await move(ticketId, 'closed')
    expect((await lifecycle())[1]).toBe(true)
    await move(ticketId, 'open')
    expect(await lifecycle()).toEqual([false, false, 1])
  })
})

describe('history', () => {
  test('has one entry per change, of each kind that a change produces', async () => {
    const { ticketId } = await create({ formCode: 'limited' })
    const until = '2026-03-20T12:00:00.000Z'
    const changes = [
      { by: () => move(ticketId, 'waiting'), kind: 'statusChanged' },
      { by: () => ask(helpdesk(), `POST /tickets/${ticketId}/comments`, { content: 'x' }), kind: 'commentAdded' },
      { by: () => change(ticketId, { priority: 4 }), kind: 'priorityChanged' },
      { by: () => change(ticketId, { assignee: helpdesk().second }), kind: 'assigneeChanged' },
      { by: () => change(ticketId, { fieldValues: [{ fieldCode: 'cause', value: 'y' }] }), kind: 'fieldChanged' },
      { by: () => change(ticketId, { snoozedUntil: until }), kind: 'snoozed' },
    ]
    const kinds = ['created']
    let { version } = await read(ticketId)
    for (const { by, kind } of changes) {
      expect((await by()).status).toBeLessThan(300)
      kinds.push(kind)
      const now = await read(ticketId)
      expect(now.history.map((each: { kind: string }) => each.kind)).toEqual(kinds)
      expect(now.version).toBe(++version)
    }
    const { history } = await read(ticketId)
    for (const entry of history) expect(Object.keys(entry)).toEqual(expect.arrayContaining([...book.historyFields]))
    expect(new Set([...kinds, ...book.unlivedKinds])).toEqual(new Set(book.historyKinds))
  })

  test('and comments: the newest 200 of a ticket are shown', async () => {
    const { ticketId } = await create()
    const comment = (i: number) => ask(helpdesk(), `POST /tickets/${ticketId}/comments`, { content: `c ${i}` })
    for (let i = 1; i <= book.maxListed; i++) await comment(i)
    const whole = await read(ticketId)
    expect([whole.comments.length, whole.commentsTruncated]).toEqual([book.maxListed, false])
    // Its creation is one entry in addition to its comments.
    expect([whole.history.length, whole.historyTruncated]).toEqual([book.maxListed, true])
    await comment(book.maxListed + 1)
    const cut = await read(ticketId)
    expect([cut.comments.length, cut.commentsTruncated, cut.commentCount]).toEqual([200, true, 201])
    expect([cut.comments[0].content, cut.comments.at(-1).content]).toEqual(['c 2', 'c 201'])
  })
})

describe('comments', () => {
  test.each(book.visibilities.accepts)('%s: the customer’s room gets it or not', async (visibility) => {
    const { ticketId } = await create({ customerAccount: 'ann' })
    const room = helpdesk().room.body.roomId
    const count = async () => (await ask(helpdesk(), `GET /rooms/${room}/messages`)).body.items
    const before = await count()
    const sent = await ask(helpdesk(), `POST /tickets/${ticketId}/comments`, { content: 'x', visibility })
    const later = await count()
    const isPublic = visibility === 'public'
    expect(later.length - before.length).toBe(isPublic ? 1 : 0)
    expect(sent.body.notified).toEqual(
      isPublic ? [{ channel: 'room', roomId: room, messageId: later.at(-1).messageId }] : [],
    )
    if (isPublic) expect(later.at(-1)).toMatchObject({ messageType: 'event', eventKind: 'ticketComment', ticketId })
    expect((await read(ticketId)).firstResponseAt === null).toBe(!isPublic)
  })

  test('a public one without a room is stored and sent to no one', async () => {
    const { ticketId } = await create({ customerAccount: 'nobody-here' })
    const sent = await ask(helpdesk(), `POST /tickets/${ticketId}/comments`, { content: 'x', visibility: 'public' })
    expect(sent.body.notified).toEqual([{ channel: 'none' }])
  })
})
