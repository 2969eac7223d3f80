import type { Type as Schema } from 'typebox'
import type { LimitProfileRow } from '../../db/schema/casino.ts'

/** Bet limits as the console shows them. */
export function betLimitsView({ id, tenant, name, game, currency, min_bet: min, max_bet: max }: LimitProfileRow) {
  return { limitProfileId: id, owner: tenant, name, game, currency, min, max }
}

export const betLimitsSchema = (Type: typeof Schema) => ({
  limitProfileId: Type.Integer(),
  owner: Type.Union([Type.String(), Type.Null()], {
    description: 'Whose they are; null for a template of the platform.',
  }),
  name: Type.String(),
  game: Type.String(),
  currency: Type.String(),
  min: Type.String(),
  max: Type.String(),
})
