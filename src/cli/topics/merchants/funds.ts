import {
  findDecidedFunds,
  listFunds,
  releaseDeposit,
  returnDeposit,
  type ShownFunds,
} from '../../../services/gateway/admin/staff-payments.ts'
import type { CommandContext } from '../../context/context.ts'
import { personHere } from '../../context/operator-name.ts'
import { type MerchantFlags, merchantOf } from '../console/merchant.ts'
import { wholeColumn } from '../gateway/arguments.ts'
import { decideOnce } from './decide.ts'

const coinText = ({ currency, contract }: Pick<ShownFunds, 'currency' | 'contract'>) => currency ?? contract ?? ''

/** Lists the frozen and foreign deposits of a merchant. */
export async function showFunds(
  context: CommandContext,
  flags: MerchantFlags & { readonly limit: number; readonly state?: string | undefined },
) {
  const { gateway } = await context.services.world()
  const found = await listFunds(gateway, await merchantOf(context, flags), flags.limit + 1)
  const { rows: funds, more } = context.upTo(flags.limit, found)
  context.table(
    funds.map((row) => ({ ...row, coin: coinText(row) })),
    [
      wholeColumn('id', 'deposit'),
      { key: 'kind' },
      { key: 'state' },
      { key: 'amount', kind: 'amount', show: (amount) => String(amount ?? 'unknown') },
      { key: 'coin' },
      wholeColumn('paymentId', 'payment'),
    ],
    'No frozen or foreign deposits.',
  )
  return { funds, more }
}

/** Releases a frozen deposit. */
export async function releaseFunds(context: CommandContext, id: string, { as }: { readonly as?: string | undefined }) {
  const { gateway } = await context.services.world()
  const funds = await decideOnce(context, {
    action: `Release deposit ${id}`,
    again: { args: [id], flags: { as } },
    decide: () => releaseDeposit(gateway, id, personHere(context.settings).name),
    look: () => findDecidedFunds(gateway, id),
  })
  showDecided(context, funds)
  if (!context.isDryRun)
    context.footnote(`The deposit is a payment of its own now: countroom payments show ${funds.result}`)
  return funds
}

/** Returns a frozen or foreign deposit to an address. */
export async function returnFunds(
  context: CommandContext,
  id: string,
  flags: { readonly to: string; readonly as?: string | undefined; readonly yes?: boolean },
) {
  const { gateway } = await context.services.world()
  const action = `Return deposit ${id} to ${flags.to}`
  const { screen } = context
  if (screen.canAsk && !screen.isJson && flags.yes !== true) await context.confirmDanger(action)
  const funds = await decideOnce(context, {
    action,
    again: { args: [id], flags: { to: flags.to, as: flags.as } },
    decide: () => returnDeposit(gateway, id, { to: flags.to, by: personHere(context.settings).name }),
    look: () => findDecidedFunds(gateway, id),
  })
  showDecided(context, funds)
  if (!context.isDryRun && funds.currency !== null)
    context.footnote(`To follow it: countroom payouts show ${funds.result}`)
  return funds
}

function showDecided(context: CommandContext, funds: ShownFunds): void {
  context.fields({ ...funds, coin: coinText(funds), amount: funds.amount ?? `${funds.units} units` }, [
    wholeColumn('id', 'deposit'),
    { key: 'kind' },
    { key: 'state' },
    { key: 'amount' },
    { key: 'coin' },
    wholeColumn('paymentId', 'payment'),
    wholeColumn('result', funds.state === 'released' ? 'released as payment' : 'returned with payout'),
    { key: 'decidedBy', title: 'decided by' },
  ])
}
