import { forgetExpired } from '../../../db/idempotency-keys.ts'
import { forgetAttempts } from '../../../db/login-attempts.ts'
import type { PeriodicJob } from '../../../db/periodic-job.ts'
import type { Tx } from '../../../db/store.ts'
import { verifyWithinMs } from '../../../domain/payments/payout.ts'
import { expire, recordDeposit } from '../payments/deposits.ts'
import { recordSentTransfer, sendQueued } from '../payments/settlement.ts'
import { recordSentPayout, rejectUnverified, sendPayouts } from '../payouts.ts'
import { forgetBuckets } from '../queries/merchants.ts'
import { lapsedPayments, nextLapse, queuedTransfers } from '../queries/payments.ts'
import { earliestUnverified, nextReadyPayout } from '../queries/payouts.ts'
import { nextDueSubscription } from '../queries/subscriptions.ts'
import type { Gateway } from '../service.ts'
import { chargeDue } from '../subscriptions.ts'
import { making } from '../write-groups.ts'

/**
 * Returns the periodic jobs: chain reports, transfers, payouts, subscriptions, expiry of payments, deletion of old
 * rows.
 */
export function gatewayJobs(app: Gateway): PeriodicJob[] {
  return [
    {
      name: 'gateway: watch chains',
      nextRun: (reader) => app.chains.nextRun(reader),
      run: (limit) => applyChainEvents(app, limit),
    },
    {
      name: 'gateway: send transfers',
      nextRun: async (reader) => (await queuedTransfers(reader, 1))[0]?.created_at,
      run: (limit) => sendQueued(app, limit),
    },
    {
      name: 'gateway: send payouts',
      nextRun: nextReadyPayout,
      run: (limit) => sendPayouts(app, limit),
    },
    {
      name: 'gateway: reject unverified payouts',
      nextRun: async (reader) => {
        const madeAt = await earliestUnverified(reader)
        return madeAt === undefined ? undefined : madeAt + verifyWithinMs
      },
      run: (limit) => rejectUnverified(app, limit),
    },
    {
      name: 'gateway: charge subscriptions',
      nextRun: nextDueSubscription,
      run: (limit) => chargeDue(app, limit),
    },
    {
      name: 'gateway: expire payments',
      nextRun: nextLapse,
      run: (limit) => app.store.write((tx) => expirePayments(app, tx, limit)),
    },
    {
      name: 'gateway: delete old idempotency keys',
      isCleanup: true,
      run: (limit) => app.store.write((tx) => forgetExpired(tx, limit)),
    },
    {
      name: 'gateway: delete old login failures',
      isCleanup: true,
      run: (limit) => app.store.write((tx) => forgetAttempts(tx, limit)),
    },
    {
      name: 'gateway: delete old rate limit buckets',
      isCleanup: true,
      run: (limit) => app.store.write((tx) => forgetBuckets(tx, tx.now - bucketMemoryMs, limit)),
    },
  ]
}

/** Time after which an unused bucket is deleted: longer than any takes to fill. */
const bucketMemoryMs = 3_600_000

/** Processes the chains' reports, each in a transaction of its own. Returns the number of reports. */
async function applyChainEvents(app: Gateway, limit: number): Promise<number> {
  const reports = await app.chains.reports(limit)
  for (const report of reports)
    await making(app, async (tx) => {
      if (report.direction === 'in') await recordDeposit(app, tx, report)
      else {
        await recordSentTransfer(app, tx, report)
        await recordSentPayout(app, tx, report)
      }
      await app.chains.acknowledge(tx, report)
    })
  return reports.length
}

async function expirePayments(app: Gateway, tx: Tx, limit: number): Promise<number> {
  const lapsed = await lapsedPayments(tx, limit)
  for (const payment of lapsed) await expire(app, tx, payment)
  return lapsed.length
}
