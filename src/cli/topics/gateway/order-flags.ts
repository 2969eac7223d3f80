import { bookFlag, Flags, moneyFlags } from '../../framework/flags.ts'
import { plannedSchema } from '../../outcome/dry-run.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** Flags of every command that creates something at the gateway. */
export const orderFlags = {
  key: Flags.string({
    summary: 'Idempotency-Key of the order; run again with the same key to resume it',
    helpValue: 'KEY',
  }),
  ...bookFlag,
  ...moneyFlags,
}

/** Files of every command that creates something at the gateway. */
export const orderFiles = ['the book (COUNTROOM_BOOK): every order is written to it before it is sent']

/** Schema of a created object and its order. In a dry run the fields of the object are absent. */
export function orderedSchema(shapes: Shapes, shape: import('typebox').TObject) {
  const { Type } = shapes
  return Type.Object({
    ...Type.Partial(shape).properties,
    idempotencyKey: Type.Union([Type.String(), Type.Null()], {
      description: 'Null in a dry run without --key, because the key is created before sending.',
    }),
    earlier: Type.Boolean({ description: 'True if it was done before this run; nothing was sent.' }),
    dryRun: Type.Boolean(),
    request: plannedSchema(shapes),
  })
}
