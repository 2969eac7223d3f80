import Type, { type Static } from 'typebox'
import { Amount, Moment, nullable, PositiveAmount, TotalAmount, TxnId, Username } from './shared.ts'

/** Schemas of transfers and balances (1-tenant-api, "Resources and their fields"). */

export const TransferInput = Type.Object({
  username: Username,
  txnId: TxnId,
  amount: PositiveAmount,
  currency: Type.String({ description: "Must be the player's currency." }),
})
export type TransferInput = Static<typeof TransferInput>

export const TransferResult = Type.Object({
  txnId: Type.String(),
  status: Type.Enum(['done']),
  balance: Type.String({ description: 'Balance right after the transfer; a repeated txnId gets the original value.' }),
  duplicate: Type.Boolean({ description: 'True if the txnId was already processed.' }),
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
  balance: nullable(TotalAmount),
  at: Moment,
})
export type TransferRecord = Static<typeof TransferRecord>

export const Balance = Type.Object({ balance: TotalAmount, currency: Type.String() })
export type Balance = Static<typeof Balance>
