import { afterTopup } from '../../../domain/account/billing.ts'
import { formatAmount, formatUsd, isAmount, isUsdAmount, maxUsd, parseAmount, parseUsd } from '../../../domain/money.ts'
import { textLimits } from '../../../domain/text-limits.ts'
import { utcDayOf } from '../../../domain/time/calendar.ts'
import { creditBalance, debitBalance } from '../../../domain/wallet/balance.ts'
import { standingChange, standingOf } from '../account/standing.ts'
import { theTenant } from '../account/tenants.ts'
import { refuse } from '../api/contract.ts'
import { thePlayer } from '../players/players.ts'
import { insertCreditEntry, topupOf } from '../queries/credit.ts'
import { saveTenant } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'
import { earlierTransfer, type Movement, postMovement } from '../wallet.ts'
import { enqueueTopupEvent } from '../webhooks/events.ts'
import { checkedText } from './texts.ts'

/** Credits a payment once per reference. An account in grace or downgraded returns to its plan. */
export async function topUp(app: Casino, code: string, amount: string, ref: string) {
  const paid = isUsdAmount(amount) ? parseUsd(amount) : 0n
  if (paid <= 0n) throw refuse('INVALID_AMOUNT', 'amount must be US dollars above 0 with at most 6 decimals')
  checkedText('ref', ref, textLimits.ref)
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const earlier = await topupOf(tx, tenant.code, ref)
    if (earlier) {
      if (parseUsd(earlier.amount_usd) !== paid)
        throw refuse('TXN_CONFLICT', `The reference ${ref} belongs to a payment of ${earlier.amount_usd}`)
      return { companyCode: tenant.code, balanceUsd: earlier.balance_usd, state: tenant.state, duplicate: true }
    }
    const before = standingOf(tenant)
    const credit = before.credit + paid
    if (credit > maxUsd) throw refuse('INVALID_AMOUNT', 'amount would raise the credit above 12 digits')
    const change = standingChange(tenant, afterTopup({ ...before, credit }))
    await saveTenant(tx, tenant.code, change)
    const balanceUsd = formatUsd(credit)
    await insertCreditEntry(tx, {
      id: app.id(),
      tenant: tenant.code,
      kind: 'topup',
      amount_usd: formatUsd(paid),
      balance_usd: balanceUsd,
      day: utcDayOf(tx.now),
      ref,
      at: tx.now,
    })
    await enqueueTopupEvent(app, tx, tenant, { ...tenant, ...change }, { amountUsd: amount, ref })
    return { companyCode: tenant.code, balanceUsd, state: change.state ?? tenant.state, duplicate: false }
  })
}

/** Adjusts a player's balance up or down, once per txnId; never below zero. */
export async function adjust(app: Casino, code: string, username: string, amount: string, txnId: string) {
  const change = isAmount(amount) ? parseAmount(amount) : 0n
  if (change === 0n) throw refuse('INVALID_AMOUNT', 'amount must be a decimal other than 0 with at most 4 decimals')
  if (!/^[A-Za-z0-9_.:-]{1,64}$/.test(txnId))
    throw refuse('INVALID_PARAMETER', 'txnId must be 1 to 64 letters, digits or characters of _ . : -')
  const movement: Movement = { txnId, dir: 'adjust', change }
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const player = await thePlayer(tx, tenant, username)
    const earlier = await earlierTransfer(tx, tenant, player, movement)
    if (earlier) return { txnId, username: player.username, balance: earlier.balance, duplicate: true }
    const balanceBefore = parseAmount(player.balance)
    const after = change > 0n ? creditBalance(balanceBefore, change) : debitBalance(balanceBefore, -change)
    if (after === 'too-much') throw refuse('INVALID_AMOUNT', 'amount would raise the balance above 15 digits')
    if (after === 'too-little')
      throw refuse(
        'INSUFFICIENT_BALANCE',
        `The balance of ${player.balance} is lower than the amount of ${formatAmount(-change)}`,
      )
    const { balance } = await postMovement(app, tx, player, movement, after)
    return { txnId, username: player.username, balance, duplicate: false }
  })
}
