import type { FormDefinition } from '../domain/ticket-form.ts'
import type { Reader } from '../store/store.ts'
import type { ChatFormRow, ChatTicketRow } from '../store/tables/chat.ts'
import type { Chat, ChatTenant } from './chat.ts'
import { refuse } from './contract.ts'
import { currentForm, formVersions } from './queries/tickets.ts'
import type { Form } from './shapes.ts'
import { toForm } from './views.ts'

/** The form a new ticket is made by: in force and active, or FORM_NOT_FOUND. */
export async function theForm(reader: Reader, tenant: ChatTenant, code: string): Promise<ChatFormRow> {
  const form = await currentForm(reader, tenant.code, code)
  if (!form || form.is_active === 0) throw refuse('FORM_NOT_FOUND', `There is no form ${code}`)
  return form
}

export function definitionOf(row: ChatFormRow): FormDefinition {
  return JSON.parse(row.definition)
}

/** The forms that tickets were made by, each in the version of its ticket. */
export async function formsOf(
  reader: Reader,
  tenant: string,
  tickets: readonly ChatTicketRow[],
): Promise<(ticket: ChatTicketRow) => FormDefinition> {
  const codes = [...new Set(tickets.map((ticket) => ticket.form_code))]
  const rows = codes.length === 0 ? [] : await formVersions(reader, tenant, codes)
  const definitions = new Map<string, FormDefinition>()
  const keyOf = (code: string, version: number) => `${code}/${version}`
  for (const row of rows) definitions.set(keyOf(row.code, row.version), definitionOf(row))
  return (ticket) => {
    const form = definitions.get(keyOf(ticket.form_code, ticket.form_version))
    if (!form) throw new Error(`the form of ticket ${ticket.id} is gone`)
    return form
  }
}

/** The forms as they are in force now. */
export function listForms(app: Chat, tenant: ChatTenant): Promise<{ items: Form[] }> {
  return app.store.read(async (reader) => {
    const latest = new Map((await formVersions(reader, tenant.code)).map((row) => [row.code, row]))
    return { items: [...latest.values()].map(toForm) }
  })
}

export function readForm(app: Chat, tenant: ChatTenant, code: string): Promise<Form> {
  return app.store.read(async (reader) => {
    const form = await currentForm(reader, tenant.code, code)
    if (!form) throw refuse('FORM_NOT_FOUND', `There is no form ${code}`)
    return toForm(form)
  })
}
