import type { PeriodicJob } from '../../../db/periodic-job.ts'
import { utcDayOf } from '../../../domain/time/calendar.ts'
import { balancesToCheck, saveWebhook } from '../queries/webhooks.ts'
import type { Casino } from '../service.ts'
import { tellOfLowBalance } from '../webhooks/events.ts'
import { costsOf } from './read.ts'

/**
 * Periodic job that warns of balances that a day's charge made low: each tenant at most once a day. It has no next run
 * of its own, because it follows the charge.
 */
export function warningOfLowBalances(app: Casino): PeriodicJob {
  return {
    name: 'casino: warn of low balances',
    run: (limit) =>
      app.store.write(async (tx) => {
        const today = utcDayOf(tx.now)
        const tenants = await balancesToCheck(tx, limit)
        for (const { alert_days, alerted_on, ...tenant } of tenants) {
          const { average, daysLeft } = await costsOf(tx, tenant)
          const isLow = daysLeft !== null && daysLeft < alert_days
          if (isLow && alerted_on !== today) await tellOfLowBalance(app, tx, tenant, { averageUsd: average, daysLeft })
          await saveWebhook(tx, tenant.code, {
            alert_checked: tenant.charged_through,
            ...(isLow ? { alerted_on: today } : {}),
          })
        }
        return tenants.length
      }),
  }
}
