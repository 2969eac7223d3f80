import { createHash } from 'node:crypto'
import type { ChatTicketRow } from '../../../db/schema/chat.ts'
import type { Reader } from '../../../db/store.ts'
import { type FieldValue, type FormDefinition, lackingFor, type SentValue } from '../../../domain/tickets/form.ts'
import { isDone, statusNamed } from '../../../domain/tickets/workflow.ts'
import { type Answer, answer } from '../../../http/contract/contract.ts'
import { momentText } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import { toForm } from '../api/views.ts'
import { roomOfAccount } from '../queries/rooms.ts'
import { ticketPage } from '../queries/ticket-search.ts'
import { commentOfClient, formVersions, latestPublicComments, saveTicket } from '../queries/tickets.ts'
import type { Chat, SignedCustomer } from '../service.ts'
import { addAnswer } from './customer-answer.ts'
import { storedForm } from './form-file.ts'
import { formsOf } from './forms.ts'
import { addTicketEvents } from './ticket-changes.ts'
import { changingTickets, commentOf, createTicket, hasRoom, invalidValues, repeated, theTicket } from './tickets.ts'

/** A ticket as its customer sees it: without internal comments, hidden fields and the history. */

/** Maximum number of listed tickets, and of comments of a ticket. */
const maxListed = 50
const maxComments = 200

/** Returns the customer's ticket. Throws TICKET_NOT_FOUND, also for another customer's ticket. */
async function ownTicket(reader: Reader, { tenant, account }: SignedCustomer, key: string): Promise<ChatTicketRow> {
  const ticket = await theTicket(reader, tenant, key)
  if (ticket.customer_account !== account) throw refuse('TICKET_NOT_FOUND', `There is no ticket ${key}`)
  return ticket
}

export function listOwnTickets(app: Chat, customer: SignedCustomer) {
  return app.store.read(async (reader) => {
    const { code } = customer.tenant
    const page = { sort: '-updatedAt', offset: 0, limit: maxListed } as const
    const { rows, total } = await ticketPage(reader, code, { account: customer.account }, page)
    const formOf = await formsOf(reader, code, rows)
    return { items: rows.map((row) => summary(row, formOf(row))), total }
  })
}

export function readOwnTicket(app: Chat, customer: SignedCustomer, key: string) {
  return app.store.read(async (reader) => wholeTicket(reader, await ownTicket(reader, customer, key)))
}

async function wholeTicket(reader: Reader, row: ChatTicketRow) {
  const form = (await formsOf(reader, row.tenant, [row]))(row)
  const values: FieldValue[] = JSON.parse(row.field_values)
  const comments = await latestPublicComments(reader, row.id, maxComments)
  return {
    ...summary(row, form),
    description: row.description,
    fields: (form?.fields ?? [])
      .filter(({ visibleToCustomer }) => visibleToCustomer)
      .flatMap((field) => {
        const value = values.find(({ fieldCode }) => fieldCode === field.fieldCode)?.value
        return value === undefined ? [] : [{ label: field.label, value: [value].flat().map(String).join(', ') }]
      }),
    comments: comments.map((comment) => ({
      commentId: comment.id,
      authorType: comment.author_type,
      authorDisplayName: comment.author_name,
      content: comment.content,
      createdAt: momentText(comment.created_at),
    })),
  }
}

function summary(row: ChatTicketRow, form: FormDefinition | undefined) {
  return {
    ticketId: row.id,
    ticketNumber: row.number,
    title: row.title,
    statusLabel: (form && statusNamed(form.workflow, row.status)?.label) ?? row.status,
    isDone: isDone(row.status_category),
    createdAt: momentText(row.created_at),
    updatedAt: momentText(row.updated_at),
  }
}

/** Lists the active forms that a customer can fill in: their hidden fields are optional or have a default. */
export function listOwnForms(app: Chat, customer: SignedCustomer) {
  return app.store.read(async (reader) => {
    const latest = new Map((await formVersions(reader, customer.tenant.code)).map((row) => [row.code, row]))
    const items = [...latest.values()].flatMap((row) => {
      const form = row.is_active === 1 ? storedForm(row) : undefined
      if (!form || !isFillable(form)) return []
      const { formCode, title, description, fields } = toForm(row, form)
      return [{ formCode, title, description, fields: fields.filter((field) => field.visibleToCustomer).map(ownField) }]
    })
    return { items }
  })
}

