import { coinAmountFault } from '../../../domain/payments/order-faults.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { type ApprovalCommand, approvalCommand } from '../../../operator/approvers/second-person.ts'
import {
  acceptPayment,
  findAcceptance,
  findRefund,
  findWithdrawn,
  listRefunds,
  requestRefund,
  type ShownRefund,
  withdrawApproved,
} from '../../../services/gateway/admin/staff-payments.ts'
import type { RefundInput } from '../../../services/gateway/payments/refunds.ts'
import { refuseFaults } from '../../arguments/validate.ts'
import type { CommandContext } from '../../context/context.ts'
import { decidingPerson } from '../../context/deciding-person.ts'
import { personHere } from '../../context/operator-name.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import { type MerchantFlags, merchantOf } from '../console/merchant.ts'
import { statusColumn, wholeColumn } from '../gateway/arguments.ts'
import { paymentIdFrom } from '../sim/chain-fields.ts'
import { limitsIn } from '../wallet/approval-settings.ts'
import { decideOnce } from './decide.ts'

interface RefundFlags {
  readonly amount?: string | undefined
  readonly percent?: string | undefined
  readonly overpaid?: boolean
  readonly to?: string | undefined
  readonly 'ask-customer'?: boolean
  readonly withdraw?: boolean
  readonly key?: string | undefined
  readonly as?: string | undefined
  readonly 'passphrase-file'?: string | undefined
  readonly yes?: boolean
}

/** Refunds a payment, or records the request if a second person must approve it. */
export async function refundPayment(context: CommandContext, typedId: string, flags: RefundFlags) {
  const id = paymentIdFrom(typedId)
  if (flags.withdraw === true) return withdraw(context, typedId, flags)
  if (flags.amount !== undefined) refuseFaults([coinAmountFault(flags.amount)])
  if (flags.key !== undefined && !/^[\x21-\x7e]{1,64}$/.test(flags.key))
    throw new Problem('INVALID_USAGE', '--key must have 1 to 64 visible ASCII characters, without spaces')
  const passphraseFile = flags['passphrase-file']
  const book =
    passphraseFile === undefined ? await context.services.bookIfThere() : (await context.services.book()).book
  const person = await decidingPerson(context, book, passphraseFile)
  const { gateway, clock } = await context.services.world()
  const input: RefundInput = {
    part: { amount: flags.amount, percent: flags.percent, overpaid: flags.overpaid === true },
    key: flags.key,
    address: flags.to,
    isAskingCustomer: flags['ask-customer'] === true,
    by: person.name,
    limits: limitsIn(context.settings),
    approvalDays: Number(context.settings.settings.approvalDays),
  }
  const text = `Refund ${partText(flags)} of payment ${id} to ${flags.to ?? 'an address that the customer names'}`
  const { screen } = context
  if (screen.canAsk && !screen.isJson && flags.yes !== true) await context.confirmDanger(text)
  const again = {
    amount: flags.amount,
    percent: flags.percent,
    overpaid: flags.overpaid === true ? (true as const) : undefined,
    to: flags.to,
    'ask-customer': flags['ask-customer'] === true ? (true as const) : undefined,
    key: flags.key,
  }
  const second = (first: string | null) => {
    const decision = { words: context.words, args: [typedId], flags: again, first }
    return book ? book.store.read((reader) => approvalCommand(reader, decision)) : approvalCommand(undefined, decision)
  }
  const withApprovalCommand = async (error: unknown): Promise<never> => {
    if (!isProblem(error, 'CONFLICT') || !Object.hasOwn(error.detail, 'requestedBy')) throw error
    const { command, text } = await second(input.by)
    const detail = { ...error.detail, next: [command] }
    throw new Problem(error.code, `${error.message}. ${text}`, detail, { cause: error })
  }
  const since = await clock.now()
  const refund = await decideOnce(context, {
    action: text,
    again: { args: [typedId], flags: { ...again, as: flags.as, 'passphrase-file': passphraseFile } },
    decide: () => requestRefund(gateway, id, input).catch(withApprovalCommand),
    look: () => findRefund(gateway, id, input, since),
  })
  showRefund(context, refund, await second(refund.requestedBy))
  return refund
}

