/**
 * Payments in simple rules from 2-payment-gateway-api ("States and transitions", "Events"), gateway-compat section 5
 * and docs/gateway.md ("The money of a payment"). Written from these pages, not from the program.
 */

import { by, ceil, ceilTo, type Exact, exact, floor, isLess, known, plus, textOf } from './exact.ts'
import {
  type CoinCode,
  coins,
  decimalsOf,
  heightAt,
  incrementOf,
  madeAt,
  type Payment,
  quoteLength,
  type Terms,
  type Tx,
  transitions,
  unitsOf,
  windowLength,
} from './payment-facts.ts'
import { Market } from './payment-market.ts'

const isOpen = ({ status }: Payment) => ['waiting', 'confirming', 'partially_paid'].includes(status)
export const asksForMoney = ({ status }: Payment) => status === 'waiting' || status === 'partially_paid'

export class Gateway extends Market {
  now: number
  readonly payments: Payment[] = []
  readonly txs: Tx[] = []
  readonly tolerance: Exact
  readonly wallets: ReadonlySet<CoinCode>

  constructor(now: number, prices: Record<string, string>, toleranceBps: number, wallets: readonly CoinCode[]) {
    super(prices)
    this.now = now
    this.tolerance = exact(BigInt(toleranceBps), 10_000n)
    this.wallets = new Set(wallets)
  }

  // ── Payments ──

  create(id: number, terms: Terms): Payment {
    const { coin, outcomeCoin, fiat, price, isSub, given, isFeeOnTop, orderId } = terms
    // A fee paid by the user forces a fixed rate, and a fixed rate is watched for as long as its quote.
    const isFixed = terms.isFixed || isFeeOnTop
    // Amounts are rounded to the precision of their currency.
    const whole = given === null ? known(this.wholeNow(terms)) : ceilTo(exact(given), incrementOf(coin))
    const windowEnd = this.now + (isFixed ? quoteLength : windowLength)
    const payment: Payment = {
      ...{ id, coin, outcomeCoin, fiat, price, isSub, isFixed, isFeeOnTop, orderId, windowEnd, whole },
      parent: null,
      isGiven: given !== null,
      status: 'waiting',
      due: whole,
      quoteEnd: given === null ? this.now + quoteLength : windowEnd,
      paid: 0n,
      worth: 0n,
      outcome: known(this.outcomeOf(whole, coin, outcomeCoin)),
      updatedAt: this.now,
      isRefunding: false,
      callbacks: [],
      transitions: [],
    }
    this.payments.push(payment)
    payment.callbacks.push(this.view(payment))
    return payment
  }

  /** Rule 8: a payment of its own for money that its address's first payment does not need. */
  further(root: Payment, units: bigint): Payment {
    // Without a price for its outcome it is credited in its own coin; one without a price of its own costs nothing.
    const outcome = this.outcomeOf(units, root.coin, root.outcomeCoin)
    const outcomeCoin = outcome === null ? root.coin : root.outcomeCoin
    const child: Payment = {
      ...root,
      outcomeCoin,
      id: 0,
      parent: root,
      price: floor(this.converted(units, root.coin, root.fiat) ?? exact(0n)),
      isGiven: true,
      isFeeOnTop: false,
      orderId: null,
      windowEnd: this.now + windowLength,
      status: 'waiting',
      whole: units,
      due: ceilTo(exact(units), incrementOf(root.coin)),
      paid: 0n,
      worth: 0n,
      outcome: outcome ?? known(this.outcomeOf(units, root.coin, root.coin)),
      updatedAt: this.now,
      isRefunding: false,
      callbacks: [],
      transitions: [],
    }
    this.payments.push(child)
    return child
  }

  /** Returns the look-up's response and the callback's body. */
  view(payment: Payment): object {
    const { coin, outcomeCoin, fiat, parent } = payment
    const amount = (units: bigint, code: CoinCode) => Number(textOf(units, coins[code].decimals))
    return {
      payment_status: payment.status,
      actually_paid: amount(payment.paid, coin),
      // It exists in fiat currencies only.
      actually_paid_at_fiat: fiat in coins ? 0 : Number(textOf(payment.worth, decimalsOf(fiat))),
      outcome_amount: amount(payment.outcome, outcomeCoin),
      outcome_currency: outcomeCoin,
      parent_payment_id: parent === null ? null : parent.id,
      pay_amount: amount(payment.due, coin),
      pay_currency: coin,
      price_amount: Number(textOf(payment.price, decimalsOf(fiat))),
      price_currency: fiat,
      order_id: payment.orderId,
      updated_at: new Date(payment.updatedAt).toISOString(),
    }
  }

