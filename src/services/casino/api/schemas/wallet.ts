import Type, { type Static } from 'typebox'
import { Amount, Moment, nullable, PositiveAmount, TxnId, Username } from './shared.ts'

/** Transfers and balances (1-tenant-api, "Resources and their fields"). Types come from the shapes by `Static`. */

export const TransferOrder = Type.Object({
  username: Username,
  txnId: TxnId,
  amount: PositiveAmount,
  currency: Type.String({ description: "Must be the player's currency." }),
})
export type TransferOrder = Static<typeof TransferOrder>

export const TransferResult = Type.Object({
  txnId: Type.String(),
  status: Type.Enum(['done']),
  balance: Type.String({ description: 'Balance right after the transfer; a resent txnId gets the original value.' }),
  duplicate: Type.Boolean({ description: 'Whether the txnId had been processed before.' }),
})
export type TransferResult = Static<typeof TransferResult>

export const TransferRecord = Type.Object({
  txnId: Type.String(),
  username: Type.String(),
  dir: Type.Enum(['in', 'out', 'adjust'], {
    description: 'Deposit, withdrawal, or a manual adjustment made in the Console.',
  }),
  amount: Amount,
  status: Type.Enum(['done']),
  balance: nullable(Amount),
  at: Moment,
})
export type TransferRecord = Static<typeof TransferRecord>

export const Balance = Type.Object({ balance: Amount, currency: Type.String() })
export type Balance = Static<typeof Balance>
