/**
 * Payouts in simple rules from 2-payment-gateway-api ("States and transitions", "Authentication", "Errors"),
 * gateway-compat section 7, docs/gateway.md and docs/decisions.md ("Payouts"). Written from these pages, not from the
 * program.
 */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** gateway-compat 7: ten wrong codes leave the batch in creating; an unverified batch is rejected after one hour. */
const tries = 10
const codeHour = hour
/** A time-based code belongs to 30 seconds, and is valid once, half a minute early or late. */
const codeLength = 30_000

/** TRON as it is simulated: three-second blocks, 19 deep; a transfer costs 7 TRX, which are 2.1 USDT. */
const blockMs = 3_000
const depth = 19
const fee = 2_100_000n
/** The smallest payment or payout is four times its transfer fee. */
const smallest = 4n * fee
const usdt = 1_000_000n

/** The transitions between payout statuses drawn in docs/gateway.md. */
export const transitions: Readonly<Record<string, readonly string[]>> = {
  creating: ['waiting', 'rejected'],
  waiting: ['processing', 'rejected'],
  processing: ['sending', 'failed'],
  sending: ['finished', 'failed'],
  finished: [],
  failed: [],
  rejected: [],
}

export interface Payout {
  id: string
  readonly units: bigint
  readonly address: string
  readonly executeAt: number | null
  readonly createdAt: number
  status: string
  reason: 'none' | 'late' | 'cancelled' | 'approver' | 'policy' | 'dropped'
  dueAt: number | null
  sentAt: number | null
  /** Its block once it is on its chain. */
  block: number | null
  newsAt: number | null
  isDropped: boolean
  readonly callbacks: string[]
}

export interface Batch {
  id: string
  readonly createdAt: number
  readonly payouts: Payout[]
  needsApproval: boolean
  wrong: number
  isVerified: boolean
}

export interface Order {
  readonly units: bigint
  readonly address: string
  readonly executeAt: number | null
}

const heightAt = (at: number) => Math.floor(at / blockMs)

export class PayoutModel {
  now: number
  available: bigint
  held = 0n
  readonly batches: Batch[] = []
  readonly whitelist = new Set<string>()
  readonly sanctioned = new Set<string>()
  isFrozen = false
  arePricesOld = false
  limit: bigint | null = null
  dayLimit: bigint | null = null
  ceiling: bigint | null = null
  /** The 30 seconds of the last verified code: no code up to it is valid again. */
  lastCode = -1

  constructor(now: number, available: bigint) {
    this.now = now
    this.available = available
  }

  get payouts(): Payout[] {
    return this.batches.flatMap(({ payouts }) => payouts)
  }

  enter(payout: Payout, status: string, reason: Payout['reason'] = 'none'): void {
    if (!transitions[payout.status]?.includes(status)) throw new Error(`the pages draw no ${payout.status} → ${status}`)
    payout.status = status
    payout.callbacks.push(status)
    if (status === 'rejected' || status === 'failed') {
      payout.reason = reason
      payout.dueAt = null
      this.held -= payout.units + fee
      this.available += payout.units + fee
    }
    if (status === 'finished') this.held -= payout.units + fee
  }

  /** The codes with which a batch may be refused; empty if it must be accepted. */
  objectionsTo(orders: readonly Order[]): Set<string> {
    const codes = new Set<string>()
    if (this.isFrozen) codes.add('FROZEN')
    if (this.arePricesOld) codes.add('RATE_UNAVAILABLE')
    for (const { address, units } of orders) {
      if (!this.whitelist.has(address)) codes.add('ADDRESS_NOT_WHITELISTED')
      if (this.sanctioned.has(address)) codes.add('POLICY_REJECTED')
      if (units < smallest) codes.add('AMOUNT_TOO_SMALL')
      if (this.limit !== null && units > this.limit) codes.add('LIMIT_EXCEEDED')
    }
    const sum = orders.reduce((all, { units }) => all + units, 0n)
    const today = this.payouts.filter(({ createdAt }) => this.isToday(createdAt))
    const others = today.filter(({ status }) => status !== 'failed' && status !== 'rejected')
    if (this.dayLimit !== null && sum + unitsOf(others) > this.dayLimit) codes.add('LIMIT_EXCEEDED')
    if (sum + fee * BigInt(orders.length) > this.available) codes.add('INSUFFICIENT_BALANCE')
    return codes
  }

  isToday(at: number): boolean {
    return Math.floor(at / day) === Math.floor(this.now / day)
  }

  create(orders: readonly Order[], id: string, ids: readonly string[]): void {
    const payouts = orders.map((order, i): Payout => {
      this.available -= order.units + fee
      this.held += order.units + fee
      return {
        ...order,
        id: ids[i] ?? '',
        createdAt: this.now,
        status: 'creating',
        reason: 'none',
        dueAt: null,
        sentAt: null,
        block: null,
        newsAt: null,
        isDropped: false,
        callbacks: ['creating'],
      }
    })
    const needsApproval = this.ceiling !== null && unitsOf(payouts) > this.ceiling
    this.batches.push({ id, createdAt: this.now, payouts, needsApproval, wrong: 0, isVerified: false })
  }

