import { Flags } from '../../framework/flags.ts'
import type { Column } from '../../terminal/table.ts'
import { amountColumn, callbackFlag, given, wholeColumn } from './arguments.ts'

/** Where a plan's pages and callbacks lead. */
export const planLinkFlags = {
  ...callbackFlag,
  success: Flags.string({ summary: 'Where its payment page leads when it is paid', helpValue: 'URL' }),
  cancel: Flags.string({ summary: 'Where its payment page leads back', helpValue: 'URL' }),
  'partly-paid': Flags.string({ summary: 'Where its payment page leads when it ended paid in part', helpValue: 'URL' }),
}

interface PlanLinks {
  readonly callback?: string | undefined
  readonly success?: string | undefined
  readonly cancel?: string | undefined
  readonly 'partly-paid'?: string | undefined
}

export const planLinksOf = (flags: PlanLinks) =>
  given({
    ipn_callback_url: flags.callback,
    success_url: flags.success,
    cancel_url: flags.cancel,
    partially_paid_url: flags['partly-paid'],
  })

export const planFields: readonly Column[] = [
  wholeColumn('id', 'plan'),
  { key: 'title' },
  amountColumn('amount'),
  { key: 'currency', title: 'in' },
  { key: 'interval_day', title: 'every (days)', kind: 'count' },
]
