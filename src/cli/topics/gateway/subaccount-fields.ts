import { Args } from '../../framework/flags.ts'
import type { Column } from '../../terminal/table.ts'
import { statusColumn, wholeColumn } from './arguments.ts'

export const subMoveArgs = {
  id: Args.string({ required: true, description: 'Sub-account ID' }),
  amount: Args.string({ required: true, description: 'Amount' }),
  currency: Args.string({ required: true, description: 'Coin code' }),
}

export const subTransferFields: readonly Column[] = [
  wholeColumn('id', 'transfer'),
  statusColumn('status'),
  wholeColumn('from_sub_id', 'from'),
  wholeColumn('to_sub_id', 'to'),
  { key: 'amount', kind: 'amount' },
  { key: 'currency' },
]
