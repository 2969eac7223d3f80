import type { SlipRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import { isNo } from '../../../domain/games/game.ts'
import { formatAmount, parseAmount, sum } from '../../../domain/money.ts'
import { Problem } from '../../../kit/problem.ts'
import type { LegView, SlipView } from '../player-page/browser/views.ts'
import type { PlayerVisit } from '../players/sessions.ts'
import { latestSlips, ownSlip } from '../queries/live.ts'
import { roundOf } from '../queries/rounds.ts'
import { entryOf } from '../rounds/placed-bets-column.ts'
import { openTable } from '../rounds/rounds.ts'

/** Slips of a player as their history shows them. */

const pageLength = 30

/** Returns the player's latest slips, settled and open, newest first; with `before`, those before that slip. */
export async function slipsView(
  reader: Reader,
  { tenant, player }: PlayerVisit,
  before?: string,
): Promise<{ slips: SlipView[]; hasMore: boolean }> {
  const from = before === undefined ? undefined : await ownSlip(reader, player.id, before)
  if (before !== undefined && !from) throw new Problem('NOT_FOUND', 'You have no such slip')
  const rows = await latestSlips(reader, player.id, pageLength + 1, from)
  const slips: SlipView[] = []
  for (const slip of rows.slice(0, pageLength)) {
    const round = await roundOf(reader, slip.round_id)
    const result: { code?: string; cardInfo?: string } = JSON.parse(slip.result)
    slips.push({
      slipId: slip.id,
      roundId: slip.round_id,
      tableId: slip.table_id,
      game: slip.game,
      variant: slip.variant,
      shoe: round?.shoe ?? '',
      round: round?.round ?? 0,
      placedAt: slip.placed_at,
      status: slip.status,
      bets: Object.fromEntries(entryOf(slip).bets.map((bet) => [bet.zone, formatAmount(bet.amount)])),
      legs: await legsOf(reader, tenant.environment, slip, result.cardInfo ?? '', result.code ?? ''),
      stake: slip.stake,
      payout: slip.payout,
      winLoss: slip.win_loss,
      code: result.code ?? '',
      cards: result.cardInfo ?? '',
    })
  }
  return { slips, hasMore: rows.length > pageLength }
}

/**
 * Returns the legs with what each returned, by the rules of the table. Returns are omitted where the rules alone do not
 * give them: for an open slip, a shared pot, or a table whose settings have changed since.
 */
async function legsOf(
  reader: Reader,
  environment: 'live' | 'sandbox',
  slip: SlipRow,
  cardInfo: string,
  code: string,
): Promise<LegView[]> {
  const entry = entryOf(slip)
  const plain = entry.bets.map(({ zone, amount }) => ({ zone, amount: formatAmount(amount), returned: null }))
  if (slip.status === 'placed' || slip.status === 'void' || slip.variant === 'nlhe') return plain
  const { game, settings } = await openTable(reader, environment, slip.table_id)
  const [board, , dealer] = cardInfo.split('|')
  const publicCards = slip.game === 'holdem' ? `${board}||${dealer}` : cardInfo
  const outcome = game.read(cardInfo === '' ? { code } : { cardInfo: publicCards }, {
    variant: entry.variant,
    settings,
  })
  const settled = isNo(outcome) ? outcome : game.settle(outcome, [entry], settings)
  const legs = isNo(settled) ? [] : (settled[0]?.legs ?? [])
  if (sum(legs.map((leg) => leg.return)) !== parseAmount(slip.payout)) return plain
  return legs.map((leg) => ({ zone: leg.zone, amount: formatAmount(leg.amount), returned: formatAmount(leg.return) }))
}
