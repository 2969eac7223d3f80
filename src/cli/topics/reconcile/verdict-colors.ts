import type { Verdict } from '../../../domain/reconcile/daily.ts'
import type { Style } from '../../terminal/color.ts'

/** Color of each verdict on a terminal. */
export const verdictColors = {
  balanced: 'green',
  differences: 'red',
  'cannot-conclude': 'yellow',
} as const satisfies Record<Verdict, Style>
