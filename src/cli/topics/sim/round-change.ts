import type { PlayedRevision } from '../../../services/casino/simulator/index.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { Args } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** Base class of commands that change a dealt round. */
export abstract class RoundChangeCommand extends CountroomCommand {
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { round: Args.string({ required: true, description: 'Round ID' }) }
  static override data = ({ Type, casino }: Shapes) =>
    Type.Object({
      round: casino.Round,
      bets: Type.Array(casino.BetRecord),
      disputed: Type.Optional(Type.String()),
    })

  /** Shows the round and its slips after the change, or that the change was rejected. */
  protected told({ round, bets, disputed }: PlayedRevision): PlayedRevision {
    if (disputed !== undefined) this.warn(`The original result stays, because ${disputed}`)
    const { roundId, status, rev, code, cardInfo } = round
    this.fields({
      round: roundId,
      status,
      rev,
      ...(code === null ? {} : { code }),
      ...(cardInfo === null ? {} : { cards: cardInfo }),
    })
    if (bets.length > 0)
      this.table(bets, ['username', 'status', 'stake', 'validStake', 'rolling', 'payout', 'winLoss', 'delta'])
    return { round, bets, ...(disputed === undefined ? {} : { disputed }) }
  }
}
