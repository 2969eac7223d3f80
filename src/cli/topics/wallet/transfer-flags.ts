import { Args, attemptsFlag, bookFlag, Flags, moneyFlags } from '../../framework/flags.ts'
import { plannedSchema } from '../../outcome/dry-run.ts'
import { moneyExits } from '../../outcome/exit-codes.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** Arguments, flags and result of deposit and withdraw. */

export const transferArgs = {
  user: Args.string({ required: true, description: 'Player username' }),
  amount: Args.string({ required: true, description: 'Amount above zero, with at most 4 decimals' }),
  currency: Args.string({ required: true, description: 'Currency of the player' }),
}

export const transferFlags = {
  txn: Flags.string({
    summary: 'Transfer ID; run again with the same ID to resume the transfer',
    helpValue: 'ID',
  }),
  ...attemptsFlag,
  ...bookFlag,
  ...moneyFlags,
}

export const transferExits = [...moneyExits, 'differences', 'locked'] as const
export const transferFiles = ['the book (COUNTROOM_BOOK): every transfer is written to it before it is sent']

export function transferSchema(shapes: Shapes) {
  const { Type } = shapes
  const orNull = <T extends import('typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])
  return Type.Object({
    txnId: orNull(
      Type.String({ description: 'Null in a dry run without --txn, because the ID is created before sending.' }),
    ),
    username: Type.String(),
    dir: Type.Enum(['in', 'out']),
    amount: Type.String(),
    currency: Type.String(),
    status: orNull(Type.Literal('done')),
    balance: orNull(Type.String({ description: 'Balance right after the transfer.' })),
    duplicate: orNull(
      Type.Boolean({
        description: 'True if an earlier attempt had carried it out; the money moved once.',
      }),
    ),
    created: Type.Boolean({ description: 'True if the player did not exist before.' }),
    knownBy: orNull(Type.Enum(['reply', 'look-up'])),
    attempts: Type.Integer({ description: 'Number of attempts over all runs.' }),
    dryRun: Type.Boolean(),
    request: plannedSchema(shapes),
  })
}
