import type { TSchema } from 'typebox'

/** The schema builder, and the schemas of the services and of the operator's jobs. */
export type Shapes = typeof import('./shapes.ts')

/** Builds the schema of a command's result. A command states only this, so that its start does not load any schema. */
export type ResultSchema = (shapes: Shapes) => TSchema

/** Returns the schema of a command's result, or undefined if the command has none. */
export async function resultSchema({
  data,
}: {
  readonly data: ResultSchema | undefined
}): Promise<TSchema | undefined> {
  return data?.(await import('./shapes.ts'))
}
