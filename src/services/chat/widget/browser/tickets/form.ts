import type { Strings } from '../context.ts'
import { newId } from '../conversation/ambient.ts'
import type { Failure } from '../conversation/api.ts'
import type { Core } from '../conversation/core.ts'

export interface Form {
  readonly formCode: string
  readonly title: string
  readonly description: string
  readonly fields: readonly Field[]
}

interface Field {
  readonly fieldCode: string
  readonly label: string
  readonly type: string
  readonly required: boolean
  readonly maxLength: number | null
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** An input with its label and the element for its error. */
interface Row {
  readonly code: string
  readonly element: HTMLElement
  readonly input: HTMLElement
  readonly fault: HTMLElement
  /** The value to send; undefined if the customer left it empty. */
  read(): unknown
}

/** Creates the form for a new ticket. All errors of a refused one are shown at their fields. */
export function ticketForm(
  core: Core,
  strings: Strings,
  forms: readonly Form[],
  onCreated: (id: string) => void,
): HTMLElement {
  const { make } = core.ctx
  const idOf = idsByContent()
  const own = ownFields(strings).map((field) => rowOf(core, strings, field))
  let rows: Row[] = []
  const box = make('div')
  const choice = make(
    'select',
    { onchange: () => draw() },
    ...forms.map(({ title, formCode }, i) => make('option', { value: String(i), textContent: title || formCode })),
  )
  const draw = () => {
    const form = forms[Number(choice.value)]
    rows = [...own, ...(form?.fields ?? []).map((field) => rowOf(core, strings, field))]
    box.replaceChildren(
      ...(form?.description ? [make('p', { textContent: form.description, dir: 'auto' })] : []),
      ...rows.map(({ element }) => element),
    )
  }
  const news = make('em', { role: 'alert' })
  const send = make('button', { type: 'button', className: 'b', textContent: strings.send, onclick: () => submit() })
  const submit = async () => {
    const form = forms[Number(choice.value)]
    const [title, description, ...fields] = rows
    for (const row of rows) mark(row, '')
    news.textContent = ''
    send.disabled = true
    try {
      const fieldValues = fields.flatMap(({ code, read }) =>
        read() === undefined ? [] : [{ fieldCode: code, value: read() }],
      )
      const texts = { title: title?.read() ?? '', description: description?.read() ?? '' }
      const body = { formCode: form?.formCode, ...texts, fieldValues }
      const { ticketId } = await core.api.call('POST', '/tickets', { ...body, clientTicketId: idOf(body) })
      onCreated(ticketId)
    } catch (caught) {
      const { details = [] } = caught as Failure & { details?: readonly Fault[] }
      news.textContent = showFaults(rows, details, strings) ? '' : strings.failed
      send.disabled = false
    }
  }
  draw()
  if (!forms.length) return make('p', { textContent: strings.failed })
  return make('div', {}, ...(forms.length > 1 ? [choice] : []), box, news, send)
}

/** Returns a function for client ids. The same content gets the same id, so that a retry creates nothing twice. */
export function idsByContent(): (content: unknown) => string {
  const ids = new Map<string, string>()
  return (content) => {
    const key = JSON.stringify(content)
    const id = ids.get(key) || newId()
    ids.set(key, id)
    return id
  }
}

/** An error of one field, as the server reports it. */
interface Fault {
  readonly field?: string
  readonly code?: string
}

/** Shows the errors at their fields, and returns whether any of them has a field in the form. */
function showFaults(rows: readonly Row[], details: readonly Fault[], strings: Strings): boolean {
  const wrong = rows.filter(({ code }) => details.some(({ field }) => field === code))
  for (const row of wrong) {
    const isRequired = details.some(({ field, code }) => field === row.code && code === 'required')
    mark(row, isRequired || row.read() === undefined ? strings.missing : strings.invalid)
  }
  wrong[0]?.input.focus()
  return wrong.length > 0
}

/** Returns the fields that every ticket has. */
function ownFields(strings: Strings): Field[] {
  const field = { required: false, options: [] }
  return [
    { ...field, fieldCode: 'title', label: strings.subject, type: 'text', required: true, maxLength: 200 },
    { ...field, fieldCode: 'description', label: strings.details, type: 'textarea', maxLength: 5000 },
  ]
}

function mark({ input, fault }: Row, text: string): void {
  input.ariaInvalid = String(text !== '')
  fault.textContent = text
}

const inputTypes: Readonly<Record<string, string>> = {
  email: 'email',
  phone: 'tel',
  url: 'url',
  date: 'date',
  datetime: 'datetime-local',
  boolean: 'checkbox',
}

function rowOf({ ctx }: Core, strings: Strings, field: Field): Row {
  const { make } = ctx
  const { input, read } = inputOf(ctx.make, field)
  const fault = make('em', { role: 'status', id: `f${newId()}` })
  input.setAttribute('aria-describedby', fault.id)
  if (field.required) input.ariaRequired = 'true'
  const label = make('span', { textContent: field.required ? field.label : `${field.label} ${strings.optional}` })
  return { code: field.fieldCode, input, fault, read, element: make('label', {}, label, input, fault) }
}

function inputOf(
  make: Core['ctx']['make'],
  { type, options, maxLength }: Field,
): { input: HTMLElement; read(): unknown } {
  if (type === 'select' || type === 'multiselect') {
    const multiple = type === 'multiselect'
    const list = make(
      'select',
      { multiple },
      ...(multiple ? [] : [make('option', { value: '', textContent: '–' })]),
      ...options.map(({ value, label }) => make('option', { value, textContent: label })),
    )
    const chosen = () => [...list.selectedOptions].map(({ value }) => value).filter(Boolean)
    return { input: list, read: () => (multiple ? (chosen().length ? chosen() : undefined) : chosen()[0]) }
  }
  if (type === 'textarea') {
    const box = make('textarea', { rows: 4, maxLength: maxLength ?? 5000, dir: 'auto' })
    return { input: box, read: () => box.value.trim() || undefined }
  }
  const input = make('input', { type: inputTypes[type] ?? 'text', dir: 'auto', maxLength: maxLength ?? 5000 })
  return {
    input,
    read: () => {
      if (type === 'boolean') return input.checked
      const text = input.value.trim()
      if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
      return type === 'datetime' && text ? new Date(text).toISOString() : text || undefined
    },
  }
}
