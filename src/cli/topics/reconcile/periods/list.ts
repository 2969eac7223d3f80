import { listPeriods } from '../../../../operator/reconcile/periods/periods.ts'
import type { PeriodShown } from '../../../../operator/reconcile/periods/schema.ts'
import type { CommandContext } from '../../../context/context.ts'
import { openPeriods, stateColors } from './work.ts'

/** Prints the periods, newest first. Changes since the close are recorded first. */
export async function showPeriods(context: CommandContext, { limit }: { readonly limit: number }) {
  const all = await listPeriods(await openPeriods(context))
  const { rows: periods, more } = context.upTo(limit, all)
  context.table(
    periods.map((period) => ({ ...period, ...countsOf(period) })),
    [
      { key: 'period', whole: true },
      { key: 'state', tint: (state) => stateColors[state as PeriodShown['state']] },
      { key: 'ready', title: 'days ready' },
      { key: 'openBreaks', title: 'open breaks', kind: 'count' },
      { key: 'closedBy', title: 'closed by' },
      { key: 'approvedBy', title: 'approved by' },
    ],
    'No day was reconciled with this book yet. Run first: countroom reconcile daily',
  )
  const restated = periods.filter(({ state }) => state === 'restated').map(({ period }) => period)
  if (restated.length > 0)
    context.endWith(
      'RESTATED',
      `Closed periods changed: ${restated.join(', ')}. To see how: countroom reconcile periods show ${restated[0]}`,
      {
        category: 'differences',
        periods: restated,
      },
    )
  return { periods, more }
}

const countsOf = ({ days, breaks }: PeriodShown) => ({
  ready: `${days.filter(({ reasons }) => reasons.length === 0).length} of ${days.length}`,
  openBreaks: breaks.open,
})
