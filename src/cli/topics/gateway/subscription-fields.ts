import type { Column } from '../../terminal/table.ts'
import { statusColumn, wholeColumn } from './arguments.ts'

export const subscriptionFields: readonly Column[] = [
  wholeColumn('id', 'subscription'),
  statusColumn('status'),
  { key: 'subscription_plan_id', title: 'plan' },
  {
    key: 'subscriber',
    show: (subscriber) => Object.values(subscriber ?? {}).join(''),
  },
  { key: 'expire_date', title: 'paid until' },
]