  /** Every status change is called back, once. */
  enter(payment: Payment, status: string): void {
    if (!transitions[payment.status]?.includes(status))
      throw new Error(`the pages draw no ${payment.status} → ${status}`)
    payment.transitions.push(`${payment.status} → ${status}`)
    payment.status = status
    payment.updatedAt = this.now
    payment.callbacks.push(this.view(payment))
  }

  /** Rule 4: no view has an invalid amount, so an expired quote or window is processed first. */
  look(payment: Payment): void {
    if (!asksForMoney(payment)) return
    if (this.now >= payment.windowEnd) this.expire(payment)
    else this.requote(payment)
  }

  isQuoteOver({ isFixed, isGiven, quoteEnd }: Payment): boolean {
    return !isFixed && !isGiven && this.now >= quoteEnd
  }

  requote(payment: Payment): void {
    if (!this.isQuoteOver(payment) || payment.isRefunding) return
    // Without current prices the expired quote stays until prices return.
    const whole = this.isFreshAt(this.now) ? this.wholeNow(payment) : null
    if (whole === null) return
    const due = this.dueOf({ ...payment, whole }, this.judged(payment).counted)
    const outcome = payment.paid === 0n ? this.outcomeOf(due, payment.coin, payment.outcomeCoin) : payment.outcome
    if (outcome === null) return
    Object.assign(payment, { whole, due, outcome })
    payment.quoteEnd = Math.min(this.now + quoteLength, payment.windowEnd)
  }

  deposits(payment: Payment): Tx[] {
    return this.txs.filter(({ owner, state }) => owner === payment && ['seen', 'confirmed', 'tainted'].includes(state))
  }

  covered(deposits: readonly Tx[]): Exact {
    return deposits.reduce((sum, { units, whole }) => plus(sum, exact(units, whole)), exact(0n))
  }

  /** Rule 6. */
  isCovered(deposits: readonly Tx[]): boolean {
    return deposits.length > 0 && !isLess(plus(this.covered(deposits), this.tolerance), exact(1n))
  }

  upToPrice(deposits: readonly Tx[]): Tx[] {
    const end = deposits.findIndex((_, i) => this.isCovered(deposits.slice(0, i + 1)))
    return deposits.slice(0, end < 0 ? deposits.length : end + 1)
  }

  /** Rules 7 to 9: the status from the deposits, those that pay, and those that leave. */
  judged(payment: Payment): { status: string; counted: Tx[]; leaving: Tx[] } {
    const all = this.deposits(payment)
    if (all[0]?.state === 'tainted') return { status: 'failed', counted: [all[0]], leaving: all.slice(1) }
    const clean = all.filter(({ state }) => state !== 'tainted')
    const confirmed = this.upToPrice(clean.filter(({ state }) => state === 'confirmed'))
    if (this.isCovered(confirmed))
      return { status: 'confirmed', counted: confirmed, leaving: all.filter((each) => !confirmed.includes(each)) }
    const counted = this.upToPrice(clean)
    const leaving = all.filter(({ state }) => state === 'tainted')
    if (counted.some(({ state }) => state === 'seen')) return { status: 'confirming', counted, leaving }
    return { status: counted.length > 0 ? 'partially_paid' : 'waiting', counted, leaving }
  }

  /**
   * Rule 2: the received amount, and the cost of the uncovered rest at this quote, which its own deposits do not
   * change.
   */
  dueOf({ whole, coin }: Payment, counted: readonly Tx[]): bigint {
    const earlier = counted.filter((each) => each.whole !== whole)
    const covered = this.covered(earlier)
    const rest = isLess(covered, exact(1n)) ? plus(exact(1n), by(exact(-1n), covered)) : exact(0n)
    return ceilTo(exact(unitsOf(earlier) + ceil(by(exact(whole), rest))), incrementOf(coin))
  }