function isFillable(form: FormDefinition): boolean {
  const hidden = form.fields.filter(({ visibleToCustomer }) => !visibleToCustomer)
  const given = form.fields
    .filter((field) => !hidden.includes(field) || (field.default ?? null) !== null)
    .map(({ fieldCode }): FieldValue => ({ fieldCode, value: 'x' }))
  const isLacking = hidden.some(({ required, default: value }) => required && (value ?? null) === null)
  return !isLacking && lackingFor(form, given, form.workflow.initialStatus).length === 0
}

function ownField(field: ReturnType<typeof toForm>['fields'][number]) {
  const { fieldCode, label, type, required, validation, options } = field
  return {
    fieldCode,
    label,
    type,
    required,
    maxLength: validation.maxLength,
    options: (options ?? []).flatMap(({ value, label: text, active }) => (active ? [{ value, label: text }] : [])),
  }
}

export interface OwnTicketInput {
  readonly formCode: string
  readonly title: string
  readonly description?: string | undefined
  readonly fieldValues?: readonly SentValue[] | undefined
  readonly clientTicketId: string
}

/** Creates a ticket of the customer, once per `clientTicketId`. Throws INVALID_FIELD_VALUES for hidden fields. */
export async function createOwnTicket(app: Chat, customer: SignedCustomer, input: OwnTicketInput) {
  const { tenant, account } = customer
  const { name, hidden } = await app.store.read(async (reader) => {
    const form = (await formVersions(reader, tenant.code, [input.formCode])).at(-1)
    const fields = (form && storedForm(form)?.fields) ?? []
    return {
      name: (await roomOfAccount(reader, tenant.code, account))?.customer_display_name,
      hidden: fields.filter(({ visibleToCustomer }) => !visibleToCustomer).map(({ fieldCode }) => fieldCode),
    }
  })
  const { formCode, title, description, fieldValues, clientTicketId } = input
  const foreign = (fieldValues ?? []).filter(({ fieldCode }) => hidden.includes(fieldCode))
  if (foreign.length > 0)
    throw invalidValues(foreign.map(({ fieldCode }) => ({ field: fieldCode, code: 'unknown_field' })))
  const created = await createTicket(
    app,
    tenant,
    { type: 'customer', name: name || account },
    {
      formCode,
      title,
      description: description ?? '',
      customerAccount: account,
      fieldValues: [...(fieldValues ?? [])],
    },
    `widget-${createHash('sha256').update(`${account}\n${clientTicketId}`).digest('hex')}`,
  )
  const { ticketId, ticketNumber } = created.data
  return answer({ ticketId, ticketNumber }, { status: created.status ?? 201 })
}

/** Adds the customer's reply to a ticket that is not finished, once per `clientCommentId`. */
export async function replyToOwnTicket(
  app: Chat,
  customer: SignedCustomer,
  key: string,
  input: { readonly content: string; readonly clientCommentId: string },
): Promise<Answer<{ commentId: string; duplicate: boolean }>> {
  const { tenant, account } = customer
  const { content } = commentOf({ content: input.content, visibility: 'public' })
  const { clientCommentId } = input
  const { commentId, duplicate } = await changingTickets(app, hasRoom(tenant, key), async (tx, changes) => {
    const ticket = await ownTicket(tx, customer, key)
    const earlier = await commentOfClient(tx, ticket.id, clientCommentId)
    if (earlier) return repeated(earlier, { content, visibility: 'public' })
    if (isDone(ticket.status_category))
      throw refuse('TRANSITION_NOT_ALLOWED', 'The ticket is finished; create another one')
    const room = await roomOfAccount(tx, tenant.code, account)
    const name = room?.customer_display_name || account
    const row = await addAnswer(app, tx, ticket, name, { content, clientCommentId }, changes)
    await saveTicket(tx, ticket)
    await addTicketEvents(app, tx, ticket, changes)
    return { commentId: row.id, duplicate: false }
  })
  return answer({ commentId, duplicate }, { status: duplicate ? 200 : 201 })
}
