import type { LimitProfileRow, PlayerRow, RoundRow, SlipRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import type { Bet } from '../../../domain/bets/slip.ts'
import { type Accepted, type Hand, isNo, type Variant } from '../../../domain/games/game.ts'
import {
  compareUnits,
  formatAmount,
  formatUnits,
  isPositiveAmount,
  maxAmount,
  parseAmount,
  playerScale,
} from '../../../domain/money.ts'
import { debitBalance } from '../../../domain/wallet/balance.ts'
import { Problem } from '../../../kit/problem.ts'
import { countDayBets, isDayOver } from '../account/daily-bet-count.ts'
import { isIdle, recordActivity } from '../account/demo-idle.ts'
import { refuse } from '../api/contract.ts'
import { limitsFor } from '../api/limits.ts'
import { bettorsIn, insertSlips } from '../queries/bets.ts'
import { limitProfilesOf } from '../queries/limits.ts'
import { saveBalances } from '../queries/players.ts'
import { touchSessions } from '../queries/sessions.ts'
import { isTableEnabled } from '../queries/tables.ts'
import type { Casino } from '../service.ts'
import { placedText } from './placed-bets-column.ts'
import { asOffered, type OpenTable, variantsAt } from './rounds.ts'

/** A player's wanted bets in a round: zones with decimal amounts. */
export interface SlipInput {
  readonly variant: string
  readonly bets: Readonly<Record<string, string>>
  /** Hold'em: the player's cards and actions. */
  readonly hand?: Hand
}

/** A wanted slip: all of a player's bets in one round. */
export interface SlipRequest extends SlipInput {
  readonly player: PlayerRow
}

/**
 * Places slips of a tenant's players in an open round and charges the balances; or refuses one of them and places none.
 * A bet counts as activity of the player's session. Codes: BETTING_CLOSED, PLAYER_LOCKED, BET_REFUSED,
 * INSUFFICIENT_BALANCE, INVALID_AMOUNT.
 */
export async function placeSlips(
  app: Casino,
  tx: Tx,
  at: { tenant: TenantRow; table: OpenTable; round: RoundRow },
  requests: readonly SlipRequest[],
): Promise<SlipRow[]> {
  await checkBetting(tx, at)
  const bettors = await bettorsIn(tx, at.round.id)
  const profiles = await profilesOf(tx, at, requests)
  const slips: SlipRow[] = []
  const payers: PlayerRow[] = []
  for (const input of requests) {
    const { player } = input
    if (bettors.has(player.id))
      throw new Problem('BET_REFUSED', `${player.username} already has bets in round ${at.round.id}`)
    bettors.add(player.id)
    const profile = player.limit_profile_id === null ? undefined : profiles.get(player.limit_profile_id)
    const accepted = acceptedBy(asOffered(at.tenant, at.table), input, profile)
    payers.push(paying(player, accepted))
    slips.push(newSlip(app, tx, at.round, input, accepted))
  }
  await saveBalances(tx, payers)
  await insertSlips(tx, slips)
  await touchSessions(
    tx,
    payers.map((player) => player.id),
  )
  await countDayBets(tx, at.tenant, slips)
  if (slips.length > 0) await recordActivity(tx, at.tenant)
  return slips
}

async function checkBetting(
  tx: Tx,
  { tenant, table, round }: { tenant: TenantRow; table: OpenTable; round: RoundRow },
) {
  if (round.status !== 'open' || (round.closes_at !== null && tx.now > round.closes_at))
    throw new Problem('BETTING_CLOSED', `Betting is closed for round ${round.id}`)
  if (table.row.status !== 'open') throw new Problem('BETTING_CLOSED', `Table ${table.row.table_id} is in maintenance`)
  if (!(await isTableEnabled(tx, tenant.code, table.row.table_id)))
    throw new Problem('BET_REFUSED', `Table ${table.row.table_id} is not enabled for ${tenant.code}`, {
      disabledTable: table.row.table_id,
    })
  if (isIdle(tenant, tx.now))
    throw new Problem('BETTING_CLOSED', `The tables of ${tenant.code} are paused because it was idle`)
  if (await isDayOver(tx, tenant))
    throw new Problem('BETTING_CLOSED', `${tenant.code} has reached the demo plan's betting limit for one day`)
}

/** Returns the bet limits of players with a profile for the table's game; on a demo plan profiles do not apply. */
function profilesOf(
  tx: Tx,
  { tenant, table }: { tenant: TenantRow; table: OpenTable },
  requests: readonly SlipRequest[],
) {
  if (limitsFor(tenant).isDemo) return new Map<number, LimitProfileRow>()
  const ids = requests.flatMap(({ player }) => (player.limit_profile_id === null ? [] : [player.limit_profile_id]))
  return limitProfilesOf(tx, ids, table.row.game)
}

/** Maximum odds of any bet: a stake below that share of the largest amount has a payout within range. */
const longestOdds = 1001n

function acceptedBy(table: OpenTable, input: SlipRequest, profile: LimitProfileRow | undefined): Accepted {
  const { player } = input
  if (player.status !== 'active')
    throw refuse('PLAYER_LOCKED', `Player ${player.username} has the status ${player.status} and cannot bet`)
  const variant = variantAt(table, input.variant)
  const accepted = table.game.accept({ variant, bets: parseBets(input.bets) }, table.settings)
  if (isNo(accepted)) throw new Problem('BET_REFUSED', accepted.because, { reason: accepted.no })
  if (accepted.stake > maxAmount / longestOdds)
    throw new Problem('BET_REFUSED', `The bets of ${player.username} exceed the largest possible payout`)
  for (const bet of accepted.bets) if (profile) checkLimits(player, bet, profile)
  return accepted
}

function checkLimits(player: PlayerRow, { zone, amount }: Bet, { min_bet: min, max_bet: max }: LimitProfileRow): void {
  // A no-limit seat puts in what the hand requires: often only a blind.
  const isEnough = zone === 'POT' || compareUnits(amount, parseAmount(min)) >= 0
  if (isEnough && compareUnits(amount, parseAmount(max)) <= 0) return
  throw new Problem(
    'BET_REFUSED',
    `Each bet of ${player.username} must be from ${min} to ${max}; the one on ${zone} is not`,
  )
}

/** Returns the player after paying for the bets. */
function paying(player: PlayerRow, { stake, hold }: Accepted): PlayerRow {
  const after = debitBalance(parseAmount(player.balance), stake + hold)
  if (after === 'too-little')
    throw refuse('INSUFFICIENT_BALANCE', `The balance of ${player.username}, ${player.balance}, is lower than the bets`)
  return { ...player, balance: formatUnits(after, playerScale) }
}

function newSlip(
  app: Casino,
  tx: Tx,
  round: RoundRow,
  { player, variant, hand }: SlipRequest,
  accepted: Accepted,
): SlipRow {
  return {
    id: app.id(),
    tenant: player.tenant,
    player_id: player.id,
    username: player.username,
    currency: player.currency,
    round_id: round.id,
    table_id: round.table_id,
    game: round.game,
    variant,
    placed: placedText(accepted.bets, hand),
    placed_at: tx.now,
    rev: 0,
    status: 'placed',
    stake: formatAmount(accepted.stake),
    hold: formatAmount(accepted.hold),
    valid_stake: '0',
    rolling: '0',
    payout: '0',
    win_loss: '0',
    rake: '0',
    result: '{}',
    onsite: 0,
    first_settled_at: null,
    settled_at: null,
  }
}

/** Returns the variant of a slip, which the table must offer. */
function variantAt(table: OpenTable, requested: string): Variant {
  const offered = variantsAt(table)
  const variant = offered.find((each) => each === requested)
  if (variant) return variant
  throw new Problem('BET_REFUSED', `Table ${table.row.table_id} offers ${offered.join(' and ')}, not ${requested}`)
}

function parseBets(bets: Readonly<Record<string, string>>) {
  return Object.entries(bets).map(([zone, amount]) => {
    if (typeof amount !== 'string' || !isPositiveAmount(amount))
      throw refuse('INVALID_AMOUNT', `The bet on ${zone} must be decimal text above 0 with at most 4 decimals`)
    return { zone, amount: parseAmount(amount) }
  })
}