  /** Moves an open payment to the status of its deposits. */
  follow(payment: Payment): void {
    if (!isOpen(payment)) return
    if (payment.parent !== null && this.deposits(payment).length === 0) {
      this.expire(payment)
      return
    }
    const { status, counted } = this.judged(payment)
    const received = unitsOf(counted.filter(({ state }) => state !== 'seen'))
    const moneyOf = () => [payment.paid, payment.worth, payment.due, payment.outcome].join()
    const [before, paidBefore] = [moneyOf(), payment.paid]
    payment.paid = received
    payment.worth = this.worthOf(payment, counted)
    payment.due = this.dueOf(payment, counted)
    if (status === 'failed') payment.outcome = 0n
    else if (received > 0n) payment.outcome = this.outcomeOf(received, payment.coin, payment.outcomeCoin) ?? 0n
    if (moneyOf() !== before) payment.updatedAt = this.now
    const isDue = status === 'waiting' || status === 'partially_paid'
    if (isDue && this.now >= payment.windowEnd) {
      this.expire(payment)
      return
    }
    if (isDue) this.requote(payment)
    // A deposit that is deep enough when it is detected was still confirming, and the merchant gets that callback.
    const isMore = status === 'partially_paid' && payment.paid !== paidBefore
    if (status === payment.status && !isMore) return
    if (!transitions[payment.status]?.includes(status)) this.enter(payment, 'confirming')
    this.enter(payment, status)
    if (status === 'confirmed') this.settle(payment, received, 'finished')
  }

  /** Rule 1: each deposit at the rate of its own time; halves rounded up to the price currency's precision. */
  worthOf({ price, isFeeOnTop }: Payment, counted: readonly Tx[]): bigint {
    const share = this.covered(counted.filter(({ state }) => state !== 'seen'))
    const { n, d } = by(by(exact(price), share), isFeeOnTop ? exact(1000n, 995n) : exact(1n))
    return (n * 2n + d) / (d * 2n)
  }

  /** Rule 12, and the expiry of unpaid ones. */
  expire(payment: Payment): void {
    const received = payment.isRefunding ? 0n : unitsOf(this.deposits(payment).filter(({ state }) => state !== 'seen'))
    if (received > 0n) this.settle(payment, received, 'expired')
    else this.enter(Object.assign(payment, { outcome: 0n }), 'expired')
  }

  /**
   * Credits the merchant with the received amount: to its wallet, if it has one and the network's fee leaves an amount.
   */
  settle(payment: Payment, received: bigint, end: 'finished' | 'expired'): void {
    const { coin } = payment
    const exchanged = this.outcomeOf(received, coin, payment.outcomeCoin)
    // Received money needs no other prices: without one the coin stays unchanged, and in custody.
    if (exchanged === null) payment.outcomeCoin = coin
    const { outcomeCoin } = payment
    const units = exchanged ?? known(this.outcomeOf(received, coin, coin))
    const fee = this.transferFee(outcomeCoin)
    const isSent = exchanged !== null && !payment.isSub && fee !== null && this.wallets.has(outcomeCoin) && units > fee
    this.book('pending', coin, -received)
    this.book(isSent ? 'held' : payment.isSub ? 'sub' : 'available', outcomeCoin, units)
    payment.outcome = isSent ? units - fee : units
    if (isSent) this.queue(payment, 'settlement', outcomeCoin, units)
    this.enter(payment, isSent && end === 'finished' ? 'sending' : end)
  }

  queue(to: Payment, kind: 'settlement' | 'refund', coin: CoinCode, units: bigint): void {
    this.txs.push({
      ...{ number: this.txs.length, kind, coin, units, to, isBad: false, isRemoved: false, block: 0, whole: 1n },
      newsAt: null,
      state: 'queued',
      owner: null,
    })
  }

  /** The console refunds a payment. Returns the code of its refusal, or `undefined` if it is done. */
  refund(payment: Payment): string | undefined {
    const confirmed = this.deposits(payment).filter(({ state }) => state === 'confirmed')
    const received = unitsOf(confirmed)
    if (payment.isRefunding) return 'CONFLICT'
    if (!transitions[payment.status]?.includes('refunded') || received === 0n) return 'CONFLICT'
    const fee = this.transferFee(payment.coin)
    if (fee === null) return 'RATE_UNAVAILABLE'
    if (received <= fee) return 'AMOUNT_TOO_SMALL'
    const from = payment.status === 'partially_paid' ? 'pending' : payment.isSub ? 'sub' : 'available'
    if (this.account(from, payment.coin) < received) return 'INSUFFICIENT_BALANCE'
    this.book(from, payment.coin, -received)
    this.book('held', payment.coin, received)
    payment.isRefunding = true
    // Rule 11: nothing is due.
    if (payment.status === 'partially_paid') payment.due = payment.paid
    this.queue(payment, 'refund', payment.coin, received)
    return undefined
  }

  // ── The chains and the clock ──

