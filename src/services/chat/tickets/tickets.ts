import { nextOf } from '../../../db/counter.ts'
import { runOnce } from '../../../db/idempotency-keys.ts'
import type { ChatCommentRow, ChatTicketRow } from '../../../db/schema/chat.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import {
  type FieldValue,
  type FormDefinition,
  fillIn,
  lackingFor,
  type SentValue,
} from '../../../domain/tickets/form.ts'
import { statusNamed } from '../../../domain/tickets/workflow.ts'
import { type Answer, answer } from '../../../http/contract/contract.ts'
import { maybeMoment } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import type { Comment, CommentInput, Ticket, TicketChange, TicketInput } from '../api/schemas.ts'
import { toComment, toTicket } from '../api/views.ts'
import { roomOfAccount } from '../queries/rooms.ts'
import { agentNames, agentOf } from '../queries/tenants.ts'
import { numbersOf } from '../queries/ticket-search.ts'
import { commentOfClient, insertTicket, saveTicket, ticketOf } from '../queries/tickets.ts'
import { languageTag, momentOf, wrong } from '../rooms/text-rules.ts'
import { type Changed, type Chat, type ChatTenant, changing, type WriteGroup } from '../service.ts'
import { definitionOf, formsOf, theForm, unreadable } from './forms.ts'
import { type Actor, addComment, addTicketEvents, fileTicket, record } from './ticket-changes.ts'

/** Lifetime of an Idempotency-Key. */
const keyLifeMs = 86_400_000
export async function theTicket(reader: Reader, tenant: ChatTenant, key: string): Promise<ChatTicketRow> {
  const ticket = await ticketOf(reader, tenant.code, key)
  if (!ticket) throw refuse('TICKET_NOT_FOUND', `There is no ticket ${key}`)
  return ticket
}

export async function shown(reader: Reader, ticket: ChatTicketRow): Promise<Ticket> {
  const formOf = await formsOf(reader, ticket.tenant, [ticket])
  return toTicket(ticket, formOf(ticket), await agentNames(reader, [ticket.assignee_id]))
}

/** Returns the form of a ticket, or throws FORM_UNREADABLE. */
export async function formOfTicket(reader: Reader, ticket: ChatTicketRow): Promise<FormDefinition> {
  const form = (await formsOf(reader, ticket.tenant, [ticket]))(ticket)
  if (!form) throw unreadable(ticket.tenant, ticket.form_code, ticket.form_version)
  return form
}

