import type { LimitProfileRow } from '../../../db/schema/casino.ts'
import { type GameName, gameNames } from '../../../domain/games/game.ts'
import { compareUnits, isPositiveAmount, parseAmount } from '../../../domain/money.ts'
import { textLimits } from '../../../domain/text-limits.ts'
import { theTenant } from '../account/tenants.ts'
import { refuse } from '../api/contract.ts'
import { limitsFor } from '../api/limits.ts'
import { insertLimitProfile, limitProfilesFor } from '../queries/limits.ts'
import { saveTenant } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'
import { checkedText } from './texts.ts'

/** What may be set apart from a tenant's plan; `null` gives the plan's own back. */
export interface LimitChange {
  readonly rate_per_second?: number | null
  readonly rate_burst?: number | null
  readonly tables_quota?: number | null
  readonly players_limit?: number | null
  readonly online_limit?: number | null
  readonly viewers_limit?: number | null
  /** 0 lets a demo tenant's players watch without a pause. */
  readonly view_minutes?: number | null
  /** 0 lets a demo tenant's bets go on beyond the day's figure. */
  readonly day_bets_limited?: number | null
  /** 0 lets a demo tenant's tables never pause. */
  readonly idle_days?: number | null
}

/** Sets a tenant's limits apart from its plan's, at once. */
export function setLimits(app: Casino, code: string, change: LimitChange) {
  return app.store.write(async (tx) => {
    const tenant = { ...(await theTenant(tx, code)), ...change }
    if (Object.keys(change).length > 0) await saveTenant(tx, tenant.code, change)
    return { companyCode: tenant.code, limits: limitsFor(tenant) }
  })
}

/** A set of bet limits of a tenant's own, for one game in one currency. */
export interface LimitProfileOrder {
  /** None leaves the limits without a name. */
  readonly name?: string | undefined
  readonly game: string
  readonly currency: string
  /** The smallest and the largest bet on one zone. */
  readonly min: string
  readonly max: string
}

/** The bet limits a tenant may give to its players: its own, and the platform's templates. */
export function listLimitProfiles(app: Casino, code: string): Promise<LimitProfileRow[]> {
  return app.store.read(async (reader) => limitProfilesFor(reader, (await theTenant(reader, code)).code))
}

/** Adds bet limits that a tenant may give to its players. */
export async function createLimitProfile(
  app: Casino,
  code: string,
  order: LimitProfileOrder,
): Promise<LimitProfileRow> {
  const game = gameNames.find((known): known is GameName => known === order.game)
  if (!game) throw refuse('INVALID_PARAMETER', `${order.game} is none of ${gameNames.join(', ')}`)
  if (!/^[A-Za-z]{3,5}$/.test(order.currency)) throw refuse('INVALID_CURRENCY', 'currency must be 3 to 5 letters')
  const name = order.name === undefined ? '' : checkedText('name', order.name, textLimits.name)
  const { min, max } = order
  const isSpan = isPositiveAmount(min) && isPositiveAmount(max) && compareUnits(parseAmount(min), parseAmount(max)) <= 0
  if (!isSpan) throw refuse('INVALID_AMOUNT', 'min and max must be amounts above 0, and min not above max')
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const currency = order.currency.toUpperCase()
    return insertLimitProfile(tx, { tenant: tenant.code, name, game, currency, min_bet: min, max_bet: max })
  })
}
