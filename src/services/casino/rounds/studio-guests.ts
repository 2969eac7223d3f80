import type { RoundRow, SlipRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import type { Hand } from '../../../domain/games/game.ts'
import { formatAmount } from '../../../domain/money.ts'
import { insertSlips } from '../queries/bets.ts'
import type { Casino } from '../service.ts'
import { placedText } from './placed-bets-column.ts'

/** A guest of the table owner's studio at a no-limit table: the dealer registers the seat, no wallet stands behind it. */
export interface Guest {
  /** The company code of the tenant whose guest it is, and who reads the slip. */
  readonly tenant: string
  readonly currency: string
  readonly username: string
  /** All that the seat put into the hand, in units. */
  readonly put: bigint
  readonly hand: Hand
}

/** Registers what guests put into a hand. They have no player row and move no balance; the daily summary leaves them out. */
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
