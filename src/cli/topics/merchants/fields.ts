import { Args } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

export const depositArg = {
  id: Args.string({ required: true, description: 'Deposit ID, from "console merchants funds list"' }),
}

/** Schemas of refunds and of deposits that credit no payment. */

export function refundSchema({ Type }: Shapes) {
  const text = Type.Union([Type.String(), Type.Null()])
  return Type.Object({
    id: Type.String(),
    paymentId: Type.String(),
    deposit: Type.Union([Type.String(), Type.Null()], { description: 'The returned deposit; null for a refund.' }),
    part: Type.String({ description: 'rest, overpaid, amount A, percent P or deposit, with the --key if any.' }),
    state: Type.Enum(['requested', 'approved', 'sent', 'done', 'failed', 'withdrawn'], {
      description:
        'requested: waits for a second person. approved: waits for the address of the customer. sent: its payout is on the way.',
    }),
    amount: Type.Union([Type.String(), Type.Null()], {
      description: 'Amount taken from the account, including the network fee; null for an unknown token.',
    }),
    fee: text,
    sends: Type.Union([Type.String(), Type.Null()], { description: 'Amount that the recipient gets.' }),
    currency: Type.String(),
    address: Type.String({ description: 'Empty until the customer names it.' }),
    link: Type.Union([Type.String(), Type.Null()], {
      description: 'Page on which the customer names the address; null if it was given.',
    }),
    payout: text,
    requestedBy: text,
    approvedBy: text,
    requestedAt: Type.String(),
  })
}

export function fundsSchema({ Type }: Shapes) {
  const text = Type.Union([Type.String(), Type.Null()])
  return Type.Object({
    id: Type.String({ description: 'ID of the deposit.' }),
    kind: Type.Enum(['frozen', 'foreign'], { description: 'foreign: a token other than that of the payment.' }),
    state: Type.Enum(['held', 'released', 'returning', 'returned']),
    amount: Type.Union([Type.String(), Type.Null()], {
      description: 'Null for a token that is no coin of the gateway.',
    }),
    currency: text,
    units: Type.String({ description: 'Amount in the smallest units of the token.' }),
    contract: text,
    network: Type.String(),
    sender: Type.String(),
    paymentId: Type.String(),
    result: Type.Union([Type.String(), Type.Null()], {
      description: 'Payment that it was released to, or payout that returns it.',
    }),
    decidedBy: text,
    decidedAt: text,
    seenAt: Type.String(),
  })
}
