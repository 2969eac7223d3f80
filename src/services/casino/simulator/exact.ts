import type { TenantRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import type { NiuniuWinners } from '../../../domain/bets/slip.ts'
import { isCard } from '../../../domain/games/cards.ts'
import type { Hand, Report, Seating } from '../../../domain/games/game.ts'
import { isPositiveAmount, parseAmount } from '../../../domain/money.ts'
import { theTenant } from '../account/tenants.ts'
import { refuse } from '../api/contract.ts'
import type { BetRecord, Round } from '../api/schemas/index.ts'
import { toRound } from '../api/views.ts'
import { thePlayer } from '../players/players.ts'
import { placeSlips, type SlipRequest } from '../rounds/place-bets.ts'
import { type OpenTable, openRound, openTable, outcomeOf, readable, variantsAt } from '../rounds/rounds.ts'
import { correctRound, type RoundChange, settleRound, voidRound } from '../rounds/settlement.ts'
import { type Guest, placeGuests } from '../rounds/studio-guests.ts'
import type { Casino } from '../service.ts'

/** A round to play exactly, as developers write it in a file. */
export interface ExactRound extends ExactResult {
  readonly tableId: string
  readonly variant?: string
  /** Voids the round before any result. */
  readonly void?: boolean
  readonly slips: readonly ExactSlip[]
  /** Later changes, in order. */
  readonly then?: readonly ({ readonly correct: ExactResult } | { readonly void: true })[]
}

/** Result of the cards. */
export interface ExactResult {
  /** All cards of the round in the game's own notation. Absent if `code` is given or the round is voided. */
  readonly cardInfo?: string
  /** Result code of a source without cards. */
  readonly code?: string
  readonly points?: Readonly<Record<string, number>>
  readonly suitedTie?: boolean
  /** Niu Niu: the winners that the source knows, when it does not know all. */
  readonly winners?: NiuniuWinners
  /** No-limit: the seat with the button. A correction without it keeps it. */
  readonly button?: number
}

export interface ExactSlip {
  readonly username: string
  readonly variant?: string
  readonly bets: Readonly<Record<string, string>>
  /** Hold'em: the player's two cards, separated by a space. */
  readonly hole?: string
  readonly folded?: boolean
  readonly seat?: number
  /** No-limit: the seat of a studio guest with this name, without a wallet. */
  readonly onsite?: boolean
}

/** A revision of a round with its bet records, each as in GET /bets. */
export interface PlayedRevision {
  readonly round: Round
  readonly bets: readonly BetRecord[]
  /** Reason why a correction or void was refused. */
  readonly disputed?: string
  /** True if the refusal changed nothing: the round was disputed or void before. */
  readonly isUnchanged?: true
}

/** Plays one exact round with its later changes, completely or not at all. */
export function dealExactly(
  app: Casino,
  code: string,
  exact: ExactRound,
): Promise<{ roundId: string; revisions: PlayedRevision[] }> {
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const table = await openTable(tx, tenant.environment, exact.tableId)
    const round = await openRound(app, tx, table)
    await placeSlips(app, tx, { tenant, table, round }, await slipRequests(tx, tenant, table, exact))
    const guests = exact.slips.filter((slip) => slip.onsite).map((slip) => guestOf(tenant, table, slip))
    await placeGuests(app, tx, round, guests)
    const seating = seatingAt(table, { hands: exact.slips.length, ...buttonOf(exact) })
    const first = exact.void
      ? await voidRound(tx, round.id)
      : await settleRound(tx, table, round.id, outcomeOf(table, reportOf(exact), seating))
    const revisions = [toPlayed(first)]
    for (const step of exact.then ?? []) {
      const change =
        'correct' in step
          ? await correctRound(
              tx,
              table,
              round.id,
              // The button stays where it was when only the cards were misread.
              outcomeOf(table, reportOf({ ...buttonOf(exact), ...step.correct }), seating),
            )
          : await voidRound(tx, round.id)
      revisions.push(toPlayed(change))
    }
    return { roundId: round.id, revisions }
  })
}

async function slipRequests(tx: Tx, tenant: TenantRow, table: OpenTable, exact: ExactRound): Promise<SlipRequest[]> {
  const requests: SlipRequest[] = []
  for (const slip of exact.slips.filter((each) => !each.onsite)) {
    const player = await thePlayer(tx, tenant, slip.username)
    const variant = slip.variant ?? exact.variant ?? variantsAt(table)[0]
    const hand = handOf(slip)
    requests.push({ player, variant, bets: slip.bets, ...(hand ? { hand } : {}) })
  }
  return requests
}

/** Returns a result in the form that games read. */
export function reportOf(exact: ExactResult): Report {
  if (exact.cardInfo !== undefined) return { cardInfo: exact.cardInfo, ...buttonOf(exact) }
  if (exact.code === undefined) throw refuse('INVALID_PARAMETER', 'A round needs cardInfo, or a code, or void')
  return {
    code: exact.code,
    ...(exact.points === undefined ? {} : { points: exact.points }),
    ...(exact.suitedTie === undefined ? {} : { suitedTie: exact.suitedTie }),
    ...(exact.winners === undefined ? {} : { winners: exact.winners }),
  }
}

function guestOf({ code, currency }: TenantRow, table: OpenTable, slip: ExactSlip): Guest {
  const hand = handOf(slip)
  const put = slip.bets['POT']
  if (variantsAt(table)[0] !== 'nlhe' || !hand || put === undefined || !isPositiveAmount(put))
    throw refuse(
      'INVALID_PARAMETER',
      `The on-site seat of ${slip.username} requires a no-limit table, its hole cards, and the amount it put into the POT`,
    )
  return { tenant: code, currency, username: slip.username, put: parseAmount(put), hand }
}

/** Returns the seating of a round. Variants of one table share the cards, so any of them will do. */
export function seatingAt(table: OpenTable, options: Omit<Seating, 'variant' | 'settings'> = {}): Seating {
  return { variant: variantsAt(table)[0], settings: table.settings, ...options }
}

/** Returns the seat with the button, if a result or a round names it. */
export function buttonOf({ button }: { readonly button?: number | null }): Pick<Seating, 'button'> {
  return button === undefined || button === null ? {} : { button }
}

function handOf(slip: ExactSlip): Hand | undefined {
  if (slip.hole === undefined) return undefined
  const hole = slip.hole.split(' ')
  if (hole.length !== 2 || !hole.every(isCard))
    throw refuse('INVALID_PARAMETER', `The hole cards of ${slip.username} must be two cards such as "AS KD"`)
  return { hole, folded: slip.folded ?? false, seat: slip.seat ?? 1 }
}

/** Returns a change of a round for the simulator's output. */
export function toPlayed(change: RoundChange): PlayedRevision {
  return {
    round: toRound(readable(change.round)),
    bets: change.records.map((record): BetRecord => JSON.parse(record)),
    ...(change.disputed === undefined ? {} : { disputed: change.disputed }),
  }
}
