import type { LimitProfileRow } from '../../db/schema/casino.ts'
import type { Shapes } from '../outcome/result-schema.ts'

/** Maps a bet limit profile to its view. */
export function betLimitsView({ id, tenant, name, game, currency, min_bet: min, max_bet: max }: LimitProfileRow) {
  return { limitProfileId: id, owner: tenant, name, game, currency, min, max }
}

export const betLimitsSchema = ({ Type }: Shapes) => ({
  limitProfileId: Type.Integer(),
  owner: Type.Union([Type.String(), Type.Null()], {
    description: 'Company code of the owner. Null for a template of the platform.',
  }),
  name: Type.String(),
  game: Type.String(),
  currency: Type.String(),
  min: Type.String(),
  max: Type.String(),
})
