import { changeRound, type PlayedRevision } from '../../../services/casino/simulator/index.ts'
import type { CommandContext } from '../../context/context.ts'

/** Corrects or voids a dealt round, and shows it with its slips, or that the change was rejected. */
export async function changeDealtRound(
  context: CommandContext,
  roundId: string,
  change: Parameters<typeof changeRound>[2],
): Promise<PlayedRevision> {
  const { casino } = await context.services.world()
  const { round, bets, disputed, isUnchanged } = await changeRound(casino, roundId, change)
  if (isUnchanged) context.endWith('CONFLICT', `Round ${roundId} was not changed: ${disputed}`, { round: roundId })
  else if (disputed !== undefined)
    context.warn(`The round is now disputed and its original result stays, because ${disputed}`)
  const { status, rev, code, cardInfo } = round
  context.fields({
    round: round.roundId,
    status,
    rev,
    ...(code === null ? {} : { code }),
    ...(cardInfo === null ? {} : { cards: cardInfo }),
  })
  if (bets.length > 0)
    context.table(bets, ['username', 'status', 'stake', 'validStake', 'rolling', 'payout', 'winLoss', 'delta'])
  return { round, bets, ...(disputed === undefined ? {} : { disputed }) }
}
