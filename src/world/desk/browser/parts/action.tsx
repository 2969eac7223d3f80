import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { commandText } from '../../actions/command-form.ts'
import type { ActionEntry, ActionName } from '../../actions/index.ts'
import { actions, DeskError, runAction } from '../api.ts'
import { CopyButton } from './copy.tsx'
import { useFocusKept } from './focus.ts'
import { showToast } from './toasts.tsx'

/** Forms and buttons of actions, all derived from the table of actions. */

type Values = Readonly<Record<string, unknown>>

interface ActionOptions {
  readonly name: ActionName
  /** Values that the page knows; their fields are not shown. */
  readonly given?: Values
  /** Initial values of fields that are shown. */
  readonly initial?: Values
  readonly title?: string
  /** Called with the result, in addition to the notice. */
  readonly onDone?: (result: Record<string, unknown>) => void
}

/** Parts of a JSON Schema that determine how a field is drawn. */
interface FieldSchema {
  readonly title?: string
  readonly type?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly examples?: readonly string[]
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

function entryOf(name: ActionName): ActionEntry {
  const entry = actions.get(name)
  if (!entry) throw new Error(`no action ${name}`)
  return entry
}

function fieldsOf(entry: ActionEntry, given: Values): [string, FieldSchema][] {
  return Object.entries(entry.input.properties as Record<string, FieldSchema>).filter(([field]) => !(field in given))
}

function initialOf(entry: ActionEntry, given: Values, initial: Values): Values {
  const defaults = fieldsOf(entry, given).flatMap(([field, schema]) => {
    const value = initial[field] ?? schema.default ?? (isRequired(entry, field) ? schema.enum?.[0] : undefined)
    return value === undefined ? [] : [[field, value] as const]
  })
  return Object.fromEntries(defaults)
}

const isRequired = ({ input }: ActionEntry, field: string) => (input.required ?? []).includes(field)

/** An action with its fields and its button, and the equivalent command below. */
export function ActionForm({ name, given = {}, initial = {}, title, onDone }: ActionOptions) {
  const entry = entryOf(name)
  const [values, setValues] = useState<Values>(() => initialOf(entry, given, initial))
  const [isRunning, setRunning] = useState(false)
  const [problem, setProblem] = useState<DeskError>()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  useFocusKept(form)
  const all = { ...values, ...given }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isRunning) return
    setRunning(true)
    setProblem(undefined)
    try {
      const result = await runAction(name, sentOf(all))
      showToast(`${title ?? entry.title}: done`, resultText(result))
      onDone?.(result)
    } catch (error) {
      setProblem(error instanceof DeskError ? error : new DeskError('FAILED', String(error)))
    } finally {
      setRunning(false)
    }
  }
  return (
    <form ref={form} class="action" onSubmit={submit} data-action={name} aria-describedby={`${id}-summary`}>
      <p class="summary" id={`${id}-summary`}>
        {entry.summary}
      </p>
      <div class="fields">
        {fieldsOf(entry, given).map(([field, schema]) => (
          <Field
            key={field}
            id={`${id}-${field}`}
            name={field}
            schema={schema}
            isRequired={isRequired(entry, field)}
            isWrong={problem?.field === field}
            value={values[field]}
            onChange={(value) => setValues({ ...values, [field]: value })}
          />
        ))}
        {/* Not disabled: a disabled button would lose the focus. */}
        <button type="submit" class={entry.isDangerous ? 'danger' : 'primary'} aria-disabled={isRunning}>
          {title ?? entry.title}
        </button>
      </div>
      {problem && (
        <p class="problem" role="alert">
          {problem.message}
        </p>
      )}
      <Commands entry={entry} values={all} />
    </form>
  )
}

/** Returns the values to send, without empty fields. */
function sentOf(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== undefined))
}

