import type { ChatFormRow, ChatTicketRow } from '../../../db/schema/chat.ts'
import type { Reader } from '../../../db/store.ts'
import type { FormDefinition } from '../../../domain/tickets/form.ts'
import { refuse } from '../api/contract.ts'
import type { Form, FormList } from '../api/schemas.ts'
import { toForm } from '../api/views.ts'
import { currentForm, formVersions } from '../queries/tickets.ts'
import type { Chat, ChatTenant } from '../service.ts'
import { storedForm } from './form-file.ts'

/** Returns the current version of a form for a new ticket. Throws FORM_NOT_FOUND unless it is active. */
export async function theForm(reader: Reader, tenant: ChatTenant, code: string): Promise<ChatFormRow> {
  const form = await currentForm(reader, tenant.code, code)
  if (!form || form.is_active === 0) throw refuse('FORM_NOT_FOUND', `There is no form ${code}`)
  return form
}

/** Returns the definition of a stored form, or throws FORM_UNREADABLE. */
export function definitionOf(row: ChatFormRow): FormDefinition {
  const form = storedForm(row)
  if (!form) throw unreadable(row.tenant, row.code, row.version)
  return form
}

export function unreadable(tenant: string, code: string, version: number) {
  return refuse(
    'FORM_UNREADABLE',
    `Version ${version} of the form ${code} is broken: save it again, then run: countroom console chat forms repair ${tenant}`,
    { details: [{ field: 'formCode', code: 'unreadable', version }] },
  )
}

/** Returns the forms of tickets, each in its ticket's version; undefined for a broken one. */
export async function formsOf(
  reader: Reader,
  tenant: string,
  tickets: readonly ChatTicketRow[],
): Promise<(ticket: ChatTicketRow) => FormDefinition | undefined> {
  const codes = [...new Set(tickets.map((ticket) => ticket.form_code))]
  const rows = codes.length === 0 ? [] : await formVersions(reader, tenant, codes)
  const definitions = new Map<string, FormDefinition | undefined>()
  const keyOf = (code: string, version: number) => `${code}/${version}`
  for (const row of rows) definitions.set(keyOf(row.code, row.version), storedForm(row))
  return (ticket) => definitions.get(keyOf(ticket.form_code, ticket.form_version))
}

/** Lists the current version of each form. Broken ones are listed separately, by code and version. */
export function listForms(app: Chat, tenant: ChatTenant): Promise<FormList> {
  return app.store.read(async (reader) => {
    const latest = new Map((await formVersions(reader, tenant.code)).map((row) => [row.code, row]))
    const forms = [...latest.values()].map((row) => ({ row, form: storedForm(row) }))
    return {
      items: forms.flatMap(({ row, form }) => (form ? [toForm(row, form)] : [])),
      unreadable: forms.flatMap(({ row, form }) => (form ? [] : [{ formCode: row.code, version: row.version }])),
    }
  })
}

export function readForm(app: Chat, tenant: ChatTenant, code: string): Promise<Form> {
  return app.store.read(async (reader) => {
    const form = await currentForm(reader, tenant.code, code)
    if (!form) throw refuse('FORM_NOT_FOUND', `There is no form ${code}`)
    return toForm(form, definitionOf(form))
  })
}
