import { nextOf } from '../../../db/counter.ts'
import { once } from '../../../db/idempotency-keys.ts'
import type { ChatCommentRow, ChatTicketRow } from '../../../db/schema/chat.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import {
  type FieldValue,
  type FormDefinition,
  fillIn,
  lackingFor,
  type SentValue,
} from '../../../domain/tickets/form.ts'
import { mostTerms, readKeyword } from '../../../domain/tickets/search-terms.ts'
import {
  afterStep,
  type Milestones,
  type StatusCategory,
  statusCategories,
  statusNamed,
  stepStatus,
  validCodes,
} from '../../../domain/tickets/workflow.ts'
import { type Answer, answer } from '../../../http/contract/contract.ts'
import { refuse } from '../api/contract.ts'
import {
  type Comment,
  type CommentOrder,
  priorities,
  type StatusOrder,
  type Ticket,
  type TicketChange,
  type TicketOrder,
  type TicketQuery,
} from '../api/schemas.ts'
import { maybeMoment, offsetOf, toComment, toHistoryEntry, toPage, toTicket } from '../api/views.ts'
import { roomOfAccount } from '../queries/rooms.ts'
import { agentNames, agentOf } from '../queries/tenants.ts'
import {
  commentOfClient,
  insertTicket,
  latestComments,
  latestHistory,
  latestStatusChange,
  numbersOf,
  saveTicket,
  type TicketFilter,
  ticketOf,
  ticketPage,
} from '../queries/tickets.ts'
import { languageTag, momentOf, wrong } from '../rooms/text-rules.ts'
import { type Changed, type Chat, type ChatTenant, changing, type Lane } from '../service.ts'
import { definitionOf, formsOf, theForm, unreadable } from './forms.ts'
import { type Actor, addComment, fileTicket, record, tellTicket } from './ticket-changes.ts'

/** What the latest of comments and history is kept to, when one ticket is read. */
const mostListed = 200
/** For how long the same request under the same Idempotency-Key is the same request. */
const keyLifeMs = 86_400_000
/** How much of a status code that nobody knows is said back. */
const longestNamed = 200

async function theTicket(reader: Reader, tenant: ChatTenant, key: string): Promise<ChatTicketRow> {
  const ticket = await ticketOf(reader, tenant.code, key)
  if (!ticket) throw refuse('TICKET_NOT_FOUND', `There is no ticket ${key}`)
  return ticket
}

async function shown(reader: Reader, ticket: ChatTicketRow): Promise<Ticket> {
  const formOf = await formsOf(reader, ticket.tenant, [ticket])
  return toTicket(ticket, formOf(ticket), await agentNames(reader, [ticket.assignee_id]))
}

/** The form a ticket was made by, or FORM_UNREADABLE. */
async function formOfTicket(reader: Reader, ticket: ChatTicketRow): Promise<FormDefinition> {
  const form = (await formsOf(reader, ticket.tenant, [ticket]))(ticket)
  if (!form) throw unreadable(ticket.tenant, ticket.form_code, ticket.form_version)
  return form
}

