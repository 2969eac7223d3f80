import type { RoundRow, SlipRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import type { Hand } from '../../../domain/games/game.ts'
import { formatAmount } from '../../../domain/money.ts'
import { insertSlips } from '../queries/bets.ts'
import type { Casino } from '../service.ts'
import { placedText } from './placed-bets-column.ts'

/** A guest of the table owner's studio at a no-limit table: the dealer registers the seat, and there is no wallet. */
export interface Guest {
  /** Company code of the tenant that gets the slip. */
  readonly tenant: string
  readonly currency: string
  readonly username: string
  /** Total the seat put into the hand, in units. */
  readonly put: bigint
  readonly hand: Hand
}

/**
 * Registers the bets of guests in a hand. They have no player row and change no balance; the daily summary excludes
 * them.
 */
export async function placeGuests(app: Casino, tx: Tx, round: RoundRow, guests: readonly Guest[]): Promise<void> {
  await insertSlips(
    tx,
    guests.map((guest) => slipOf(app, tx, round, guest)),
  )
}

function slipOf(app: Casino, tx: Tx, round: RoundRow, { tenant, currency, username, put, hand }: Guest): SlipRow {
  return {
    id: app.id(),
    tenant,
    player_id: `onsite-${hand.seat}`,
    username,
    currency,
    round_id: round.id,
    table_id: round.table_id,
    game: round.game,
    variant: 'nlhe',
    placed: placedText([{ zone: 'POT', amount: put }], hand),
    placed_at: tx.now,
    rev: 0,
    status: 'placed',
    stake: formatAmount(put),
    hold: '0',
    valid_stake: '0',
    rolling: '0',
    payout: '0',
    win_loss: '0',
    rake: '0',
    result: '{}',
    onsite: 1,
    first_settled_at: null,
    settled_at: null,
  }
}
