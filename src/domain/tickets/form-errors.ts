import { type FormDefinition, type FormField, faultIn, isBelow, isHarmlessPattern } from './form.ts'
import type { Workflow } from './workflow.ts'

/** A contradiction in a form whose parts all have the right types. */

export interface FormFault {
  /** Path in the file, such as `$.fields[2].validation.min`. */
  readonly path: string
  readonly message: string
}

const decimal = /^-?[0-9]{1,15}([.][0-9]{1,18})?$/

/** Returns every contradiction of a form; none when it can be saved. */
export function faultsOfForm({ fields, workflow }: FormDefinition): FormFault[] {
  const codes = workflow.statuses.map(({ code }) => code)
  return [
    ...fields.flatMap((field, i) => faultsOfField(field, `$.fields[${i}]`, codes)),
    ...repeats(
      fields.map(({ fieldCode }) => fieldCode),
      (i) => `$.fields[${i}].fieldCode`,
    ),
    ...faultsOfWorkflow(workflow, codes),
  ]
}

function faultsOfWorkflow({ initialStatus, statuses, transitions }: Workflow, codes: readonly string[]): FormFault[] {
  const faults = repeats(codes, (i) => `$.workflow.statuses[${i}].code`)
  const first = statuses.find(({ code }) => code === initialStatus)
  if (!first || first.active === false)
    faults.push({
      path: '$.workflow.initialStatus',
      message: `"${initialStatus}" is not an active status of this workflow; active: ${activeOf(statuses)}`,
    })
  for (const [i, { code }] of statuses.entries())
    if (code === '*' || code.includes(',') || code.trim() !== code)
      faults.push({
        path: `$.workflow.statuses[${i}].code`,
        message: `"${code}" must not be "*", contain a comma, or begin or end with a space`,
      })
  const steps = transitions ?? []
  for (const [i, { from, to }] of steps.entries()) {
    if (from !== '*' && !codes.includes(from)) faults.push(unknownStatus(`$.workflow.transitions[${i}].from`, from))
    if (!codes.includes(to)) faults.push(unknownStatus(`$.workflow.transitions[${i}].to`, to))
  }
  const pairs = steps.map(({ from, to }) => `${from} → ${to}`)
  return [...faults, ...repeats(pairs, (i) => `$.workflow.transitions[${i}]`)]
}

const activeOf = (statuses: Workflow['statuses']): string =>
  statuses
    .filter(({ active }) => active !== false)
    .map(({ code }) => code)
    .join(', ') || 'none'

const unknownStatus = (path: string, code: string): FormFault => ({
  path,
  message: `"${code}" is not a status of this workflow`,
})

const textTypes: readonly FormField['type'][] = [
  'text',
  'textarea',
  'email',
  'phone',
  'url',
  'decimal',
  'date',
  'datetime',
]
const choiceTypes: readonly FormField['type'][] = ['select', 'multiselect']

function faultsOfField(field: FormField, at: string, codes: readonly string[]): FormFault[] {
  const faults = [...faultsOfValidation(field, `${at}.validation`), ...faultsOfOptions(field, `${at}.options`)]
  for (const [i, code] of field.requiredOnStatus.entries())
    if (!codes.includes(code)) faults.push(unknownStatus(`${at}.requiredOnStatus[${i}]`, code))
  // With a broken pattern or bound, its values cannot be checked.
  if (faults.length > 0 || field.default === null || field.default === undefined) return faults
  const fault = faultIn(field, field.default)
  return fault === undefined ? [] : [{ path: `${at}.default`, message: `is not a valid value of the field (${fault})` }]
}

function faultsOfValidation({ type, validation }: FormField, at: string): FormFault[] {
  const faults: FormFault[] = []
  const { minLength, maxLength, pattern, min, max, maxSelections } = validation
  const add = (name: string, message: string) => faults.push({ path: `${at}.${name}`, message })
  const unused = (names: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(names))
      if (value !== null && value !== undefined) add(name, `does not apply to a field of type ${type}`)
  }
  if (!textTypes.includes(type)) unused({ minLength, maxLength, pattern })
  if (type !== 'integer' && type !== 'decimal') unused({ min, max })
  if (type !== 'multiselect') unused({ maxSelections })
  if (minLength != null && maxLength != null && minLength > maxLength)
    add('minLength', `${minLength} is greater than maxLength, ${maxLength}`)
  if (pattern != null && !isHarmlessPattern(pattern)) add('pattern', patternFault(pattern))
  const bounds = { min, max }
  for (const [name, value] of Object.entries(bounds))
    if (value != null && !decimal.test(value)) add(name, `"${value}" is not a decimal number`)
    else if (value != null && type === 'integer' && value.includes('.')) add(name, `"${value}" is not a whole number`)
  if (min != null && max != null && decimal.test(min) && decimal.test(max) && isBelow(max, min))
    add('min', `${min} is greater than max, ${max}`)
  return faults
}

function patternFault(pattern: string): string {
  try {
    new RegExp(`^(?:${pattern})$`, 'u')
  } catch (error) {
    return `does not compile: ${error instanceof Error ? error.message : String(error)}`
  }
  return 'can take too long to match: look-around, back references, repeated groups, a third unbounded repetition, many alternatives and more than 200 characters are not allowed'
}

function faultsOfOptions({ type, options }: FormField, at: string): FormFault[] {
  const list = options ?? []
  if (!choiceTypes.includes(type))
    return list.length === 0 ? [] : [{ path: at, message: `do not apply to a field of type ${type}` }]
  const values = list.map(({ value }) => value)
  const faults = repeats(values, (i) => `${at}[${i}].value`)
  if (!list.some(({ active }) => active !== false))
    faults.push({ path: at, message: `a field of type ${type} needs at least one active option` })
  return faults
}

function repeats(values: readonly string[], pathOf: (i: number) => string): FormFault[] {
  return values.flatMap((value, i) =>
    values.indexOf(value) === i ? [] : [{ path: pathOf(i), message: `"${value}" occurs more than once` }],
  )
}

/**
 * Returns whether tickets can be created with a stored form: everything it names exists, and each of its limits can be
 * evaluated.
 */
export function isUsable({ fields, workflow }: FormDefinition): boolean {
  return (
    workflow.statuses.some(({ code }) => code === workflow.initialStatus) &&
    fields.every(({ validation: { pattern, min, max } }) => {
      const bounds = [min, max].filter((bound) => bound !== null && bound !== undefined)
      return (pattern == null || isHarmlessPattern(pattern)) && bounds.every((bound) => decimal.test(bound))
    })
  )
}