function resultText({ url: _, warning: _shownByThePage, ...result }: Record<string, unknown>): string {
  return Object.entries(result)
    .filter(([, value]) => value !== null && typeof value !== 'object' && value !== undefined)
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ')
}

/** The commands that do the same as an action. */
function Commands({ entry, values }: { entry: ActionEntry; values: Values }) {
  const text = entry.commands.map((form) => commandText(form, values)).join(' && \\\n  ')
  return (
    <div class="command">
      <code data-command={entry.name}>{text}</code>
      <CopyButton text={text} label="Copy the command" />
    </div>
  )
}

interface FieldOptions {
  readonly id: string
  readonly name: string
  readonly schema: FieldSchema
  readonly isRequired: boolean
  readonly isWrong: boolean
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function Field({ id, name, schema, isRequired: required, isWrong, value, onChange }: FieldOptions) {
  const label = `${schema.title ?? name}${required ? '' : ' (optional)'}`
  const shared = { id, name, required, 'aria-invalid': isWrong }
  if (schema.type === 'boolean')
    return (
      <label class="switch">
        <input
          type="checkbox"
          name={name}
          checked={value === true}
          onChange={(e) => onChange(e.currentTarget.checked)}
        />
        {schema.title}
      </label>
    )
  if (schema.enum)
    return (
      <label for={id}>
        <span>{label}</span>
        <select {...shared} value={String(value ?? '')} onChange={(e) => onChange(e.currentTarget.value)}>
          {!required && <option value="">any</option>}
          {schema.enum.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
    )
  if (schema.type === 'integer')
    return (
      <label for={id}>
        <span>{label}</span>
        <input
          {...shared}
          type="number"
          min={schema.minimum}
          max={schema.maximum}
          value={value === undefined ? '' : Number(value)}
          onInput={(e) => onChange(e.currentTarget.value === '' ? undefined : e.currentTarget.valueAsNumber)}
        />
      </label>
    )
  const text = { ...shared, value: String(value ?? ''), spellcheck: false, autocomplete: 'off' as const }
  return (schema.maxLength ?? 0) > 2_000 && name !== 'url' && name !== 'path' ? (
    <label for={id} class="wide">
      <span>{label}</span>
      <textarea {...text} rows={name === 'text' ? 2 : 6} onInput={(e) => onChange(e.currentTarget.value)} />
    </label>
  ) : (
    <label for={id}>
      <span>{label}</span>
      <input {...text} placeholder={schema.examples?.[0]} onInput={(e) => onChange(e.currentTarget.value)} />
    </label>
  )
}

/** A button in a row or a bar that opens the action in a dialog, with its command. */
export function ActionButton(options: ActionOptions & { readonly label?: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const entry = entryOf(options.name)
  const title = options.title ?? entry.title
  const opener = useRef<HTMLButtonElement>(null)
  useFocusKept(opener)
  // Before the browser paints: the next key must not go to the page behind the dialog.
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal()
  }, [isOpen])
  return (
    <>
      <button
        ref={opener}
        type="button"
        class={entry.isDangerous ? 'quiet danger' : 'quiet'}
        onClick={() => setOpen(true)}
      >
        {options.label ?? title}
      </button>
      {isOpen && (
        <dialog ref={dialog} onClose={() => setOpen(false)} aria-label={title}>
          <header>
            <h2>{title}</h2>
            <button type="button" class="quiet" onClick={() => dialog.current?.close()} aria-label="Close">
              ✕
            </button>
          </header>
          {subjectOf(options.given) && <p class="subject">{subjectOf(options.given)}</p>}
          <ActionForm
            {...options}
            onDone={(result) => {
              dialog.current?.close()
              options.onDone?.(result)
            }}
          />
        </dialog>
      )}
    </>
  )
}

function subjectOf(given: Values = {}): string {
  return Object.entries(given)
    .filter(([field]) => !['environment', 'device', 'profile'].includes(field))
    .map(([field, value]) => `${field} ${value}`)
    .join(' · ')
}
