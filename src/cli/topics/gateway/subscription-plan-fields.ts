import { definedFields } from '../../../kit/defined-fields.ts'
import { Flags } from '../../framework/flags.ts'
import type { Column } from '../../terminal/table.ts'
import { amountColumn, callbackFlag, wholeColumn } from './arguments.ts'

/** URL flags of a subscription plan. */
export const planLinkFlags = {
  ...callbackFlag,
  success: Flags.string({ summary: 'URL to open after a payment', helpValue: 'URL' }),
  cancel: Flags.string({ summary: 'URL to open if the customer cancels', helpValue: 'URL' }),
  'partly-paid': Flags.string({ summary: 'URL to open after a partial payment', helpValue: 'URL' }),
}

interface PlanLinks {
  readonly callback?: string | undefined
  readonly success?: string | undefined
  readonly cancel?: string | undefined
  readonly 'partly-paid'?: string | undefined
}

export const planLinksOf = (flags: PlanLinks) =>
  definedFields({
    ipn_callback_url: flags.callback,
    success_url: flags.success,
    cancel_url: flags.cancel,
    partially_paid_url: flags['partly-paid'],
  })

export const planFields: readonly Column[] = [
  wholeColumn('id', 'plan'),
  { key: 'title' },
  amountColumn('amount'),
  { key: 'currency' },
  { key: 'interval_day', title: 'days', kind: 'count' },
]
