import { realAmbient } from '../../../../kit/ambient.ts'
import { Problem } from '../../../../kit/problem.ts'
import { bookState } from '../../../../operator/bets/slips-by-day.ts'
import { platformTime } from '../../../../operator/book/cursor-position.ts'
import type { PeriodWork } from '../../../../operator/reconcile/periods/periods.ts'
import type { PeriodShown } from '../../../../operator/reconcile/periods/schema.ts'
import type { CommandContext } from '../../../context/context.ts'
import type { Style } from '../../../terminal/color.ts'

/** Opens the existing book with the tenant and the platform's time. */
export async function openPeriods(context: CommandContext): Promise<PeriodWork> {
  const { book } = await context.services.book()
  const { owner, position } = await book.store.read(bookState)
  if (!owner) throw new Problem('CANNOT_CONCLUDE', 'The book is empty. Run first: countroom bets sync --out bets')
  const { company_code: companyCode, environment, timezone } = owner
  const run = { id: realAmbient().id(), who: context.words }
  return { book, companyCode, environment, timezone, now: platformTime(position, Date.now()), run }
}

export const stateColors = {
  open: 'yellow',
  closed: 'cyan',
  approved: 'green',
  restated: 'red',
} as const satisfies Record<PeriodShown['state'], Style>