  send(to: Payment, units: bigint, isBad: boolean): Tx {
    const tx: Tx = {
      ...{ number: this.txs.length, kind: 'deposit', coin: to.coin, units, isBad, to, isRemoved: false, whole: 1n },
      block: heightAt(to.coin, this.now) + 1,
      newsAt: this.now,
      state: 'unseen',
      owner: null,
    }
    this.txs.push(tx)
    return tx
  }

  isDeep({ coin, block }: Tx): boolean {
    return heightAt(coin, this.now) - block + 1 >= coins[coin].depth
  }

  /** Blocks come at once until a transaction is deep enough. */
  confirmAtOnce(tx: Tx): void {
    if (tx.isRemoved || this.isDeep(tx)) return
    tx.block = heightAt(tx.coin, this.now) - coins[tx.coin].depth + 1
    tx.newsAt = this.now
  }

  /** Runs all due work until none is left. */
  run(): void {
    for (let isBusy = true; isBusy; ) {
      isBusy = false
      const news = this.txs.filter(({ newsAt }) => newsAt !== null && newsAt <= this.now)
      news.sort((a, b) => (a.newsAt ?? 0) - (b.newsAt ?? 0) || a.number - b.number)
      for (const tx of news) {
        isBusy = true
        if (tx.kind === 'deposit') this.takeIn(tx)
        else this.takeOut(tx)
        tx.newsAt = tx.isRemoved || this.isDeep(tx) ? null : madeAt(tx.coin, tx.block + coins[tx.coin].depth - 1)
      }
      for (const tx of this.txs.filter(({ state }) => state === 'queued')) {
        isBusy = true
        tx.state = 'sent'
        tx.block = heightAt(tx.coin, this.now) + 1
        tx.newsAt = this.now
      }
      for (const payment of this.payments.filter((each) => asksForMoney(each) && this.now >= each.windowEnd)) {
        isBusy = true
        this.expire(payment)
      }
    }
  }

  takeIn(tx: Tx): void {
    if (tx.state === 'unseen' && !tx.isRemoved) this.detect(tx)
    const { owner } = tx
    if (tx.state !== 'seen' || owner === null) return
    const isDeep = !tx.isRemoved && this.isDeep(tx)
    tx.state = tx.isRemoved ? 'removed' : isDeep ? (tx.isBad ? 'tainted' : 'confirmed') : 'seen'
    const children = this.divide(owner)
    if (isDeep) this.book(tx.isBad ? 'frozen' : 'pending', tx.coin, tx.units)
    for (const payment of [owner, ...children]) this.follow(payment)
  }

  detect(tx: Tx): void {
    const root = tx.to
    tx.state = 'seen'
    if (!isOpen(root) || this.now >= root.windowEnd || root.isRefunding) {
      tx.owner = this.further(root, tx.units)
      tx.whole = tx.units
      return
    }
    if (this.isCovered(this.deposits(root))) {
      const whole = this.isFreshAt(this.now) && this.isQuoteOver(root) ? this.wholeNow(root) : null
      tx.whole = whole ?? root.whole
    } else {
      this.requote(root)
      tx.whole = root.whole
    }
    tx.owner = root
  }

  divide(payment: Payment): Payment[] {
    if (payment.parent !== null) return []
    const leaving = isOpen(payment)
      ? this.judged(payment).leaving
      : this.deposits(payment).filter(({ state }) => state === 'seen')
    return leaving.map((tx) => {
      tx.owner = this.further(payment, tx.units)
      tx.whole = tx.units
      return tx.owner
    })
  }

  takeOut(tx: Tx): void {
    if (tx.state === 'done' || !this.isDeep(tx)) return
    tx.state = 'done'
    this.book('held', tx.coin, -tx.units)
    // Rule 10: the merchant of a payment that was never credited got nothing.
    if (tx.kind === 'refund' && tx.to.status === 'partially_paid') tx.to.outcome = 0n
    if (tx.kind === 'refund') this.enter(tx.to, 'refunded')
    else if (tx.to.status === 'sending') this.enter(tx.to, 'finished')
  }

  /** Advances the clock to a time and stops at every due event. */
  wait(end: number): void {
    for (;;) {
      const ends = this.payments.filter(asksForMoney).map(({ windowEnd }) => windowEnd)
      const news = this.txs.map(({ newsAt, state }) => (state === 'queued' ? this.now : (newsAt ?? Infinity)))
      const next = Math.min(...news, ...ends)
      if (next > end) break
      this.now = Math.max(this.now, next)
      this.run()
    }
    this.now = end
    this.run()
  }
}
