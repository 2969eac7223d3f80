import { Problem } from '../../../kit/problem.ts'
import { Args } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

export const paymentArg = { payment: Args.string({ required: true, description: 'Payment ID (payment_id)' }) }

/** Parses the ID of a payment. */
export function paymentIdFrom(text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text)
  throw new Problem('INVALID_USAGE', `A payment_id has decimal digits only; received ${JSON.stringify(text)}`)
}

/** Schema of a payment and all deposits to its address. */
export function chainSchema({ Type, gateway }: Shapes) {
  const orNull = <T extends import('typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])
  const deposit = Type.Object({
    txId: Type.String(),
    hash: Type.String(),
    network: Type.String(),
    sender: Type.String(),
    amount: orNull(Type.String({ description: 'Null for a token other than that of the payment.' })),
    contract: orNull(Type.String()),
    confirmations: Type.Integer(),
    needed: Type.Integer(),
    state: Type.Enum(['unseen', 'seen', 'confirmed', 'removed', 'frozen', 'stray']),
    paymentId: orNull(Type.Integer({ description: 'Payment that the deposit counts toward.' })),
  })
  return {
    payments: Type.Array(gateway.Payment, {
      description: 'The payment, and those created by later deposits to its address.',
    }),
    deposits: Type.Array(deposit),
  }
}
