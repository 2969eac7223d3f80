import type { PeriodicJob } from '../../../db/periodic-job.ts'
import type { TenantRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { afterCharge, afterTime } from '../../../domain/account/billing.ts'
import { limitsOf, oldestReadableMonth } from '../../../domain/account/plan-limits.ts'
import { isOver } from '../../../domain/account/state.ts'
import { compareMonths, monthAfter, monthOf } from '../../../domain/bets/cursor.ts'
import { formatUsd, parseUsd } from '../../../domain/money.ts'
import { endOf, sessionIdleMs, sessionMaxMs } from '../../../domain/players/session.ts'
import { signatureWindowMs } from '../../../domain/signing.ts'
import { dayMs, startOfUtcDay, utcDayOf } from '../../../domain/time/calendar.ts'
import { warningOfLowBalances } from '../account/low-balance.ts'
import { usageOn } from '../account/read.ts'
import { standingChange, standingOf } from '../account/standing.ts'
import { countBacklog } from '../bets/summary.ts'
import { forgetRoundsWithoutBets } from '../live/round-retention.ts'
import { forgetRecords } from '../queries/bets.ts'
import { insertCreditEntry, insertUsageDay } from '../queries/credit.ts'
import { forgetDayBets } from '../queries/day-bets.ts'
import { earliestSession, forgetLaunches, forgetSessions, saveSession, staleSessions } from '../queries/sessions.ts'
import { allTenants, forgetNonces, type NonceKey, saveTenant } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'
import { keepWithinQuota } from '../tables/tables.ts'
import { enqueueStandingEvent } from '../webhooks/events.ts'

/** Periodic jobs of the casino: end sessions, charge days, end grace periods, count days, delete old rows. */
export function casinoJobs(app: Casino): PeriodicJob[] {
  return [
    endingSessions(app),
    chargingDays(app),
    warningOfLowBalances(app),
    endingGrace(app),
    countingDays(app),
    ...forgetting(app),
  ]
}

function endingSessions(app: Casino): PeriodicJob {
  return {
    name: 'casino: end sessions',
    nextRun: async (reader) => {
      const earliest = await earliestSession(reader)
      return earliest && Math.min(earliest.opened_at + sessionMaxMs, earliest.seen_at + sessionIdleMs)
    },
    run: (limit) =>
      app.store.write(async (tx) => {
        const stale = await staleSessions(tx, tx.now - sessionMaxMs, tx.now - sessionIdleMs, limit)
        for (const session of stale) {
          const reason = endOf({ openedAt: session.opened_at, seenAt: session.seen_at }, tx.now)
          await saveSession(tx, session.id, { ended_at: tx.now, end_reason: reason })
        }
        return stale.length
      }),
  }
}

/** Returns the start of a tenant's first uncharged UTC day. */
function firstUnchargedDay(tenant: TenantRow): number {
  if (tenant.charged_through === null) return startOfUtcDay(tenant.created_at)
  return Date.parse(tenant.charged_through) + dayMs
}

function chargingDays(app: Casino): PeriodicJob {
  return {
    name: 'casino: charge days',
    nextRun: async (reader) => {
      const tenants = await allTenants(reader)
      return tenants.length === 0 ? undefined : Math.min(...tenants.map((tenant) => firstUnchargedDay(tenant) + dayMs))
    },
    run: (limit) =>
      app.store.write(async (tx) => {
        let days = 0
        for (const row of await allTenants(tx)) {
          let tenant = row
          while (days < limit && firstUnchargedDay(tenant) + dayMs <= tx.now) {
            tenant = await chargeDay(app, tx, tenant, firstUnchargedDay(tenant))
            days++
          }
        }
        return days
      }),
  }
}

async function chargeDay(app: Casino, tx: Tx, tenant: TenantRow, day: number): Promise<TenantRow> {
  const usage = await usageOn(tx, tenant, day)
  const fees = { table_fee: parseUsd(usage.table_fee_usd), stream_fee: parseUsd(usage.stream_fee_usd) }
  const before = standingOf(tenant)
  let { credit } = before
  await insertUsageDay(tx, usage)
  for (const kind of ['table_fee', 'stream_fee'] as const) {
    if (fees[kind] === 0n) continue
    credit -= fees[kind]
    await insertCreditEntry(tx, {
      id: app.id(),
      tenant: tenant.code,
      kind,
      amount_usd: formatUsd(-fees[kind]),
      balance_usd: formatUsd(credit),
      day: usage.day,
      ref: usage.day,
      at: tx.now,
    })
  }
  const after = credit < before.credit ? afterCharge({ ...before, credit }, tx.now) : before
  const change = { ...standingChange(tenant, after), charged_through: usage.day }
  await saveTenant(tx, tenant.code, change)
  await enqueueStandingEvent(app, tx, tenant, { ...tenant, ...change })
  return { ...tenant, ...change }
}

/** Returns when a tenant's grace period ends; it is paused while the tenant is suspended or closed. */
function endOfGrace(tenant: TenantRow): number | undefined {
  return tenant.state === 'GRACE' && tenant.grace_until !== null ? tenant.grace_until : undefined
}

function endingGrace(app: Casino): PeriodicJob {
  return {
    name: 'casino: end grace periods',
    nextRun: async (reader) => {
      const ends = (await allTenants(reader)).map(endOfGrace).filter((end) => end !== undefined)
      return ends.length === 0 ? undefined : Math.min(...ends)
    },
    run: () =>
      app.store.write(async (tx) => {
        let ended = 0
        for (const tenant of await allTenants(tx)) {
          const before = standingOf(tenant)
          const after = afterTime(before, tx.now)
          if (isOver(tenant.state) || after.state === before.state) continue
          const change = standingChange(tenant, after)
          await saveTenant(tx, tenant.code, change)
          await enqueueStandingEvent(app, tx, tenant, { ...tenant, ...change })
          await keepWithinQuota(tx, { ...tenant, ...change })
          ended++
        }
        return ended
      }),
  }
}

/** Counts past days without running sums. Requests for one count it themselves, so this job has no next run. */
function countingDays(app: Casino): PeriodicJob {
  return { name: 'casino: count past days', run: (limit) => countBacklog(app, limit) }
}

/** Deletion of old rows. Nothing waits for it, so these jobs have no next run. */
function forgetting(app: Casino): PeriodicJob[] {
  const pass = (kind: string, forget: (tx: Tx, limit: number) => Promise<number>): PeriodicJob => ({
    name: `casino: delete old ${kind}`,
    isCleanup: true,
    run: (limit) => app.store.write((tx) => forget(tx, limit)),
  })
  return [
    forgettingNonces(app),
    pass('links', (tx, limit) => forgetLaunches(tx, tx.now - dayMs, limit)),
    pass('sessions', (tx, limit) => forgetSessions(tx, tx.now - 30 * dayMs, limit)),
    pass('days of bets', (tx) => forgetDayBets(tx, utcDayOf(tx.now - dayMs))),
    keepingMonths(app),
    pass('records', forgetOldRecords),
    pass('rounds without bets', forgetRoundsWithoutBets),
  ]
}

/** Creates the partitions of the coming months, and drops those that no tenant's plan keeps. Then there is less to delete. */
function keepingMonths(app: Casino): PeriodicJob {
  return {
    name: 'casino: partitions of records',
    isCleanup: true,
    run: async () => {
      const kept = await app.store.read(async (reader) => {
        const oldest = (await allTenants(reader)).map((tenant) => oldestKept(reader, tenant)).sort(compareMonths)
        const month = monthOf(reader.now)
        return { before: oldest[0], months: [month, monthAfter(month, 1), monthAfter(month, 2)] }
      })
      return app.store.keepMonths('casino_bet_records', kept)
    },
  }
}

function oldestKept({ now }: Reader, { plan, environment }: TenantRow) {
  return oldestReadableMonth(now, limitsOf(plan, environment).retentionDays)
}

/** Maximum nonces that a run reads: a millisecond's work, and more than a second's requests. */
const noncesPerRun = 5_000

/** Goes through the nonces part by part, and begins again after the last. A restarted process begins anywhere. */
function forgettingNonces(app: Casino): PeriodicJob {
  let after: NonceKey = { key_id: '', nonce: '' }
  return {
    name: 'casino: delete old nonces',
    isCleanup: true,
    run: async () => {
      const { deleted, last } = await app.store.write((tx) =>
        forgetNonces(tx, app.machineNow() - signatureWindowMs, { after, size: noncesPerRun }),
      )
      after = last ?? { key_id: '', nonce: '' }
      return deleted
    },
  }
}

/**
 * Deletes the months that a tenant's plan no longer keeps. A downgrade only hides them: a top-up makes them readable
 * again.
 */
async function forgetOldRecords(tx: Tx, limit: number): Promise<number> {
  let forgotten = 0
  for (const tenant of await allTenants(tx)) {
    const before = oldestKept(tx, tenant)
    if (forgotten < limit) forgotten += await forgetRecords(tx, tenant.code, before, limit - forgotten)
  }
  return forgotten
}
