import type { ChatFormRow, ChatTicketRow } from '../../../db/schema/chat.ts'
import type { Tx } from '../../../db/store.ts'
import { type FieldValue, type FormDefinition, faultIn } from '../../../domain/tickets/form.ts'
import { isDone, statusCategories, statusNamed } from '../../../domain/tickets/workflow.ts'
import { formVersions, saveTicket, ticketsOfForm } from '../queries/tickets.ts'
import { type Changed, type Chat, changing } from '../service.ts'
import { storedForm } from './form-file.ts'
import { addTicketEvents, record } from './ticket-changes.ts'

/** Moves tickets from form versions that cannot be read to readable ones. */

export interface RepairedTicket {
  readonly ticketNumber: number
  readonly formCode: string
  readonly fromVersion: number
  readonly toVersion: number
  readonly status: string
  /** Fields whose values do not match the readable version and were removed; the history keeps them. */
  readonly removedFields: readonly string[]
}

export interface Repair {
  readonly repaired: readonly RepairedTicket[]
  /** Broken versions whose tickets cannot be moved, because the form has no readable version. */
  readonly left: readonly { readonly formCode: string; readonly version: number; readonly tickets: number }[]
}

/** Tickets per transaction. */
const ticketsAtOnce = 100
const repairer = { type: 'system', name: 'countroom' } as const

/**
 * Moves tickets of broken form versions to the newest readable version of the same form. If it is interrupted, the next
 * run repairs the rest.
 */
export async function repairForms(app: Chat, tenant: string): Promise<Repair> {
  const versions = await app.store.read((reader) => formVersions(reader, tenant))
  const repaired: RepairedTicket[] = []
  const left: { formCode: string; version: number; tickets: number }[] = []
  for (const row of versions.filter((each) => !storedForm(each))) {
    const target = versions.findLast((each) => each.code === row.code && storedForm(each) !== undefined)
    if (!target) {
      const tickets = await app.store.read((reader) => ticketsOfForm(reader, row))
      if (tickets.length > 0) left.push({ formCode: row.code, version: row.version, tickets: tickets.length })
      continue
    }
    // Paged by number, because in a dry run repaired tickets still have the broken version.
    for (let after: number | undefined = 0; after !== undefined; ) {
      const some = await repairSome(app, row, target, after)
      repaired.push(...some)
      after = some.at(-1)?.ticketNumber
    }
  }
  return { repaired, left }
}

function repairSome(app: Chat, broken: ChatFormRow, target: ChatFormRow, after: number): Promise<RepairedTicket[]> {
  return changing(app, async (tx, changes) => {
    const form = storedForm(target)
    if (!form) throw new Error(`the form ${target.code} is no longer readable`)
    const tickets = await ticketsOfForm(tx, broken, { after, limit: ticketsAtOnce })
    const repaired: RepairedTicket[] = []
    for (const ticket of tickets) repaired.push(await repairTicket(app, tx, ticket, { form, target }, changes))
    return repaired
  })
}

async function repairTicket(
  app: Chat,
  tx: Tx,
  ticket: ChatTicketRow,
  { form, target }: { form: FormDefinition; target: ChatFormRow },
  changes: Changed[],
): Promise<RepairedTicket> {
  const fromVersion = ticket.form_version
  ticket.form_version = target.version
  ticket.version += 1
  ticket.updated_at = tx.now
  await record(app, tx, ticket, repairer, {
    kind: 'formChanged',
    from: String(fromVersion),
    to: String(target.version),
  })
  const status = statusFor(form, ticket)
  if (status.code !== ticket.status)
    await record(app, tx, ticket, repairer, { kind: 'statusChanged', from: ticket.status, to: status.code })
  ticket.status = status.code
  ticket.status_category = status.category
  ticket.resolved_at = isDone(status.category) ? (ticket.resolved_at ?? tx.now) : null
  ticket.closed_at = status.category === 'closed' ? (ticket.closed_at ?? tx.now) : null
  const { kept, removed } = valuesFor(form, ticket)
  for (const { fieldCode, value } of removed)
    await record(app, tx, ticket, repairer, {
      kind: 'fieldChanged',
      from: JSON.stringify(value),
      to: null,
      note: fieldCode,
    })
  ticket.field_values = JSON.stringify(kept)
  await saveTicket(tx, ticket)
  await addTicketEvents(app, tx, ticket, changes)
  return {
    ticketNumber: ticket.number,
    formCode: target.code,
    fromVersion,
    toVersion: target.version,
    status: status.code,
    removedFields: removed.map(({ fieldCode }) => fieldCode),
  }
}

/** Returns the ticket's own status if the form has it, else the first of the same category, else the initial one. */
function statusFor({ workflow }: FormDefinition, { status, status_category }: ChatTicketRow) {
  const category = statusCategories.find((each) => each === status_category)
  const match =
    statusNamed(workflow, status) ??
    workflow.statuses.find((each) => each.active !== false && each.category === category) ??
    statusNamed(workflow, workflow.initialStatus)
  if (!match) throw new Error('a readable form has no initial status')
  return match
}

function valuesFor(form: FormDefinition, { field_values }: ChatTicketRow) {
  const stored: unknown = JSON.parse(field_values)
  const values = (Array.isArray(stored) ? stored : []) as FieldValue[]
  const isValid = ({ fieldCode, value }: FieldValue) => {
    const field = form.fields.find((each) => each.fieldCode === fieldCode)
    return field !== undefined && faultIn(field, value) === undefined
  }
  return { kept: values.filter(isValid), removed: values.filter((value) => !isValid(value)) }
}