/** Runs an action once per Idempotency-Key, if one was sent. */
async function onceByKey<T>(
  tx: Tx,
  { key, scope, request }: { key: string | undefined; scope: string; request: unknown },
  work: () => Promise<T>,
): Promise<{ value: T; isRepeated: boolean }> {
  if (key === undefined) return { value: await work(), isRepeated: false }
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw wrong('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  const done = await runOnce(tx, { scope, key, request, expiresAt: tx.now + keyLifeMs }, work)
  if (done.outcome === 'conflict')
    throw refuse('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was used with a different request')
  return { value: done.answer, isRepeated: done.outcome === 'repeated' }
}

// ── Changing ──

/**
 * Runs a write to tickets. Such writes wait for each other, and for customers' messages only if they also write to a
 * room. A room created between this check and the write is handled too.
 */
export async function changingTickets<T>(
  app: Chat,
  writesToRoom: (reader: Reader) => Promise<boolean>,
  work: (tx: Tx, changes: Changed[]) => Promise<T>,
): Promise<T> {
  const writeGroup: WriteGroup = (await app.store.read(writesToRoom)) ? 'chat-rooms' : 'chat-tickets'
  return changing(app, work, writeGroup)
}

export const hasRoom = (tenant: ChatTenant, key: string) => async (reader: Reader) =>
  ((await ticketOf(reader, tenant.code, key))?.room_id ?? null) !== null

/**
 * Creates a ticket by its form. Throws INVALID_FIELD_VALUES with all faults in its values. Runs once per
 * Idempotency-Key; a repeat returns the ticket with status 200.
 */
export async function createTicket(
  app: Chat,
  tenant: ChatTenant,
  actor: Actor,
  input: TicketInput,
  idempotencyKey: string | undefined,
): Promise<Answer<Ticket>> {
  const title = input.title.trim()
  if (title === '') throw wrong('title', 'must not be empty')
  const account = input.customerAccount
  const writesToRoom = async (reader: Reader) =>
    account !== undefined && (await roomOfAccount(reader, tenant.code, account)) !== undefined
  const { value, isRepeated } = await changingTickets(app, writesToRoom, (tx, changes) =>
    onceByKey(tx, { key: idempotencyKey, scope: `chat-ticket/${tenant.code}`, request: input }, async () => {
      const ticket = await makeTicket(app, tx, tenant, actor, { ...input, title })
      await addTicketEvents(app, tx, ticket, changes)
      return shown(tx, ticket)
    }),
  )
  return answer(value, isRepeated ? { status: 200, headers: { 'idempotency-replayed': 'true' } } : {})
}

async function makeTicket(app: Chat, tx: Tx, tenant: ChatTenant, actor: Actor, input: TicketInput) {
  const form = await theForm(tx, tenant, input.formCode ?? tenant.default_form)
  const definition = definitionOf(form)
  const values = valuesFor(definition, input.fieldValues ?? [], definition.workflow.initialStatus)
  const account = input.customerAccount ?? null
  const room = account === null ? undefined : await roomOfAccount(tx, tenant.code, account)
  const { initialStatus } = definition.workflow
  const ticket: ChatTicketRow = {
    id: `tkt_${app.id()}`,
    tenant: tenant.code,
    number: await nextOf(tx, numbersOf(tenant.code)),
    form_code: form.code,
    form_version: form.version,
    title: input.title,
    description: input.description ?? '',
    status: initialStatus,
    status_category: statusNamed(definition.workflow, initialStatus)?.category ?? 'open',
    priority: input.priority ?? 2,
    customer_account: account,
    customer_display_name: input.customerDisplayName || room?.customer_display_name || null,
    customer_language: input.customerLanguage ? languageTag(input.customerLanguage) : (room?.customer_language ?? null),
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

/** Returns the validated values, complete for a status, or throws INVALID_FIELD_VALUES with every fault. */
function valuesFor(form: FormDefinition, sent: readonly SentValue[], status: string): FieldValue[] {
  const filled = fillIn(form, sent)
  if ('faults' in filled) throw invalidValues(filled.faults)
  const lacking = lackingFor(form, filled.values, status)
  if (lacking.length > 0) throw invalidValues(lacking.map((field) => ({ field, code: 'required' })))
  return filled.values
}

export function invalidValues(faults: readonly { field: string; code: string }[]) {
  const changes = faults.map(({ field, code }) => `${field} (${code})`).join(', ')
  return refuse('INVALID_FIELD_VALUES', `The field values are invalid: ${changes}`, { details: faults })
}

/**
 * Comments on a ticket, once per clientCommentId and per Idempotency-Key. A public comment is posted to the customer's
 * room in the same transaction.
 */
export async function comment(
  app: Chat,
  tenant: ChatTenant,
  actor: Actor,
  key: string,
  input: CommentInput,
  idempotencyKey: string | undefined,
): Promise<Answer<Comment & { ticketVersion: number; duplicate: boolean }>> {
  const newComment = commentOf(input)
  const by: Actor = { ...actor, name: input.authorDisplayName || actor.name }
  const { value, isRepeated } = await changingTickets(app, hasRoom(tenant, key), (tx, changes) =>
    onceByKey(
      tx,
      // The property is named `order` because the stored fingerprints of earlier requests include that name.
      { key: idempotencyKey, scope: `chat-comment/${tenant.code}`, request: { key, order: input } },
      async () => {
        const ticket = await theTicket(tx, tenant, key)
        const clientId = input.clientCommentId
        const earlier = clientId === undefined ? undefined : await commentOfClient(tx, ticket.id, clientId)
        if (earlier) return repeated(earlier, newComment)
        ticket.version += 1
        ticket.updated_at = tx.now
        const row = await addComment(app, tx, ticket, by, { ...newComment, clientCommentId: clientId ?? null }, changes)
        await saveTicket(tx, ticket)
        await addTicketEvents(app, tx, ticket, changes)
        return { ...toComment(row), ticketVersion: row.ticket_version, duplicate: false }
      },
    ),
  )
  const duplicate = value.duplicate || isRepeated
  return answer({ ...value, duplicate }, { status: duplicate ? 200 : 201 })
}

export function commentOf(input: { content: string; visibility?: 'internal' | 'public' | undefined }) {
  const content = input.content.replaceAll('\r\n', '\n').toWellFormed().trim()
  if (content === '') throw wrong('content', 'must not be empty')
  return { content, visibility: input.visibility ?? 'internal' } as const
}

export function repeated(earlier: ChatCommentRow, newComment: { content: string; visibility: string }) {
  if (earlier.content !== newComment.content || earlier.visibility !== newComment.visibility)
    throw refuse(
      'CLIENT_COMMENT_ID_CONFLICT',
      `clientCommentId ${earlier.client_comment_id} belongs to another comment`,
    )
  return { ...toComment(earlier), ticketVersion: earlier.ticket_version, duplicate: true }
}

export function checkVersion(ticket: ChatTicketRow, expected: number | undefined): void {
  if (expected === undefined || expected === ticket.version) return
  throw refuse('VERSION_CONFLICT', `The ticket has changed: its version is ${ticket.version}, not ${expected}`, {
    details: [{ field: 'expectedVersion', code: 'stale', currentVersion: ticket.version }],
  })
}

/** Changes fields of a ticket that agents may change; unchanged ones are not recorded. */
export function changeTicket(
  app: Chat,
  tenant: ChatTenant,
  actor: Actor & { agentId: string },
  key: string,
  change: TicketChange,
): Promise<Ticket> {
  return changingTickets(app, hasRoom(tenant, key), async (tx, changes) => {
    const ticket = await theTicket(tx, tenant, key)
    checkVersion(ticket, change.expectedVersion)
    const entries = await changesTo(tx, tenant, ticket, actor, change)
    if (entries.length > 0) {
      ticket.version += 1
      ticket.updated_at = tx.now
      for (const entry of entries) await record(app, tx, ticket, actor, entry)
      await saveTicket(tx, ticket)
      await addTicketEvents(app, tx, ticket, changes)
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
    const otherValues = before.filter(({ fieldCode }) => !named.has(fieldCode))
    const after = valuesFor(form, [...otherValues, ...change.fieldValues], ticket.status)
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
