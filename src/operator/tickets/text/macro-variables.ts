import type { Variable, Variables } from '../../../domain/tickets/macro.ts'

/** Ticket variables of macros and their types. Form fields are added as `field.CODE`. */
export const macroVariables = {
  ticketId: 'text',
  ticketNumber: 'integer',
  title: 'text',
  status: 'text',
  priority: 'integer',
  formCode: 'text',
  assigneeName: 'text',
  customerAccount: 'text',
  customerDisplayName: 'text',
  customerLanguage: 'text',
  createdAt: 'datetime',
  updatedAt: 'datetime',
} as const

/** Fields of a ticket that macros use. */
export interface TextSubject {
  readonly ticketId: string
  readonly ticketNumber: number
  readonly title: string
  readonly status: string
  readonly priority: number
  readonly formCode: string | null
  readonly assigneeName: string | null
  readonly customerAccount: string | null
  readonly customerDisplayName: string | null
  readonly customerLanguage: string | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly fieldValues: readonly { readonly fieldCode: string; readonly value: unknown }[]
}

/** The part of a form with the types of its fields. */
export interface FormFields {
  readonly fields: readonly {
    readonly fieldCode: string
    readonly type: string
    readonly options?: readonly { readonly value: string; readonly label: string }[] | null | undefined
  }[]
}

const typesOfFields: Readonly<Record<string, Variable['type']>> = {
  integer: 'integer',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  multiselect: 'list',
}

/** Returns the variables of a ticket. Its fields have the types of the form; without the form, any type. */
export function variablesFor(ticket: TextSubject, form: FormFields | undefined): Variables {
  const moment = (at: number) => (Number.isNaN(at) ? null : new Date(at).toISOString())
  const own: Record<keyof typeof macroVariables, unknown> = {
    ticketId: ticket.ticketId,
    ticketNumber: ticket.ticketNumber === 0 ? null : ticket.ticketNumber,
    title: ticket.title,
    status: ticket.status,
    priority: ticket.priority,
    formCode: ticket.formCode,
    assigneeName: ticket.assigneeName,
    customerAccount: ticket.customerAccount,
    customerDisplayName: ticket.customerDisplayName,
    customerLanguage: ticket.customerLanguage,
    createdAt: moment(ticket.createdAt),
    updatedAt: moment(ticket.updatedAt),
  }
  const named = Object.entries(macroVariables).map(([name, type]): [string, Variable] => [
    name,
    { type, value: own[name as keyof typeof macroVariables] },
  ])
  // Every field of the form is a variable. One without a value is missing but has its type.
  const codes = new Set([
    ...(form?.fields ?? []).map(({ fieldCode }) => fieldCode),
    ...ticket.fieldValues.map(({ fieldCode }) => fieldCode),
  ])
  const fields = [...codes].map((code): [string, Variable] => {
    const field = form?.fields.find(({ fieldCode }) => fieldCode === code)
    const value = ticket.fieldValues.find(({ fieldCode }) => fieldCode === code)?.value ?? null
    const type = field === undefined ? 'any' : (typesOfFields[field.type] ?? 'text')
    return [`field.${code}`, { type, value, label: labelOf(value, field?.options ?? []) }]
  })
  return Object.fromEntries([...named, ...fields])
}

/** Returns the labels of selected options. Null if one is no longer an option of the form. */
function labelOf(value: unknown, options: readonly { value: string; label: string }[]): string | null {
  const labels = (Array.isArray(value) ? value : [value]).map(
    (each) => options.find((option) => option.value === each)?.label,
  )
  return labels.every((label) => label !== undefined) ? labels.join(', ') : null
}
