import type { LimitProfileRow, PlayerRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import { drawBelow } from '../../../domain/games/shuffle.ts'
import { compareUnits, formatAmount, parseAmount } from '../../../domain/money.ts'
import { isDayOver } from '../account/daily-bet-count.ts'
import { limitsFor } from '../api/limits.ts'
import { createPlayer } from '../players/players.ts'
import { limitProfilesOf } from '../queries/limits.ts'
import { activePlayers, playerNamed, playersOf } from '../queries/players.ts'
import type { SlipRequest } from '../rounds/place-bets.ts'
import { type OpenTable, variantsAt } from '../rounds/rounds.ts'
import type { Casino } from '../service.ts'
import { postMovement } from '../wallet.ts'

/** Returns the tenant's first players who may bet, creating missing ones. */
export async function playersToPlay(app: Casino, tx: Tx, tenant: TenantRow, count: number): Promise<string[]> {
  const known = (await activePlayers(tx, tenant.code, count)).map((player) => player.id)
  for (let i = 1; known.length < count; i++) {
    const username = `sim-${String(i).padStart(3, '0')}`
    if (await playerNamed(tx, tenant.code, username)) continue
    known.push((await createPlayer(app, tx, tenant, { username, currency: tenant.currency })).id)
  }
  return known
}

/** A player about to bet, with money and limits. */
export interface Bettor {
  readonly player: PlayerRow
  readonly limits: LimitProfileRow | undefined
}

/**
 * Returns the players who may bet now, with a refilled wallet if it runs low. After a demo plan's daily limit the list
 * is empty.
 */
export async function bettorsOf(
  app: Casino,
  tx: Tx,
  tenant: TenantRow,
  table: OpenTable,
  playerIds: readonly string[],
): Promise<Bettor[]> {
  if (await isDayOver(tx, tenant)) return []
  const players = new Map((await playersOf(tx, playerIds)).map((player) => [player.id, player]))
  const ids = [...players.values()].flatMap(({ limit_profile_id: id }) => (id === null ? [] : [id]))
  const profiles = await limitProfilesOf(tx, limitsFor(tenant).isDemo ? [] : ids, table.row.game)
  const bettors: Bettor[] = []
  for (const id of playerIds) {
    const player = players.get(id)
    // A player may have been locked since the run began.
    if (player?.status !== 'active') continue
    const limits = profiles.get(player.limit_profile_id ?? 0)
    bettors.push({ player: await withMoney(app, tx, player), limits })
  }
  return bettors
}

/** Returns the bets of a player at a table where all bets are placed before the cards. */
export function slipRequest(app: Casino, table: OpenTable, { player, limits }: Bettor): SlipRequest {
  return { player, ...chosenBets(app, table, limits) }
}

/** Refill of a simulated player's wallet. */
const allowance = parseAmount('100000')
const lowBalance = parseAmount('10000')

async function withMoney(app: Casino, tx: Tx, player: PlayerRow): Promise<PlayerRow> {
  const balance = parseAmount(player.balance)
  if (balance >= lowBalance) return player
  const movement = { txnId: `sim-${app.id()}`, dir: 'in', change: allowance } as const
  const transfer = await postMovement(app, tx, player, movement, balance + allowance)
  return { ...player, balance: transfer.balance }
}

const chips = ['5', '10', '25', '50', '100', '250', '0.5', '12.75'].map(parseAmount)

/** Chooses typical bets: a main zone, sometimes one or two side zones. */
function chosenBets(app: Casino, table: OpenTable, limits: LimitProfileRow | undefined) {
  const offered = variantsAt(table)
  const variant = offered[drawBelow(offered.length, app.random)] ?? offered[0]
  const stages = table.game.stages(variant, table.settings)
  const zones = stages.find((stage) => stage.moment === 'opening')?.zones ?? []
  const bets: Record<string, string> = {}
  const put = (zone: string | undefined) => {
    const chip = chips[drawBelow(chips.length, app.random)] ?? lowBalance
    if (zone) bets[zone] = formatAmount(limits ? within(chip, limits) : chip)
  }
  put(zones[drawBelow(Math.min(2, zones.length), app.random)])
  while (drawBelow(4, app.random) === 0) put(zones[drawBelow(zones.length, app.random)])
  return { variant, bets }
}

/** Returns the amount, or the nearest one within the limits. */
export function within(amount: bigint, { min_bet, max_bet }: Pick<LimitProfileRow, 'min_bet' | 'max_bet'>): bigint {
  const [min, max] = [parseAmount(min_bet), parseAmount(max_bet)]
  if (compareUnits(amount, min) < 0) return min
  return compareUnits(amount, max) > 0 ? max : amount
}
