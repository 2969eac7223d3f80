import assert from 'node:assert/strict'
import type { LimitProfileRow } from '../../../db/schema/casino.ts'
import { type GameName, gameNames } from '../../../domain/games/game.ts'
import { compareUnits, isPositiveAmount, parseAmount } from '../../../domain/money.ts'
import { textLimits } from '../../../domain/text-limits.ts'
import { theTenant } from '../account/tenants.ts'
import { refuse } from '../api/contract.ts'
import { limitsFor } from '../api/limits.ts'
import { insertLimitProfiles, limitProfilesFor } from '../queries/limits.ts'
import { saveTenant } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'
import { checkedText } from './texts.ts'

/** A tenant's own limits; `null` restores the plan's. */
export interface LimitChange {
  readonly rate_per_second?: number | null
  readonly rate_burst?: number | null
  readonly tables_quota?: number | null
  readonly players_limit?: number | null
  readonly online_limit?: number | null
  readonly viewers_limit?: number | null
  /** 0 removes the limit on a demo tenant's viewing time. */
  readonly view_minutes?: number | null
  /** 0 removes the limit on a demo tenant's bets per day. */
  readonly day_bets_limited?: number | null
  /** 0 removes the idle pause of a demo tenant's tables. */
  readonly idle_days?: number | null
}

/** Sets a tenant's own limits, effective at once. */
export function setLimits(app: Casino, code: string, change: LimitChange) {
  return app.store.write(async (tx) => {
    const tenant = { ...(await theTenant(tx, code)), ...change }
    if (Object.keys(change).length > 0) await saveTenant(tx, tenant.code, change)
    return { companyCode: tenant.code, limits: limitsFor(tenant) }
  })
}

/** A tenant's own set of bet limits for one game in one currency. */
export interface LimitProfileInput {
  /** Absent for limits without a name. */
  readonly name?: string | undefined
  readonly game: string
  readonly currency: string
  /** Minimum and maximum bet on one zone. */
  readonly min: string
  readonly max: string
}

/** Lists the bet limits a tenant may give to its players: its own, and the platform's templates. */
export function listLimitProfiles(app: Casino, code: string): Promise<LimitProfileRow[]> {
  return app.store.read(async (reader) => limitProfilesFor(reader, (await theTenant(reader, code)).code))
}

/** Creates bet limits that a tenant may give to its players. */
export async function createLimitProfile(
  app: Casino,
  code: string,
  input: LimitProfileInput,
): Promise<LimitProfileRow> {
  const game = gameNames.find((known): known is GameName => known === input.game)
  if (!game) throw refuse('INVALID_PARAMETER', `game must be one of ${gameNames.join(', ')}, not ${input.game}`)
  if (!/^[A-Za-z]{3,5}$/.test(input.currency))
    throw refuse('INVALID_CURRENCY', 'currency must consist of 3 to 5 letters')
  const name = input.name === undefined ? '' : checkedText('name', input.name, textLimits.name)
  const { min, max } = input
  const isSpan = isPositiveAmount(min) && isPositiveAmount(max) && compareUnits(parseAmount(min), parseAmount(max)) <= 0
  if (!isSpan) throw refuse('INVALID_AMOUNT', 'min and max must be amounts above 0, and min must not exceed max')
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const currency = input.currency.toUpperCase()
    const profile = { tenant: tenant.code, name, game, currency, min_bet: min, max_bet: max }
    const [row] = await insertLimitProfiles(tx, [profile])
    assert(row)
    return row
  })
}
