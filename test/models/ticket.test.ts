import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { world } from '../../src/db/migrations/world/index.ts'
import { saveForm } from '../../src/services/chat/admin.ts'
import { aHelpdesk, aMerchant, type Helpdesk, type Merchant, raw } from '../services/chat/helpdesk.ts'
import { engines } from '../support/databases/engines.ts'
import {
  addComment,
  allowedFrom,
  answer,
  type Category,
  categoryOf,
  enter,
  type ModelForm,
  type ModelTicket,
  stepIn,
  wake,
} from './ticket-model.ts'

/**
 * Tickets by model: after any requests in any order, the ticket, the lists, the history, the room and the events are
 * equal. `MODEL_RUNS=10000` tries that many histories, another `MODEL_SEED` different ones.
 */

const codes = ['open', 'doing', 'wait', 'done', 'shut', 'extra'] as const
const categories: Readonly<Record<(typeof codes)[number], Category>> = {
  open: 'open',
  doing: 'open',
  wait: 'waiting',
  done: 'resolved',
  shut: 'closed',
  extra: 'new',
}
const steps = {
  any: null,
  strict: [
    { from: 'open', to: 'wait', requiresComment: false },
    { from: 'open', to: 'done', requiresComment: true },
    { from: 'wait', to: 'extra', requiresComment: true },
    { from: 'done', to: 'open', requiresComment: false },
    { from: '*', to: 'shut', requiresComment: false },
  ],
  stuck: [
    { from: '*', to: 'wait', requiresComment: false },
    { from: 'wait', to: 'done', requiresComment: false },
  ],
} as const

const pick = fc.constantFrom
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined, freq: 2 })
// Mostly one customer, so that several tickets share a room.
const account = pick('ann', 'ann', 'ann', 'bob')
const rarely = <T>(some: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: some })
const moment = pick('2026-05-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z', null)
const expected = pick('none', 'none', 'current', 'stale')
const visibility = pick('internal', 'public')
const action = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('create'),
      title: pick('Deposit', 'Bonus'),
      account: maybe(account),
      ref: maybe(pick('R-1', 'R-1', 'R-2', 'R-2', 'too long')),
      key: rarely(pick('k1', 'k2')),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('comment'),
      at: fc.nat(4),
      content: pick('one', 'two'),
      visibility,
      id: maybe(pick('c1', 'c2')),
      key: rarely(pick('k1', 'k2')),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('say'),
      account,
      text: pick('hello', 'bye'),
      id: rarely(pick('m1', 'm2')),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('move'),
      at: fc.nat(4),
      to: pick(...codes, 'wait', 'wait', 'nowhere'),
      comment: maybe(visibility),
      expected,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('change'),
      at: fc.nat(4),
      priority: maybe(fc.integer({ min: 1, max: 4 })),
      snoozedUntil: maybe(moment),
      ref: maybe(pick('R-1', 'R-3', 'too long', null)),
      expected,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('room'), account }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('form'),
      flow: pick('any', 'strict', 'stuck'),
      refOnStatus: pick(null, null, 'done', 'doing'),
      isExtraActive: fc.boolean(),
    }),
  },
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

class TicketRun {
  readonly tickets: ModelTicket[] = []
  readonly ids: string[] = []
  readonly rooms = new Map<string, { id: string; messages: string[]; textsById: Map<string, string> }>()
  readonly keys = new Map<string, { question: string; id: string }>()
  readonly clientIds = new Map<string, string>()
  form: ModelForm | undefined
  readonly helpdesk: Helpdesk
  readonly merchant: Merchant

  constructor(helpdesk: Helpdesk, merchant: Merchant) {
    this.helpdesk = helpdesk
    this.merchant = merchant
  }

