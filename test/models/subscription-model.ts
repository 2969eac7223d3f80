/**
 * Subscriptions in simple rules from 2-payment-gateway-api ("States and transitions"), gateway-compat section 10,
 * docs/gateway.md and docs/decisions.md ("Custody and subscriptions"). Written from these pages, not from the program.
 */

const day = 24 * 3_600_000
/** Retried each day for seven days; expired seven days after the end of the paid period. */
const retry = day
const grace = 7 * day
/** One day before the period ends the next bill is mailed. */
const billLead = day

export const transitions: Readonly<Record<string, readonly string[]>> = {
  active: ['past_due', 'paused', 'cancelled'],
  past_due: ['active', 'paused', 'cancelled'],
  paused: ['active', 'cancelled'],
  cancelled: [],
}

export interface Plan {
  readonly id: string
  days: number
  /** In cents, which are equal in dollars and in the coin of the model. */
  price: bigint
}

export interface Account {
  readonly id: string
  balance: bigint
}

export interface Subscription {
  id: string
  readonly plan: Plan
  /** Account to charge; null for a subscriber by email. */
  readonly account: Account | null
  readonly email: string | null
  status: string
  paidUntil: number
  dueAt: number | null
  /** True if a bill is open, by email. */
  isBilled: boolean
  /** The days of the open bill: a change of the plan applies from the next charge. */
  billedDays: number
  mails: number
  readonly callbacks: string[]
}

export class SubscriptionModel {
  now: number
  /** Amount that the merchant got from its sub-accounts. */
  earned = 0n
  readonly plans: Plan[] = []
  readonly accounts: Account[] = []
  readonly subscriptions: Subscription[] = []

  constructor(now: number) {
    this.now = now
  }

  /** Every status change is called back, once, and so is the start. */
  enter(subscription: Subscription, status: string): void {
    if (subscription.status === status && subscription.callbacks.length > 0) return
    if (subscription.callbacks.length > 0 && !transitions[subscription.status]?.includes(status))
      throw new Error(`the pages draw no ${subscription.status} → ${status}`)
    subscription.status = status
    subscription.callbacks.push(status)
  }

  subscribe(plan: Plan, by: Account | string): Subscription {
    const [account, email] = typeof by === 'string' ? [null, by] : [by, null]
    const made: Subscription = {
      ...{ id: '', plan, account, email, status: 'past_due', paidUntil: this.now, dueAt: this.now },
      isBilled: false,
      billedDays: plan.days,
      mails: 0,
      callbacks: [],
    }
    this.subscriptions.push(made)
    if (account) this.charge(made)
    else {
      // The first bill is mailed at once; a subscriber who does not pay it within the grace period expires.
      this.bill(made)
      made.dueAt = this.now + grace
      this.enter(made, 'past_due')
    }
    return made
  }

  bill(subscription: Subscription): void {
    subscription.isBilled = true
    subscription.billedDays = subscription.plan.days
    subscription.mails++
  }

  /** A sub-account is charged at once, and then ahead of each period. */
  charge(subscription: Subscription): void {
    const { account, plan } = subscription
    if (account && account.balance >= plan.price) {
      account.balance -= plan.price
      this.earned += plan.price
      this.paid(subscription, plan.days)
      subscription.dueAt = subscription.paidUntil
      return
    }
    const end = subscription.paidUntil + grace
    if (this.now >= end) this.cancel(subscription)
    else {
      subscription.dueAt = Math.min(this.now + retry, end)
      this.enter(subscription, 'past_due')
    }
  }

  /** A period paid in time follows the previous one; paid late, it begins with the payment. A pause stays. */
  paid(subscription: Subscription, days: number): void {
    const isPaused = subscription.status === 'paused'
    const isLate = subscription.status === 'past_due' || (isPaused && this.now > subscription.paidUntil)
    subscription.paidUntil = (isLate ? this.now : subscription.paidUntil) + days * day
    if (!isPaused) this.enter(subscription, 'active')
  }

  /** The open bill of a subscriber by email is paid. */
  payBill(subscription: Subscription): void {
    if (!subscription.isBilled) return
    subscription.isBilled = false
    this.paid(subscription, subscription.billedDays)
    subscription.dueAt = subscription.status === 'paused' ? null : this.nextBillAt(subscription)
  }

  nextBillAt({ paidUntil }: Subscription): number {
    return Math.max(this.now, paidUntil - billLead)
  }

  followBill(subscription: Subscription): void {
    if (!subscription.isBilled) {
      this.bill(subscription)
      subscription.dueAt = subscription.paidUntil
    } else if (subscription.status === 'active') {
      subscription.dueAt = subscription.paidUntil + grace
      this.enter(subscription, 'past_due')
    } else this.cancel(subscription)
  }

  /** Returns whether it could be ended; a bill that is paid afterwards is an ordinary payment. */
  cancel(subscription: Subscription): boolean {
    if (subscription.status === 'cancelled') return false
    subscription.dueAt = null
    subscription.isBilled = false
    this.enter(subscription, 'cancelled')
    return true
  }

  pause(subscription: Subscription): boolean {
    if (!['active', 'past_due'].includes(subscription.status)) return false
    subscription.dueAt = null
    this.enter(subscription, 'paused')
    return true
  }

  resume(subscription: Subscription): boolean {
    if (subscription.status !== 'paused') return false
    subscription.paidUntil = Math.max(this.now, subscription.paidUntil)
    const isToBeBilled = subscription.email !== null && !subscription.isBilled
    subscription.dueAt = isToBeBilled ? this.nextBillAt(subscription) : subscription.paidUntil
    this.enter(subscription, 'active')
    return true
  }

  /** Runs all due work until none is left. */
  run(): void {
    for (;;) {
      const due = this.subscriptions.filter(({ dueAt }) => dueAt !== null && dueAt <= this.now)
      if (due.length === 0) return
      due.sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || (a.id < b.id ? -1 : 1))
      for (const each of due)
        if (each.account) this.charge(each)
        else this.followBill(each)
    }
  }

  wait(end: number): void {
    for (;;) {
      const next = Math.min(...this.subscriptions.map(({ dueAt }) => dueAt ?? Infinity))
      if (next > end) break
      this.now = Math.max(this.now, next)
      this.run()
    }
    this.now = end
    this.run()
  }
}
