import type { TSchema } from 'typebox'
import type { FormDefinition, FormField } from '../../../domain/tickets/form.ts'
import { type FormFault, faultsOfForm, isUsable } from '../../../domain/tickets/form-errors.ts'
import type { JsonSchema } from '../../../http/contract/json-schema.ts'
import { projector } from '../../../http/contract/project.ts'
import { faultsAt } from '../../../http/server/validate.ts'
import { createCache } from '../../../kit/cache.ts'
import { Form } from '../api/schemas.ts'
import { contradictionsOfRest } from './form-contradictions.ts'

/** A form in a file or row: the API's form with optional parts omitted. */

/** Parts that can be omitted or null. The API's form has all of them. */
const optionalParts = new Set([
  'formCode',
  'version',
  'title',
  'description',
  'active',
  'required',
  'visibleToCustomer',
  'default',
  'validation',
  'minLength',
  'maxLength',
  'pattern',
  'min',
  'max',
  'maxSelections',
  'options',
  'requiredOnStatus',
  'transitions',
  'requiresComment',
])

/**
 * Derives the schema of a file from the API's, so that there is one source. Unknown keys are errors, because they are
 * probably typos.
 */
function fileSchema(schema: JsonSchema): JsonSchema {
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map(fileSchema) }
  if (schema.items && !Array.isArray(schema.items)) return { ...schema, items: fileSchema(schema.items as JsonSchema) }
  if (!schema.properties) return schema
  const properties = Object.entries(schema.properties).map(([name, part]): [string, JsonSchema] => {
    const inner = fileSchema(part)
    return [name, optionalParts.has(name) ? { anyOf: [inner, { type: 'null' }] } : inner]
  })
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    required: (schema.required ?? []).filter((name) => !optionalParts.has(name)),
    additionalProperties: false,
  }
}

const apiForm: TSchema = Form
const FormFile = fileSchema(apiForm) as TSchema

type Parts<T> = { readonly [K in keyof T]?: T[K] | null }
/** A file that matches the schema. */
interface FileContent extends Parts<Pick<FormDefinition, 'title' | 'description'>> {
  readonly active?: boolean | null
  readonly fields: readonly (Pick<FormField, 'fieldCode' | 'label' | 'type'> & Parts<FormField>)[]
  readonly workflow: Pick<FormDefinition['workflow'], 'initialStatus' | 'statuses'> & Parts<FormDefinition['workflow']>
}

/** Returns the form in a file, or all of its errors with their paths. */
export async function readFormFile(
  value: unknown,
  formCode: string,
): Promise<{ definition: FormDefinition; isActive: boolean } | { faults: FormFault[] }> {
  const faults = await faultsAt(FormFile, value)
  if (faults.length > 0) return { faults: [...faults, ...contradictionsOfRest(value, faults)] }
  // The value matches the schema: it has no faults.
  const content = value as FileContent
  const definition = completed(content, formCode)
  const contradictions = faultsOfForm(definition)
  return contradictions.length > 0 ? { faults: contradictions } : { definition, isActive: content.active !== false }
}

/** Fills in the omitted parts of a form. */
function completed({ title, description, fields, workflow }: FileContent, formCode: string): FormDefinition {
  return {
    title: title || formCode,
    description: description ?? '',
    fields: fields.map((field) => ({
      fieldCode: field.fieldCode,
      label: field.label,
      type: field.type,
      required: field.required ?? false,
      visibleToCustomer: field.visibleToCustomer ?? true,
      default: field.default ?? null,
      validation: field.validation ?? {},
      options: field.options ?? null,
      requiredOnStatus: field.requiredOnStatus ?? [],
    })),
    workflow: {
      initialStatus: workflow.initialStatus,
      statuses: workflow.statuses.map(({ code, label, category, active }) => ({
        code,
        label,
        category,
        active: active !== false,
      })),
      transitions: workflow.transitions ?? null,
    },
  }
}

const storedForms = createCache<FormDefinition | undefined>(500)

/** Returns the form of a stored row, or undefined when no ticket can be created with it. */
export function storedForm({ code, definition }: { code: string; definition: string }): FormDefinition | undefined {
  return storedForms(`${code} ${definition}`, () => parsed(definition, code))
}

function parsed(text: string, code: string): FormDefinition | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const projected = projector(FormFile)(value)
  if (!projected.matches) return undefined
  const form = completed(projected.value as FileContent, code)
  return isUsable(form) ? form : undefined
}
