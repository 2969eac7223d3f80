import type { ItemResult } from '../../../../operator/tickets/apply-bulk-action.ts'
import { type Category, categoryOf } from '../../../outcome/exit-codes.ts'

export function categoryOfResult({ outcome, code }: ItemResult): Category {
  if (outcome === 'applied' || outcome === 'no-op') return 'ok'
  if (outcome === 'conflict') return 'conflict'
  if (outcome === 'unknown') return 'unknown-outcome'
  const category = categoryOf(code ?? 'UNEXPECTED')
  return category === 'unexpected' && outcome === 'failed' ? 'temporary' : category
}
