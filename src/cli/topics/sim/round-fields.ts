import { Args } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

export const roundArg = { round: Args.string({ required: true, description: 'Round ID' }) }

/** Schema of a changed round and its slips. */
export const changedRoundSchema = ({ Type, casino }: Shapes) =>
  Type.Object({
    round: casino.Round,
    bets: Type.Array(casino.BetRecord),
    disputed: Type.Optional(Type.String()),
  })
