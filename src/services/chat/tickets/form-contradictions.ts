import type { FormDefinition, FormField } from '../../../domain/tickets/form.ts'
import { type FormFault, faultsOfForm } from '../../../domain/tickets/form-errors.ts'

/** Contradictions in a form file that has other errors too, so that one run reports all of them. */

/** Returns a part of the file, or undefined if it has an error. Parts without an error match the schema. */
type Reader = (path: string, part: unknown) => unknown

/** Returns the contradictions among the parts of a file that have no error of their own. */
export function contradictionsOfRest(value: unknown, faults: readonly FormFault[]): FormFault[] {
  const isBroken = (part: string) =>
    faults.some(({ path }) => path.startsWith(part) && /^[.[]|^$/.test(path.slice(part.length)))
  const read: Reader = (path, part) => (isBroken(path) ? undefined : part)
  const { fields, workflow } = objectOf(value)
  const { statuses } = objectOf(workflow)
  const form = {
    title: '',
    description: '',
    fields: listOf(fields).map((field, i) => fieldOf(objectOf(field), `$.fields[${i}]`, read)),
    workflow: workflowOf(objectOf(workflow), read),
  }
  // An unknown status name may be that of a status with an error.
  const hasAllCodes =
    faults.every(({ path }) => !['$', '$.workflow', '$.workflow.statuses'].includes(path)) &&
    listOf(statuses).every((_, i) => !isBroken(`$.workflow.statuses[${i}].code`))
  const isUnsure = (path: string) => !hasAllCodes && /\.requiredOnStatus|\.initialStatus|\.from$|\.to$/.test(path)
  // The parts that were read match the schema.
  return faultsOfForm(form as FormDefinition).filter(({ path }) => !isBroken(path) && !isUnsure(path))
}

function fieldOf(field: Record<string, unknown>, path: string, read: Reader): object {
  const part = (name: string) => read(`${path}.${name}`, field[name])
  const type = part('type') as FormField['type'] | undefined
  const validation = Object.entries(objectOf(field['validation'])).filter(
    ([name, limit]) => read(`${path}.validation.${name}`, limit) !== undefined,
  )
  const options = listOf(field['options']).map((each, i) => {
    const option = objectOf(each)
    const at = `${path}.options[${i}]`
    return {
      value: read(`${at}.value`, option['value']) ?? unnamed(at),
      active: read(`${at}.active`, option['active']),
    }
  })
  // A default can be checked only if these parts are valid.
  const hasRules = ['type', 'options', 'validation'].every((name) => read(`${path}.${name}`, true) === true)
  return {
    fieldCode: part('fieldCode') ?? unnamed(path),
    // A field without a valid type is checked like a decimal, which has the most limits.
    type: type ?? 'decimal',
    validation: Object.fromEntries(validation.filter(([name]) => type !== undefined || name !== 'maxSelections')),
    options: type === undefined ? null : options,
    requiredOnStatus: listOf(field['requiredOnStatus']).map((code, i) => {
      const at = `${path}.requiredOnStatus[${i}]`
      return read(at, code) ?? unnamed(at)
    }),
    default: hasRules ? part('default') : null,
  }
}

function workflowOf(workflow: Record<string, unknown>, read: Reader): object {
  const partsOf = (list: 'statuses' | 'transitions', names: readonly string[]) =>
    listOf(workflow[list]).map((each, i) => {
      const at = `$.workflow.${list}[${i}]`
      const entry = objectOf(each)
      return Object.fromEntries(names.map((name) => [name, read(`${at}.${name}`, entry[name])] as const))
    })
  return {
    initialStatus: read('$.workflow.initialStatus', workflow['initialStatus']) ?? '',
    statuses: partsOf('statuses', ['code', 'active']).map(({ code, active }, i) => ({
      code: code ?? unnamed(`$.workflow.statuses[${i}]`),
      active: active !== false,
    })),
    transitions: partsOf('transitions', ['from', 'to']).map(({ from, to }, i) => ({
      from: from ?? '*',
      to: to ?? unnamed(`$.workflow.transitions[${i}]`),
    })),
  }
}

/** Returns a placeholder for a name with an error. It equals no other name, because names contain no NUL. */
const unnamed = (path: string): string => `\0${path}`

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
