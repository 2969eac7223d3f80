import { ageRates, type RateStanding, readRates, resetRates, setRate } from '../../../services/gateway/rates/rates.ts'
import type { CommandContext } from '../../context/context.ts'
import { ratesNote, ratesView } from '../gateway/rates-view.ts'

/** Shows the prices with the time until which they can be used. */
async function show(context: CommandContext, rates: RateStanding) {
  const { clock } = await context.services.world()
  const view = ratesView(rates, await clock.now())
  context.log(ratesNote(view))
  return view
}

/** Shows all prices and their age. */
export async function showRates(context: CommandContext) {
  const { gateway } = await context.services.world()
  const view = await show(context, await readRates(gateway))
  context.log()
  context.table(view.prices, ['asset', { key: 'usd', kind: 'amount' }, { key: 'setByHand', title: 'set by hand' }])
  return view
}

/** Sets the price of an asset in US dollars; null removes it. */
export async function changeRate(context: CommandContext, asset: string, usd: string | null) {
  const { gateway } = await context.services.world()
  return show(context, await setRate(gateway, asset, usd))
}

/** Sets the age of all prices. */
export async function changeAge(context: CommandContext, ageMs: number) {
  const { gateway } = await context.services.world()
  return show(context, await ageRates(gateway, ageMs))
}

/** Restores the built-in prices. */
export async function restoreRates(context: CommandContext) {
  const { gateway } = await context.services.world()
  return show(context, await resetRates(gateway))
}
