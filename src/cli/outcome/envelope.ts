import type { TSchema } from 'typebox'
import { categories, type ErrorReport } from './exit-codes.ts'
import { maskedValue } from './secrets-mask.ts'

/** Version of the envelope. Removing or renaming a field increases it; adding one does not. */
export const schemaVersion = 1

/** The object that `--json` prints in every case. All keys are always present. */
export interface Envelope {
  readonly schemaVersion: typeof schemaVersion
  readonly command: string
  readonly status: 'ok' | 'error'
  readonly data: unknown
  readonly warnings: readonly string[]
  readonly error: ErrorReport | null
}

/** A run with a result and a problem has both `data` and `error`. */
export function envelope(parts: {
  command: string
  data?: unknown
  warnings?: readonly string[]
  error?: ErrorReport | undefined
}): Envelope {
  const error = parts.error
  return {
    schemaVersion,
    command: parts.command,
    status: error === undefined ? 'ok' : 'error',
    data: parts.data ?? null,
    warnings: maskedValue(parts.warnings ?? []) as string[],
    error: error === undefined ? null : (maskedValue(error) as ErrorReport),
  }
}

/** Returns the JSON Schema of a command's output, from the schema of its `data`. */
export async function envelopeSchema(command: string, data: TSchema | undefined): Promise<TSchema> {
  const { Type } = await import('typebox')
  const error = Type.Object({
    code: Type.String({ description: 'Stable code for scripts.' }),
    category: Type.Enum(Object.keys(categories).filter((name) => name !== 'ok')),
    retryable: Type.Boolean({ description: 'True if the same call may be repeated unchanged.' }),
    message: Type.String({ description: 'Message for people; may change.' }),
    details: Type.Record(Type.String(), Type.Unknown()),
    remoteCode: Type.Union([Type.String(), Type.Null()], { description: 'Code of the remote API.' }),
  })
  return Type.Object(
    {
      schemaVersion: Type.Literal(schemaVersion),
      command: Type.Literal(command),
      status: Type.Enum(['ok', 'error']),
      data: data === undefined ? Type.Unknown() : Type.Union([data, Type.Null()]),
      warnings: Type.Array(Type.String()),
      error: Type.Union([error, Type.Null()]),
    },
    { $schema: 'https://json-schema.org/draft/2020-12/schema', title: `countroom ${command} --json` },
  )
}