  async ask(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, key?: string) {
    const isAgent = method === 'PATCH'
    const headers: Record<string, string> = {
      ...(isAgent ? { 'x-chat-agenttoken': this.merchant.agentToken } : { 'x-chat-apikey': this.merchant.apiKey }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    }
    const prefix = isAgent ? '/api/agent/v1' : '/api/public/v1'
    const { status, body: text } = await raw(this.helpdesk, method, `${prefix}${path}`, headers, body)
    const response = JSON.parse(text)
    return { status, response, code: response.error?.code as string | undefined }
  }

  /** A request and its expected outcome: a status code, or the code of its refusal. */
  async expects(outcome: number | string, request: ReturnType<TicketRun['ask']>) {
    const { status, response, code } = await request
    expect(typeof outcome === 'string' ? code : status, JSON.stringify(response)).toBe(outcome)
    return response
  }

  async run(step: Action): Promise<void> {
    this.helpdesk.clock.now += 1_000
    switch (step.kind) {
      case 'form':
        return this.saveForm(step)
      case 'room':
        return this.openRoom(step.account)
      case 'create':
        return this.create(step)
      case 'say':
        return this.postMessage(step)
      default:
    }
    const ticket = this.tickets[step.at % Math.max(1, this.tickets.length)]
    const id = this.ids[step.at % Math.max(1, this.ids.length)]
    if (!ticket || !id) return
    if (step.kind === 'comment') return this.comment(step, ticket, id)
    if (step.kind === 'move') return this.move(step, ticket, id)
    return this.change(step, ticket, id)
  }

  async saveForm({ flow, refOnStatus, isExtraActive }: Extract<Action, { kind: 'form' }>) {
    const form: ModelForm = {
      version: (this.form?.version ?? 0) + 1,
      initialStatus: 'open',
      statuses: codes.map((code) => ({ code, category: categories[code], active: code !== 'extra' || isExtraActive })),
      transitions: steps[flow],
      refOnStatus,
    }
    await saveForm(this.helpdesk.app, this.merchant.code, 'f', {
      fields: [
        {
          fieldCode: 'ref',
          label: 'Ref',
          type: 'text',
          validation: { maxLength: 5 },
          requiredOnStatus: refOnStatus === null ? [] : [refOnStatus],
        },
      ],
      workflow: {
        initialStatus: 'open',
        statuses: form.statuses.map((each) => ({ ...each, label: each.code })),
        transitions: form.transitions,
      },
    })
    this.form = form
  }

  async openRoom(name: string) {
    const isNew = !this.rooms.has(name)
    const { roomId } = await this.expects(isNew ? 201 : 200, this.ask('POST', '/rooms', { customerAccount: name }))
    if (!isNew) return expect(this.rooms.get(name)?.id).toBe(roomId)
    this.rooms.set(name, { id: roomId, messages: [], textsById: new Map() })
    for (const ticket of this.tickets) if (ticket.account === name) ticket.hasRoom = true
    return undefined
  }

  async create({ title, account: name, ref, key }: Extract<Action, { kind: 'create' }>) {
    const { form } = this
    const order = {
      title,
      formCode: 'f',
      ...(name === undefined ? {} : { customerAccount: name }),
      ...(ref === undefined ? {} : { fieldValues: [{ fieldCode: 'ref', value: ref }] }),
    }
    const before = key === undefined ? undefined : this.keys.get(`create ${key}`)
    const request = this.ask('POST', '/tickets', order, key)
    if (before) {
      const isSame = before.question === JSON.stringify(order)
      const response = await this.expects(isSame ? 200 : 'IDEMPOTENCY_KEY_REUSED', request)
      if (isSame) expect(response.ticketId).toBe(before.id)
      return
    }
    if (!form) return void (await this.expects('FORM_NOT_FOUND', request))
    if (ref === 'too long') return void (await this.expects('INVALID_FIELD_VALUES', request))
    const response = await this.expects(201, request)
    if (key !== undefined) this.keys.set(`create ${key}`, { question: JSON.stringify(order), id: response.ticketId })
    this.ids.push(response.ticketId)
    this.tickets.push({
      number: this.tickets.length + 1,
      form,
      title,
      account: name ?? null,
      hasRoom: name !== undefined && this.rooms.has(name),
      status: 'open',
      priority: 2,
      ref: ref ?? null,
      version: 1,
      comments: [],
      history: ['created null>open'],
      lastPublic: null,
      snoozedUntil: null,
      hasFirstResponse: false,
      isResolved: false,
      isClosed: false,
      reopenCount: 0,
    })
  }

  async comment(step: Extract<Action, { kind: 'comment' }>, ticket: ModelTicket, id: string) {
    const { content, visibility: who, id: clientCommentId, key } = step
    const order = { content, visibility: who, ...(clientCommentId === undefined ? {} : { clientCommentId }) }
    const request = this.ask('POST', `/tickets/${id}/comments`, order, key)
    const question = JSON.stringify({ id, order })
    const before = key === undefined ? undefined : this.keys.get(`comment ${key}`)
    if (before) {
      const isSame = before.question === question
      const response = await this.expects(isSame ? 200 : 'IDEMPOTENCY_KEY_REUSED', request)
      if (isSame) expect([response.commentId, response.duplicate]).toEqual([before.id, true])
      return
    }
    const known = clientCommentId === undefined ? undefined : this.clientIds.get(`${id} ${clientCommentId}`)
    const isRepeated = known === `${content} ${who}`
    if (known !== undefined && !isRepeated) return void (await this.expects('CLIENT_COMMENT_ID_CONFLICT', request))
    const response = await this.expects(isRepeated ? 200 : 201, request)
    expect(response.duplicate).toBe(isRepeated)
    if (key !== undefined) this.keys.set(`comment ${key}`, { question, id: response.commentId })
    if (isRepeated) return
    if (clientCommentId !== undefined) this.clientIds.set(`${id} ${clientCommentId}`, `${content} ${who}`)
    ticket.version++
    this.write(ticket, content, who)
  }

  /** A comment of an agent; a public one is also sent to the customer's room. */
  write(ticket: ModelTicket, content: string, who: 'internal' | 'public') {
    addComment(ticket, content, who, 'agent')
    const room = ticket.account === null ? undefined : this.rooms.get(ticket.account)
    if (who === 'public') room?.messages.push(`event ${content}`)
  }

  async postMessage({ account: name, text, id }: Extract<Action, { kind: 'say' }>) {
    const room = this.rooms.get(name)
    if (!room) return
    const body = { text, ...(id === undefined ? {} : { clientMessageId: id }) }
    const request = this.ask('POST', `/rooms/${room.id}/messages/customer-text`, body)
    const known = id === undefined ? undefined : room.textsById.get(id)
    if (known !== undefined)
      return void (await this.expects(known === text ? 200 : 'CLIENT_MESSAGE_ID_CONFLICT', request))
    await this.expects(201, request)
    if (id !== undefined) room.textsById.set(id, text)
    room.messages.push(`text ${text}`)
    answer(this.tickets, name, text)
  }

  versionFor(ticket: ModelTicket, versionChoice: string): { expectedVersion?: number } {
    if (versionChoice === 'none') return {}
    return { expectedVersion: versionChoice === 'current' ? ticket.version : ticket.version + 1 }
  }

  async move(step: Extract<Action, { kind: 'move' }>, ticket: ModelTicket, id: string) {
    const { to, comment: who } = step
    const request = this.ask('POST', `/tickets/${id}/status`, {
      status: to,
      ...this.versionFor(ticket, step.expected),
      ...(who === undefined ? {} : { comment: { content: 'why', visibility: who } }),
    })
    const transition = stepIn(ticket.form, ticket.status, to)
    if (transition === 'unknown') {
      const { error } = await this.expects('INVALID_STATUS', request)
      for (const { code, active } of ticket.form.statuses) if (active) expect(error.message).toContain(code)
      return
    }
    if (step.expected === 'stale') return void (await this.expects('VERSION_CONFLICT', request))
    if (transition === 'forbidden' || (transition === 'comment' && who === undefined))
      return void (await this.expects('TRANSITION_NOT_ALLOWED', request))
    const isMoved = transition !== 'same'
    if (isMoved && ticket.form.refOnStatus === to && ticket.ref === null)
      return void (await this.expects('INVALID_FIELD_VALUES', request))
    const response = await this.expects(200, request)
    expect([response.changed, response.previousStatus]).toEqual([isMoved, ticket.status])
    if (isMoved || who !== undefined) ticket.version++
    if (isMoved) {
      enter(ticket, to)
      wake(ticket)
    }
    if (who !== undefined) this.write(ticket, 'why', who)
  }

  async change(step: Extract<Action, { kind: 'change' }>, ticket: ModelTicket, id: string) {
    const { priority, snoozedUntil, ref } = step
    const request = this.ask('PATCH', `/tickets/${id}`, {
      ...(priority === undefined ? {} : { priority }),
      ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
      ...(ref === undefined ? {} : { fieldValues: [{ fieldCode: 'ref', value: ref }] }),
      ...this.versionFor(ticket, step.expected),
    })
    if (step.expected === 'stale') return void (await this.expects('VERSION_CONFLICT', request))
    const lacks = ref === null && ticket.form.refOnStatus === ticket.status
    if (ref === 'too long' || lacks) return void (await this.expects('INVALID_FIELD_VALUES', request))
    await this.expects(200, request)
    const entries: string[] = []
    if (priority !== undefined && priority !== ticket.priority)
      entries.push(`priorityChanged ${ticket.priority}>${priority}`)
    if (snoozedUntil !== undefined && snoozedUntil !== ticket.snoozedUntil)
      entries.push(`snoozed ${ticket.snoozedUntil}>${snoozedUntil}`)
    if (ref !== undefined && ref !== ticket.ref)
      entries.push(`fieldChanged ${jsonOrNull(ticket.ref)}>${jsonOrNull(ref)}`)
    if (priority !== undefined) ticket.priority = priority
    if (snoozedUntil !== undefined) ticket.snoozedUntil = snoozedUntil
    if (ref !== undefined) ticket.ref = ref
    if (entries.length > 0) ticket.version++
    ticket.history.push(...entries)
  }

  /** Compares everything that can be read with the model. */
  async check() {
    for (const [i, ticket] of this.tickets.entries()) {
      const response = await this.expects(200, this.ask('GET', `/tickets/${this.ids[i]}`))
      expect(seenOf(response)).toEqual(shownOf(ticket))
      expect(response.comments.map(commentText)).toEqual(ticket.comments.map(commentText))
      expect(response.history.map(entryText)).toEqual(ticket.history)
      expect(response.commentCount).toBe(ticket.comments.length)
    }
    const listed = async (query: string) =>
      (await this.expects(200, this.ask('GET', `/tickets?sort=createdAt&pageSize=100&${query}`))).items
    const all = await listed('')
    expect(all.map(seenOf)).toEqual(this.tickets.map(shownOf))
    for (const [query, matches] of [
      ['status=wait,done', ({ status }) => status === 'wait' || status === 'done'],
      ['statusCategory=open', ({ form, status }) => categoryOf(form, status) === 'open'],
      ['customerAccount=ann', ({ account: name }) => name === 'ann'],
      ['priority=3', ({ priority }) => priority === 3],
      ['keyword=hello', ({ comments }) => comments.some(({ content }) => content === 'hello')],
    ] as const satisfies [string, (ticket: ModelTicket) => boolean][]) {
      const numbers = (await listed(query)).map((each: { ticketNumber: number }) => each.ticketNumber)
      expect([query, numbers]).toEqual([query, this.tickets.filter(matches).map(({ number }) => number)])
    }
    for (const { id, messages } of this.rooms.values()) {
      const response = await this.expects(200, this.ask('GET', `/rooms/${id}/messages`))
      const texts = response.items.map(
        (each: { messageType: string; text: string }) => `${each.messageType} ${each.text}`,
      )
      expect(texts).toEqual(messages.slice(0, 100))
    }
    const events = await this.helpdesk.app.store.read(({ q }) =>
      q
        .selectFrom('chat_events')
        .select('data')
        .where('kind', '=', 'ticket.updated')
        .where('tenant', '=', this.merchant.code)
        .execute(),
    )
    const eventsByTicket = Map.groupBy(events, ({ data }) => JSON.parse(data).ticketId as string)
    // One event for each version, and none for a request without a change.
    expect(this.ids.map((id) => eventsByTicket.get(id)?.length)).toEqual(this.tickets.map(({ version }) => version))
  }
}

const jsonOrNull = (value: string | null) => (value === null ? 'null' : JSON.stringify(value))
const commentText = (each: { content: string; visibility: string; authorType: string }) =>
  `${each.content} ${each.visibility} ${each.authorType}`
const entryText = ({ kind, from, to }: { kind: string; from: string | null; to: string | null }) =>
  `${kind} ${from}>${to}`

function shownOf(ticket: ModelTicket) {
  return {
    ticketNumber: ticket.number,
    title: ticket.title,
    formVersion: ticket.form.version,
    status: ticket.status,
    statusCategory: categoryOf(ticket.form, ticket.status),
    allowedTransitions: allowedFrom(ticket.form, ticket.status),
    priority: ticket.priority,
    customerAccount: ticket.account,
    hasRoom: ticket.hasRoom,
    fieldValues: ticket.ref === null ? [] : [{ fieldCode: 'ref', value: ticket.ref }],
    version: ticket.version,
    publicCommentCount: ticket.comments.filter((each) => each.visibility === 'public').length,
    lastPublicAuthorType: ticket.lastPublic,
    snoozedUntil: ticket.snoozedUntil,
    hasFirstResponse: ticket.hasFirstResponse,
    isResolved: ticket.isResolved,
    isClosed: ticket.isClosed,
    reopenCount: ticket.reopenCount,
  }
}

/** Returns the same part of a ticket from the API. */
function seenOf(ticket: Record<string, unknown>) {
  const copied = [
    'ticketNumber',
    'title',
    'formVersion',
    'status',
    'statusCategory',
    'allowedTransitions',
    'priority',
    'customerAccount',
    'fieldValues',
    'version',
    'publicCommentCount',
    'lastPublicAuthorType',
    'snoozedUntil',
    'reopenCount',
  ]
  return {
    ...Object.fromEntries(copied.map((name) => [name, ticket[name]])),
    hasRoom: ticket['roomId'] !== null,
    hasFirstResponse: ticket['firstResponseAt'] !== null,
    isResolved: ticket['resolvedAt'] !== null,
    isClosed: ticket['closedAt'] !== null,
  }
}

const runs = Number(process.env['MODEL_RUNS'] ?? 18)
const seed = Number(process.env['MODEL_SEED'] ?? 20_261_123)

describe.each(engines.filter(({ name }) => name === 'SQLite in memory' || name === 'PostgreSQL'))(
  'on $name',
  (engine) => {
    test('tickets, lists, history, rooms and events agree with the model after every step', async () => {
      const database = await engine.database()
      const helpdesk = await aHelpdesk({ store: (now) => database.open({ migrations: world, now }) })
      const room: Action = { kind: 'room', account: 'ann' }
      const form: Action = { kind: 'form', flow: 'any', refOnStatus: null, isExtraActive: true }
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40, size: 'max' }), async (actions) => {
          const run = new TicketRun(helpdesk, await aMerchant(helpdesk))
          for (const step of [...actions.slice(0, 2), form, room, ...actions.slice(2)]) {
            await run.run(step)
            await run.check()
          }
        }),
        { seed, numRuns: engine.isPostgres ? Math.ceil(runs / 3) : runs },
      )
    })
  },
)