/** Takes the approval of a refund back that waits for the customer's address. */
async function withdraw(context: CommandContext, typedId: string, flags: RefundFlags): Promise<ShownRefund> {
  const id = paymentIdFrom(typedId)
  const { gateway } = await context.services.world()
  const text = `Withdraw the refund of payment ${id} that waits for an address`
  const { screen } = context
  if (screen.canAsk && !screen.isJson && flags.yes !== true) await context.confirmDanger(text)
  const refund = await decideOnce(context, {
    action: text,
    again: { args: [typedId], flags: { withdraw: true } },
    decide: () => withdrawApproved(gateway, id),
    look: () => findWithdrawn(gateway, id),
  })
  context.fields({ ...refund }, refundColumns)
  return refund
}

function partText({ amount, percent, overpaid }: RefundFlags): string {
  if (amount !== undefined) return amount
  if (percent !== undefined) return `${percent}%`
  return overpaid ? 'the overpaid part' : 'the rest'
}

const refundColumns = [
  wholeColumn('id', 'refund'),
  wholeColumn('paymentId', 'payment'),
  { key: 'state' },
  { key: 'amount' },
  { key: 'fee', title: 'network fee' },
  { key: 'sends' },
  { key: 'currency' },
  wholeColumn('address'),
  wholeColumn('link'),
  wholeColumn('payout'),
  { key: 'requestedBy', title: 'requested by' },
  { key: 'approvedBy', title: 'approved by' },
]

function showRefund(context: CommandContext, refund: ShownRefund, { command, text }: ApprovalCommand): void {
  context.fields({ ...refund }, refundColumns)
  if (refund.state === 'approved') {
    context.footnote(
      `Give the customer this link, on which they name the address: ${refund.link}\nTo take it back: ${typedCommand(context.words, [refund.paymentId], { withdraw: true })}`,
    )
    return
  }
  if (refund.state !== 'requested') {
    if (!context.isDryRun) context.footnote(`To follow it: countroom payouts show ${refund.payout}`)
    return
  }
  const { approvalAbove } = context.settings.settings
  context.endWith(
    'APPROVAL_NEEDED',
    `The refund of ${refund.amount} ${refund.currency} exceeds approvalAbove (${approvalAbove}), so a second person must approve it. Nothing was sent. ${text}`,
    { refund: refund.id, paymentId: refund.paymentId, requestedBy: refund.requestedBy, approvalAbove, next: [command] },
  )
}

/** Finishes a payment with what it received. */
export async function acceptWithReason(
  context: CommandContext,
  typedId: string,
  { reason, as }: { readonly reason: string; readonly as?: string | undefined },
) {
  const id = paymentIdFrom(typedId)
  if (reason.trim() === '' || reason.length > 2000)
    throw new Problem('INVALID_USAGE', 'A reason must have 1 to 2,000 characters')
  const { gateway } = await context.services.world()
  const accepted = await decideOnce(context, {
    action: `Accept payment ${id}`,
    again: { args: [typedId], flags: { reason, as } },
    decide: () => acceptPayment(gateway, id, { reason: reason.trim(), by: personHere(context.settings).name }),
    look: () => findAcceptance(gateway, id),
  })
  context.fields({ ...accepted }, [
    wholeColumn('paymentId', 'payment'),
    statusColumn('status'),
    { key: 'before', title: 'status before' },
    { key: 'received' },
    { key: 'due' },
    { key: 'currency' },
    { key: 'reason' },
    { key: 'acceptedBy', title: 'accepted by' },
  ])
  return accepted
}

interface RefundListFlags extends MerchantFlags {
  readonly limit: number
}

/** Lists refunds and returned deposits: of one payment, or of a merchant. */
export async function showRefunds(context: CommandContext, payment: string | undefined, flags: RefundListFlags) {
  const { gateway } = await context.services.world()
  const found =
    payment === undefined
      ? await listRefunds(gateway, { merchant: await merchantOf(context, flags), limit: flags.limit + 1 })
      : await listRefunds(gateway, { paymentId: paymentIdFrom(payment) })
  const { rows: refunds, more } = context.upTo(flags.limit, found)
  context.table(
    refunds.map((row) => ({ ...row })),
    [
      wholeColumn('paymentId', 'payment'),
      { key: 'part' },
      { key: 'state' },
      { key: 'amount', kind: 'amount', show: (amount) => String(amount ?? 'other token') },
      { key: 'currency' },
      wholeColumn('payout'),
      { key: 'requestedBy', title: 'by' },
      { key: 'approvedBy', title: 'approved' },
    ],
    'No refunds.',
  )
  return { refunds, more }
}
