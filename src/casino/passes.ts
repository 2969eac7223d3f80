import { afterCharge, afterTime, type Standing } from '../domain/billing.ts'
import { dayMs, startOfUtcDay } from '../domain/calendar.ts'
import { formatUsd, parseUsd } from '../domain/money.ts'
import { oldestReadableMonth } from '../domain/plan.ts'
import { endOf, sessionIdleMs, sessionMaxMs } from '../domain/session.ts'
import type { Pass } from '../outbox/pass.ts'
import type { Tx } from '../store/store.ts'
import type { TenantRow } from '../store/tables/casino.ts'
import { usageOn } from './account.ts'
import type { Casino } from './casino.ts'
import { limitsFor } from './limits.ts'
import { warningOfLowBalances } from './low-balance.ts'
import { forgetRecords } from './queries/bets.ts'
import { insertCreditEntry, insertUsageDay } from './queries/credit.ts'
import { earliestSession, forgetLaunches, saveSession, staleSessions } from './queries/players.ts'
import { allTenants, forgetNonces, saveTenant } from './queries/tenants.ts'
import { tellOfStanding } from './webhooks.ts'

/** What time does to the casino: sessions end, days are charged, grace runs out, old things are forgotten. */
export function casinoPasses(app: Casino): Pass[] {
  return [endingSessions(app), chargingDays(app), warningOfLowBalances(app), endingGrace(app), ...forgetting(app)]
}

function endingSessions(app: Casino): Pass {
  return {
    name: 'casino sessions end',
    nextDue: async (reader) => {
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

/** The start of the first UTC day of a tenant that has not been charged. */
function firstUnchargedDay(tenant: TenantRow): number {
  if (tenant.charged_through === null) return startOfUtcDay(tenant.created_at)
  return Date.parse(tenant.charged_through) + dayMs
}

function chargingDays(app: Casino): Pass {
  return {
    name: 'casino days are charged',
    nextDue: async (reader) => {
      const tenants = await allTenants(reader)
      return tenants.length === 0 ? undefined : Math.min(...tenants.map((tenant) => firstUnchargedDay(tenant) + dayMs))
    },
    run: (limit) =>
      app.store.write(async (tx) => {
        let days = 0
        for (const found of await allTenants(tx)) {
          let tenant = found
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
  const fee = parseUsd(usage.table_fee_usd)
  const credit = parseUsd(tenant.credit_usd) - fee
  await insertUsageDay(tx, usage)
  if (fee > 0n)
    await insertCreditEntry(tx, {
      id: app.id(),
      tenant: tenant.code,
      kind: 'table_fee',
      amount_usd: formatUsd(-fee),
      balance_usd: formatUsd(credit),
      day: usage.day,
      ref: usage.day,
      at: tx.now,
    })
  const standing = { ...standingOf(tenant), credit }
  const change = changeFor(fee > 0n ? afterCharge(standing, tx.now) : standing)
  const charged = { ...change, credit_usd: formatUsd(credit), charged_through: usage.day }
  await saveTenant(tx, tenant.code, charged)
  await tellOfStanding(app, tx, tenant, { ...tenant, ...charged })
  return { ...tenant, ...charged }
}

function endingGrace(app: Casino): Pass {
  return {
    name: 'casino grace ends',
    nextDue: async (reader) => {
      const ends = (await allTenants(reader)).flatMap((tenant) =>
        tenant.state === 'GRACE' && tenant.grace_until !== null ? [tenant.grace_until] : [],
      )
      return ends.length === 0 ? undefined : Math.min(...ends)
    },
    run: () =>
      app.store.write(async (tx) => {
        let ended = 0
        for (const tenant of await allTenants(tx)) {
          const after = afterTime(standingOf(tenant), tx.now)
          if (after.state === tenant.state) continue
          await saveTenant(tx, tenant.code, changeFor(after))
          await tellOfStanding(app, tx, tenant, { ...tenant, ...changeFor(after) })
          ended++
        }
        return ended
      }),
  }
}

function standingOf(tenant: TenantRow): Standing {
  return { state: tenant.state, credit: parseUsd(tenant.credit_usd), graceUntil: tenant.grace_until }
}

function changeFor(standing: Standing): Pick<TenantRow, 'state' | 'grace_until'> {
  return { state: standing.state, grace_until: standing.graceUntil }
}

/** What is no longer needed goes when there is time: nothing else waits for it, so nothing of it falls due. */
function forgetting(app: Casino): Pass[] {
  return [
    {
      name: 'casino nonces are forgotten',
      run: (limit) => app.store.write((tx) => forgetNonces(tx, limit)),
    },
    {
      name: 'casino links are forgotten',
      run: (limit) => app.store.write((tx) => forgetLaunches(tx, tx.now - dayMs, limit)),
    },
    {
      name: 'casino records are forgotten',
      run: (limit) =>
        app.store.write(async (tx) => {
          let forgotten = 0
          for (const tenant of await allTenants(tx)) {
            const before = oldestReadableMonth(tx.now, limitsFor(tenant).retentionDays)
            if (forgotten < limit) forgotten += await forgetRecords(tx, tenant.code, before, limit - forgotten)
          }
          return forgotten
        }),
    },
  ]
}
