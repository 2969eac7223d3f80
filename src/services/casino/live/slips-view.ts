import type { RoundRow, SlipRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import type { Bet } from '../../../domain/bets/slip.ts'
import { isNo } from '../../../domain/games/game.ts'
import { formatAmount, parseAmount, sum } from '../../../domain/money.ts'
import { Problem } from '../../../kit/problem.ts'
import type { LegView, SessionView, SlipView } from '../player-page/browser/views.ts'
import type { PlayerCaller } from '../players/sessions.ts'
import { latestSlips, ownSlip, slipsSince } from '../queries/live.ts'
import { roundNumbers } from '../queries/rounds.ts'
import { wagerOf } from '../rounds/placed-bets-column.ts'
import { type OpenTable, openTable } from '../rounds/rounds.ts'

/** Slips of a player as their history shows them. */

const pageLength = 30

/** Returns the player's latest slips, settled and open, newest first; with `before`, those before that slip. */
export async function slipsView(
  reader: Reader,
  { tenant, player }: PlayerCaller,
  before?: string,
): Promise<{ slips: SlipView[]; hasMore: boolean }> {
  const from = before === undefined ? undefined : await ownSlip(reader, player.id, before)
  if (before !== undefined && !from) throw new Problem('NOT_FOUND', 'You have no such slip')
  const rows = await latestSlips(reader, player.id, pageLength + 1, from)
  const shown = rows.slice(0, pageLength)
  const rounds = await roundNumbers(reader, [...new Set(shown.map((slip) => slip.round_id))])
  const tables = new Map<string, OpenTable>()
  for (const tableId of new Set(shown.map((slip) => slip.table_id)))
    tables.set(tableId, await openTable(reader, tenant.environment, tableId))
  const slips = shown.map((slip) => slipView(slip, rounds.get(slip.round_id), tables.get(slip.table_id)))
  return { slips, hasMore: rows.length > pageLength }
}

/** Returns what the player staked and won in the session. Open and void slips do not count. */
export async function sessionView(reader: Reader, { player, session }: PlayerCaller): Promise<SessionView> {
  const slips = await slipsSince(reader, player.id, session.opened_at)
  const settled = slips.filter(({ status }) => status !== 'placed' && status !== 'void')
  return {
    now: reader.now,
    since: session.opened_at,
    staked: formatAmount(sum(settled.map(({ stake }) => parseAmount(stake)))),
    winLoss: formatAmount(sum(settled.map(({ win_loss }) => parseAmount(win_loss)))),
  }
}

function slipView(
  slip: SlipRow,
  round: Pick<RoundRow, 'shoe' | 'round'> | undefined,
  table: OpenTable | undefined,
): SlipView {
  const { code = '', cardInfo = '' }: { code?: string; cardInfo?: string } = JSON.parse(slip.result)
  return {
    slipId: slip.id,
    roundId: slip.round_id,
    tableId: slip.table_id,
    game: slip.game,
    variant: slip.variant,
    shoe: round?.shoe ?? '',
    round: round?.round ?? 0,
    placedAt: slip.placed_at,
    status: slip.status,
    bets: Object.fromEntries(wagerOf(slip).bets.map((bet) => [bet.zone, formatAmount(bet.amount)])),
    legs: legsOf(slip, table, cardInfo, code),
    stake: slip.stake,
    payout: slip.payout,
    winLoss: slip.win_loss,
    code,
    cards: cardInfo,
  }
}

/**
 * Returns the legs with what each returned. What a single leg or a lost slip returned is known from the slip, the rest by
 * the rules of the table. Returns are omitted where these do not give them: for an open slip, or a table whose settings
 * have changed since.
 */
function legsOf(slip: SlipRow, table: OpenTable | undefined, cardInfo: string, code: string): LegView[] {
  const wager = wagerOf(slip)
  const legsWith = (returnOf: (bet: Bet) => bigint | null): LegView[] =>
    wager.bets.map((bet) => {
      const returned = returnOf(bet)
      const { zone, amount } = bet
      return { zone, amount: formatAmount(amount), returned: returned === null ? null : formatAmount(returned) }
    })
  const unknown = () => legsWith(() => null)
  if (slip.status === 'placed') return unknown()
  if (slip.status === 'void') return legsWith(({ amount, hold = 0n }) => amount + hold)
  const paid = parseAmount(slip.payout)
  if (paid === 0n || wager.bets.length === 1) return legsWith(() => paid)
  if (!table) return unknown()
  const { game, settings } = table
  const [board, , dealer] = cardInfo.split('|')
  const publicCards = slip.game === 'holdem' ? `${board}||${dealer}` : cardInfo
  const outcome = game.read(cardInfo === '' ? { code } : { cardInfo: publicCards }, {
    variant: wager.variant,
    settings,
  })
  const settled = isNo(outcome) ? outcome : game.settle(outcome, [wager], settings)
  const legs = isNo(settled) ? [] : (settled[0]?.legs ?? [])
  if (sum(legs.map((leg) => leg.return)) !== paid) return unknown()
  return legs.map((leg) => ({ zone: leg.zone, amount: formatAmount(leg.amount), returned: formatAmount(leg.return) }))
}