  /**
   * The codes with which a verification may be refused. `codeAt`: the time of the code; null for a wrong or missing
   * code.
   */
  verify(batch: Batch, codeAt: number | 'wrong' | 'none'): Set<string> {
    const codes = new Set<string>()
    const isOver = this.now >= batch.createdAt + codeHour || batch.wrong >= tries || batch.isVerified
    if (isOver || !batch.payouts.some(({ status }) => status === 'creating')) codes.add('CONFLICT')
    if (this.isFrozen) codes.add('FROZEN')
    if (codes.size > 0) return codes
    if (codeAt === 'none') return new Set(['MFA_REQUIRED'])
    const step = codeAt === 'wrong' ? null : Math.floor(codeAt / codeLength)
    const isNear = step !== null && Math.abs(step - Math.floor(this.now / codeLength)) <= 1
    if (step === null || !isNear || step <= this.lastCode) {
      batch.wrong++
      return new Set(['INVALID_MFA_CODE'])
    }
    this.lastCode = step
    batch.isVerified = true
    for (const payout of batch.payouts.filter(({ status }) => status === 'creating')) {
      this.enter(payout, 'waiting')
      if (!batch.needsApproval) this.schedule(payout)
    }
    return codes
  }

  schedule(payout: Payout): void {
    payout.dueAt = Math.max(this.now, payout.executeAt ?? this.now)
  }

  /** True if an approval was pending. */
  decide(batch: Batch, isApproved: boolean): boolean {
    const waiting = batch.payouts.filter(({ status }) => status === 'waiting')
    if (!batch.needsApproval || waiting.length === 0) return false
    batch.needsApproval = false
    for (const payout of waiting)
      if (isApproved) this.schedule(payout)
      else this.enter(payout, 'rejected', 'approver')
    return true
  }

  /** Only what is scheduled for later can be cancelled, and a batch as a whole or not at all. */
  cancel(payouts: readonly Payout[]): boolean {
    const isPossible = payouts.every(
      ({ executeAt, status }) =>
        executeAt !== null && executeAt > this.now && (status === 'creating' || status === 'waiting'),
    )
    if (isPossible) for (const payout of payouts) this.enter(payout, 'rejected', 'cancelled')
    return isPossible
  }

  isDeep({ block }: Payout): boolean {
    return block !== null && heightAt(this.now) - block + 1 >= depth
  }

  /** The network drops a payout that is being sent and is not deep enough to stay. */
  drop(payout: Payout): boolean {
    if (payout.status !== 'sending' || payout.isDropped || this.isDeep(payout)) return false
    payout.isDropped = true
    payout.newsAt = this.now
    return true
  }

  /** Returns whether the policy sends a due payout: `wait` if it cannot be decided now. */
  clearance({ address, units }: Payout): 'send' | 'wait' | 'reject' {
    if (!this.whitelist.has(address) || this.sanctioned.has(address)) return 'reject'
    if (this.limit === null && this.dayLimit === null) return 'send'
    if (this.arePricesOld) return 'wait'
    if (this.limit !== null && units > this.limit) return 'reject'
    const sent = this.payouts.filter(
      ({ sentAt, status }) => sentAt !== null && this.isToday(sentAt) && status !== 'failed',
    )
    return this.dayLimit !== null && units + unitsOf(sent) > this.dayLimit ? 'reject' : 'send'
  }

  /** Runs all due work until none is left. */
  run(): void {
    for (let isBusy = true; isBusy; ) {
      isBusy = false
      for (const payout of this.payouts.filter(({ newsAt }) => newsAt !== null && newsAt <= this.now)) {
        isBusy = true
        payout.newsAt = null
        if (payout.isDropped) this.enter(payout, 'failed', 'dropped')
        else if (this.isDeep(payout)) this.enter(payout, 'finished')
        else payout.newsAt = ((payout.block ?? 0) + depth - 1) * blockMs
      }
      for (const payout of this.ready()) {
        isBusy = true
        this.send(payout)
      }
      for (const batch of this.batches.filter(({ createdAt }) => this.now >= createdAt + codeHour))
        for (const payout of batch.payouts.filter(({ status }) => status === 'creating')) {
          isBusy = true
          this.enter(payout, 'rejected', 'late')
        }
    }
  }

  ready(): Payout[] {
    if (this.isFrozen) return []
    const ready = this.payouts.filter(({ dueAt }) => dueAt !== null && dueAt <= this.now)
    return ready.sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || (a.id < b.id ? -1 : 1))
  }

  send(payout: Payout): void {
    const clearance = this.clearance(payout)
    if (clearance === 'wait') payout.dueAt = this.now + minute
    else if (clearance === 'reject') this.enter(payout, 'rejected', 'policy')
    else {
      this.enter(payout, 'processing')
      this.enter(payout, 'sending')
      payout.sentAt = this.now
      payout.dueAt = null
      payout.block = heightAt(this.now) + 1
      payout.newsAt = this.now
    }
  }

  wait(end: number): void {
    for (;;) {
      const ends = this.batches
        .filter(({ payouts }) => payouts.some(({ status }) => status === 'creating'))
        .map(({ createdAt }) => createdAt + codeHour)
      const due = this.payouts.map(({ newsAt, dueAt }) =>
        Math.min(newsAt ?? Infinity, this.isFrozen ? Infinity : (dueAt ?? Infinity)),
      )
      const next = Math.min(...ends, ...due)
      if (next > end) break
      this.now = Math.max(this.now, next)
      this.run()
    }
    this.now = end
    this.run()
  }
}

const unitsOf = (payouts: readonly Payout[]) => payouts.reduce((sum, { units }) => sum + units, 0n)
export const toUnits = (dollars: number) => (BigInt(Math.round(dollars * 100)) * usdt) / 100n