/** Does a thing once per Idempotency-Key, where one was sent. */
async function onceByKey<T>(
  tx: Tx,
  { key, scope, question }: { key: string | undefined; scope: string; question: unknown },
  work: () => Promise<T>,
): Promise<{ value: T; isRepeated: boolean }> {
  if (key === undefined) return { value: await work(), isRepeated: false }
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw wrong('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  const done = await once(tx, { scope, key, question, expiresAt: tx.now + keyLifeMs }, work)
  if (done.outcome === 'conflict')
    throw refuse('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was used for another request')
  return { value: done.answer, isRepeated: done.outcome === 'again' }
}

// ── Reading ──

export function listTickets(app: Chat, tenant: ChatTenant, query: TicketQuery) {
  const { page = 1, pageSize = 20, sort = '-updatedAt' } = query
  const search = query.keyword === undefined ? undefined : readKeyword(query.keyword)
  if (search === 'too much')
    throw wrong(
      'keyword',
      `has more than ${mostTerms} terms; words that stand together can be asked for as one "phrase"`,
    )
  const filter: TicketFilter = {
    statuses: listed(query.status),
    categories: listed(query.statusCategory)?.filter((each): each is StatusCategory =>
      statusCategories.some((known) => known === each),
    ),
    formCode: query.formCode,
    account: query.customerAccount,
    priority: query.priority,
    updatedSince: query.updatedSince === undefined ? undefined : momentOf('updatedSince', query.updatedSince),
    search: search === 'nothing' ? undefined : search,
  }
  // Nor is it asked for: a number that is larger than the column's is an error to one engine.
  const isNoPriority =
    query.priority !== undefined && (query.priority < priorities.lowest || query.priority > priorities.highest)
  const isEmpty =
    search === 'nothing' || isNoPriority || filter.statuses?.length === 0 || filter.categories?.length === 0
  return app.store.read(async (reader) => {
    const at = { sort, offset: offsetOf(page, pageSize), limit: pageSize }
    const { rows, total } = isEmpty ? { rows: [], total: 0 } : await ticketPage(reader, tenant.code, filter, at)
    const formOf = await formsOf(reader, tenant.code, rows)
    const names = await agentNames(
      reader,
      rows.map((row) => row.assignee_id),
    )
    const items = rows.map((row) => toTicket(row, formOf(row), names))
    return toPage(items, { page, pageSize, total })
  })
}

function listed(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

export function readTicket(app: Chat, tenant: ChatTenant, key: string) {
  return app.store.read(async (reader) => {
    const ticket = await theTicket(reader, tenant, key)
    const comments = await latestComments(reader, ticket.id, mostListed)
    const history = await latestHistory(reader, ticket.id, mostListed)
    return {
      ...(await shown(reader, ticket)),
      comments: comments.map(toComment),
      commentsTruncated: ticket.comment_count > comments.length,
      history: history.map(toHistoryEntry),
      historyTruncated: ticket.history_count > history.length,
    }
  })
}

// ── Changing ──

/**
 * A write to tickets: these wait for each other, and for what customers write only where the ticket is told in a room. A room
 * that is made between this look and the write is found there all the same.
 */
async function changingTickets<T>(
  app: Chat,
  isTold: (reader: Reader) => Promise<boolean>,
  work: (tx: Tx, told: Changed[]) => Promise<T>,
): Promise<T> {
  const lane: Lane = (await app.store.read(isTold)) ? 'chat-rooms' : 'chat-tickets'
  return changing(app, work, lane)
}

const toldWith = (tenant: ChatTenant, key: string) => async (reader: Reader) =>
  ((await ticketOf(reader, tenant.code, key))?.room_id ?? null) !== null

/** Makes a ticket by its form, or says everything that is wrong with the values; once per Idempotency-Key, and what was made before comes with 200. */
export async function createTicket(
  app: Chat,
  tenant: ChatTenant,
  actor: Actor,
  order: TicketOrder,
  idempotencyKey: string | undefined,
): Promise<Answer<Ticket>> {
  const title = order.title.trim()
  if (title === '') throw wrong('title', 'is empty')
  const account = order.customerAccount
  const isTold = async (reader: Reader) =>
    account !== undefined && (await roomOfAccount(reader, tenant.code, account)) !== undefined
  const { value, isRepeated } = await changingTickets(app, isTold, (tx, told) =>
    onceByKey(tx, { key: idempotencyKey, scope: `chat-ticket/${tenant.code}`, question: order }, async () => {
      const ticket = await makeTicket(app, tx, tenant, actor, { ...order, title })
      await tellTicket(app, tx, ticket, told)
      return shown(tx, ticket)
    }),
  )
  return answer(value, isRepeated ? { status: 200, headers: { 'idempotency-replayed': 'true' } } : {})
}

async function makeTicket(app: Chat, tx: Tx, tenant: ChatTenant, actor: Actor, order: TicketOrder) {
  const form = await theForm(tx, tenant, order.formCode ?? tenant.default_form)
  const definition = definitionOf(form)
  const values = valuesFor(definition, order.fieldValues ?? [], definition.workflow.initialStatus)
  const account = order.customerAccount ?? null
  const room = account === null ? undefined : await roomOfAccount(tx, tenant.code, account)
  const { initialStatus } = definition.workflow
  const ticket: ChatTicketRow = {
    id: `tkt_${app.id()}`,
    tenant: tenant.code,
    number: await nextOf(tx, numbersOf(tenant.code)),
    form_code: form.code,
    form_version: form.version,
    title: order.title,
    description: order.description ?? '',
    status: initialStatus,
    status_category: statusNamed(definition.workflow, initialStatus)?.category ?? 'open',
    priority: order.priority ?? 2,
    customer_account: account,
    customer_display_name: order.customerDisplayName || room?.customer_display_name || null,
    customer_language: order.customerLanguage ? languageTag(order.customerLanguage) : (room?.customer_language ?? null),
    room_id: room?.id ?? null,
    assignee_id: null,
    field_values: JSON.stringify(values),
    comment_count: 0,
    public_comment_count: 0,
    last_comment_at: null,
    last_public_author: null,
    snoozed_until: null,
    version: 1,
    history_count: 1,
    created_at: tx.now,
    updated_at: tx.now,
    first_response_at: null,
    resolved_at: null,
    closed_at: null,
    reopen_count: 0,
  }
  await insertTicket(tx, ticket)
  await record(app, tx, { ...ticket, history_count: 0 }, actor, { kind: 'created', to: initialStatus })
  await fileTicket(tx, ticket)
  return ticket
}

/** The values a form takes, complete for a status; INVALID_FIELD_VALUES with every fault otherwise. */
function valuesFor(form: FormDefinition, sent: readonly SentValue[], status: string): FieldValue[] {
  const filled = fillIn(form, sent)
  if ('faults' in filled) throw invalidValues(filled.faults)
  const lacking = lackingFor(form, filled.values, status)
  if (lacking.length > 0) throw invalidValues(lacking.map((field) => ({ field, code: 'required' })))
  return filled.values
}

function invalidValues(faults: readonly { field: string; code: string }[]) {
  const told = faults.map(({ field, code }) => `${field} (${code})`).join(', ')
  return refuse('INVALID_FIELD_VALUES', `The field values do not fit the form: ${told}`, { details: faults })
}

/** Comments on a ticket; once per clientCommentId and per Idempotency-Key. A public comment reaches the customer's room in the same transaction. */
export async function comment(
  app: Chat,
  tenant: ChatTenant,
  actor: Actor,
  key: string,
  order: CommentOrder,
  idempotencyKey: string | undefined,
): Promise<Answer<Comment & { ticketVersion: number; duplicate: boolean }>> {
  const wanted = commentOf(order)
  const by: Actor = { ...actor, name: order.authorDisplayName || actor.name }
  const { value, isRepeated } = await changingTickets(app, toldWith(tenant, key), (tx, told) =>
    onceByKey(tx, { key: idempotencyKey, scope: `chat-comment/${tenant.code}`, question: { key, order } }, async () => {
      const ticket = await theTicket(tx, tenant, key)
      const clientId = order.clientCommentId
      const earlier = clientId === undefined ? undefined : await commentOfClient(tx, ticket.id, clientId)
      if (earlier) return repeated(earlier, wanted)
      ticket.version += 1
      ticket.updated_at = tx.now
      const row = await addComment(app, tx, ticket, by, { ...wanted, clientCommentId: clientId ?? null }, told)
      await saveTicket(tx, ticket)
      await tellTicket(app, tx, ticket, told)
      return { ...toComment(row), ticketVersion: row.ticket_version, duplicate: false }
    }),
  )
  const duplicate = value.duplicate || isRepeated
  return answer({ ...value, duplicate }, { status: duplicate ? 200 : 201 })
}

function commentOf(order: { content: string; visibility?: 'internal' | 'public' | undefined }) {
  const content = order.content.replaceAll('\r\n', '\n').toWellFormed().trim()
  if (content === '') throw wrong('content', 'is empty')
  return { content, visibility: order.visibility ?? 'internal' } as const
}

function repeated(earlier: ChatCommentRow, wanted: { content: string; visibility: string }) {
  if (earlier.content !== wanted.content || earlier.visibility !== wanted.visibility)
    throw refuse(
      'CLIENT_COMMENT_ID_CONFLICT',
      `clientCommentId ${earlier.client_comment_id} belongs to another comment`,
    )
  return { ...toComment(earlier), ticketVersion: earlier.ticket_version, duplicate: true }
}

/** Moves a ticket to another status of its form's workflow, with a comment if one is sent; both or neither. */
export function setStatus(app: Chat, tenant: ChatTenant, actor: Actor, key: string, order: StatusOrder) {
  const by: Actor = { ...actor, name: order.actorDisplayName || actor.name }
  const wanted = order.comment && commentOf(order.comment)
  return changingTickets(app, toldWith(tenant, key), async (tx, told) => {
    const ticket = await theTicket(tx, tenant, key)
    const form = await formOfTicket(tx, ticket)
    const { step, ...found } = stepStatus(form.workflow, ticket.status, order.status, wanted !== undefined)
    // Before anything that only a code there is can come to: a stale version would hide the list.
    if (step === 'unknown') throw invalidStatus(form, order.status)
    const clientCommentId = order.comment?.clientCommentId
    const earlier = clientCommentId === undefined ? undefined : await commentOfClient(tx, ticket.id, clientCommentId)
    if (earlier && wanted) repeated(earlier, wanted)
    // Its comment is there, so all of this was done before, and what happened since is not undone.
    if (earlier) return { ...(await shown(tx, ticket)), changed: false, previousStatus: ticket.status }
    checkVersion(ticket, order.expectedVersion)
    const previousStatus = ticket.status
    if (step === 'forbidden' || step === 'needs-comment') throw notAllowed(await shown(tx, ticket), order.status, step)
    const target = 'to' in found ? found.to : undefined
    const milestones: Milestones = {
      resolvedAt: ticket.resolved_at,
      closedAt: ticket.closed_at,
      reopenCount: ticket.reopen_count,
    }
    let isTakenBack = false
    if (target) {
      const lacking = lackingFor(form, JSON.parse(ticket.field_values), target.code)
      if (lacking.length > 0) throw invalidValues(lacking.map((field) => ({ field, code: 'required' })))
      const taken = order.takeBack ? await takenBack(tx, ticket, by, target.code) : undefined
      isTakenBack = taken !== undefined
      const after = taken ?? afterStep(milestones, ticket.status_category, target.category, tx.now)
      ticket.status = target.code
      ticket.status_category = target.category
      ticket.resolved_at = after.resolvedAt
      ticket.closed_at = after.closedAt
      ticket.reopen_count = after.reopenCount
    }
    // Who moves a ticket has taken it up again.
    const woken = target ? ticket.snoozed_until : null
    if (target) ticket.snoozed_until = null
    if (target || wanted) {
      ticket.version += 1
      ticket.updated_at = tx.now
      if (target)
        await record(app, tx, ticket, by, {
          kind: 'statusChanged',
          from: previousStatus,
          to: target.code,
          stateBefore: JSON.stringify(milestones),
          ...(isTakenBack ? { note: 'taken back' } : {}),
        })
      if (woken !== null) await record(app, tx, ticket, by, { kind: 'snoozed', from: maybeMoment(woken), to: null })
      if (wanted) await addComment(app, tx, ticket, by, { ...wanted, clientCommentId: clientCommentId ?? null }, told)
      await saveTicket(tx, ticket)
      await tellTicket(app, tx, ticket, told)
    }
    return { ...(await shown(tx, ticket)), changed: target !== undefined, previousStatus }
  })
}

/** The milestones before the latest status change, where the same actor made it and the ticket returns to the status before it. */
async function takenBack(tx: Tx, ticket: ChatTicketRow, by: Actor, status: string): Promise<Milestones | undefined> {
  const latest = await latestStatusChange(tx, ticket.id)
  const isOwn = latest?.actor_type === by.type && latest.actor_name === by.name
  if (!latest || !isOwn || latest.from_value !== status || latest.to_value !== ticket.status) return undefined
  return latest.state_before === null ? undefined : JSON.parse(latest.state_before)
}

function checkVersion(ticket: ChatTicketRow, expected: number | undefined): void {
  if (expected === undefined || expected === ticket.version) return
  throw refuse('VERSION_CONFLICT', `The ticket has changed: it is at version ${ticket.version}, not ${expected}`, {
    details: [{ field: 'expectedVersion', code: 'stale', currentVersion: ticket.version }],
  })
}

function invalidStatus({ workflow }: FormDefinition, status: string) {
  const codes = validCodes(workflow)
  const named = status.length > longestNamed ? `${status.slice(0, longestNamed).toWellFormed()}…` : status
  return refuse('INVALID_STATUS', `unknown status "${named}"; valid codes: ${codes.join(', ')}`, {
    details: [{ field: 'status', code: 'not_in_workflow', validCodes: codes }],
  })
}

function notAllowed({ status, allowedTransitions }: Ticket, to: string, why: 'forbidden' | 'needs-comment') {
  const reason =
    why === 'forbidden'
      ? `A ticket that is ${status} may not become ${to}; allowed: ${allowedTransitions.join(', ') || 'nothing'}`
      : `Going from ${status} to ${to} needs a comment`
  return refuse('TRANSITION_NOT_ALLOWED', reason, {
    details: [
      {
        field: 'status',
        code: why === 'forbidden' ? 'forbidden' : 'comment_required',
        from: status,
        allowedTransitions,
      },
    ],
  })
}

/** Changes what an agent may change of a ticket; what is as it was is not recorded. */
export function changeTicket(
  app: Chat,
  tenant: ChatTenant,
  actor: Actor & { agentId: string },
  key: string,
  change: TicketChange,
): Promise<Ticket> {
  return changingTickets(app, toldWith(tenant, key), async (tx, told) => {
    const ticket = await theTicket(tx, tenant, key)
    checkVersion(ticket, change.expectedVersion)
    const entries = await changesTo(tx, tenant, ticket, actor, change)
    if (entries.length > 0) {
      ticket.version += 1
      ticket.updated_at = tx.now
      for (const entry of entries) await record(app, tx, ticket, actor, entry)
      await saveTicket(tx, ticket)
      await tellTicket(app, tx, ticket, told)
    }
    return shown(tx, ticket)
  })
}

async function changesTo(
  tx: Tx,
  tenant: ChatTenant,
  ticket: ChatTicketRow,
  { agentId }: { agentId: string },
  change: TicketChange,
): Promise<{ kind: string; from: string | null; to: string | null; note?: string }[]> {
  const entries: { kind: string; from: string | null; to: string | null; note?: string }[] = []
  if (change.assignee !== undefined) {
    const named = typeof change.assignee === 'object' ? (change.assignee?.agentId ?? null) : change.assignee
    const assignee = named === 'me' ? agentId : named
    if (assignee !== null && !(await agentOf(tx, tenant.code, assignee)))
      throw refuse('AGENT_NOT_FOUND', `There is no agent ${assignee}`)
    if (assignee !== ticket.assignee_id)
      entries.push({ kind: 'assigneeChanged', from: ticket.assignee_id, to: assignee })
    ticket.assignee_id = assignee
  }
  if (change.priority !== undefined && change.priority !== ticket.priority) {
    entries.push({ kind: 'priorityChanged', from: String(ticket.priority), to: String(change.priority) })
    ticket.priority = change.priority
  }
  if (change.snoozedUntil !== undefined) {
    const until = change.snoozedUntil === null ? null : momentOf('snoozedUntil', change.snoozedUntil)
    if (until !== ticket.snoozed_until)
      entries.push({ kind: 'snoozed', from: maybeMoment(ticket.snoozed_until), to: maybeMoment(until) })
    ticket.snoozed_until = until
  }
  if (change.fieldValues !== undefined) {
    const form = await formOfTicket(tx, ticket)
    const before: FieldValue[] = JSON.parse(ticket.field_values)
    const named = new Set(change.fieldValues.map(({ fieldCode }) => fieldCode))
    const kept = before.filter(({ fieldCode }) => !named.has(fieldCode))
    const after = valuesFor(form, [...kept, ...change.fieldValues], ticket.status)
    for (const code of named) {
      const [from, to] = [before, after].map((list) => list.find((each) => each.fieldCode === code)?.value)
      if (JSON.stringify(from) === JSON.stringify(to)) continue
      entries.push({ kind: 'fieldChanged', from: jsonOf(from), to: jsonOf(to), note: code })
    }
    ticket.field_values = JSON.stringify(after)
  }
  return entries
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
