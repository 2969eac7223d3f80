import { statusColumn, wholeColumn } from './gateway-words.ts'
import type { Column } from './render.ts'

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
