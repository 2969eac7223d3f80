import type { TSchema } from 'typebox'
import { categories, type ErrorReport } from './exit-codes.ts'
import { maskedValue } from './secrets-mask.ts'

/** The version of the form below. Adding a field leaves it; taking one out or renaming one makes it 2. */
export const schemaVersion = 1

/** The one object that `--json` prints, whatever happened. All keys are always there. */
export interface Envelope {
  readonly schemaVersion: typeof schemaVersion
  readonly command: string
  readonly status: 'ok' | 'error'
  readonly data: unknown
  readonly warnings: readonly string[]
  readonly error: ErrorReport | null
}

/** A run that found something to complain of has both: its result in `data`, and why it did not end well in `error`. */
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

/** The JSON Schema of what a command prints, from the schema of its `data`. */
export async function envelopeSchema(command: string, data: TSchema | undefined): Promise<TSchema> {
  const { Type } = await import('typebox')
  const error = Type.Object({
    code: Type.String({ description: 'Stable; one branches on this' }),
    category: Type.Enum(Object.keys(categories).filter((name) => name !== 'ok')),
    retryable: Type.Boolean({ description: 'Whether the same call may be made again as it was' }),
    message: Type.String({ description: 'For people; may change' }),
    details: Type.Record(Type.String(), Type.Unknown()),
    remoteCode: Type.Union([Type.String(), Type.Null()], { description: 'The code as the remote API gave it' }),
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
