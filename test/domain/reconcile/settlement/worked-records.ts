import type { GameName, Variant } from '../../../../src/domain/games/game.ts'
import { parseAmount } from '../../../../src/domain/money.ts'
import type { RecordedRevision } from '../../../../src/domain/reconcile/settlement/recorded.ts'
import { type Chain, nlhe, type nlheHands } from '../../../rulebook/casino/games/slips.ts'

/** The worked slips of the rules as bet records. */

const ranks = '0123456789ABCD'

/** Ranks and winners in a Niu Niu code. */
function factsOf(code: string, status: string): Pick<RecordedRevision, 'hands' | 'winners'> {
  if (status === 'void' || code === '') return { hands: undefined, winners: undefined }
  const hands = Object.fromEntries(
    ['B', 'P1', 'P2', 'P3'].flatMap((hand, i) => {
      const rank = ranks.indexOf(code.charAt(i + 1))
      return rank < 0 ? [] : [[hand, rank]]
    }),
  )
  const mask = Number(code.charAt(0))
  const winner = (bit: number) => (mask & bit ? 'P' : 'B')
  // The worked slip without ranks has all three winners.
  return { hands, winners: { P1: winner(1), P2: winner(2), P3: winner(4) } }
}

export function recorded(game: GameName, variant: Variant, chain: Chain, factor: number): RecordedRevision[] {
  return chain.revisions.map((each): RecordedRevision => {
    const legs = Object.entries(chain.bets).map(([zone, text], i) => {
      const isDouble = game === 'niuniu' && zone.endsWith('D')
      return {
        zone,
        amount: parseAmount(text),
        return: parseAmount(each.returns[i] ?? '0'),
        hold: isDouble ? parseAmount(text) * BigInt(factor) : null,
        mult: isDouble ? (each.mult?.[zone] ?? null) : null,
      }
    })
    const facts = game === 'niuniu' ? factsOf(each.code, each.status) : { hands: undefined, winners: undefined }
    return {
      slipId: each.name,
      rev: each.rev,
      status: each.status,
      username: 'amy',
      currency: 'USD',
      tableId: 'T',
      game,
      variant,
      roundId: 'R',
      settledAt: 0,
      isOnsite: false,
      legs,
      stake: parseAmount(each.stake),
      hold: parseAmount(each.hold ?? '0'),
      validStake: parseAmount(each.validStake),
      rolling: parseAmount(each.rolling),
      payout: parseAmount(each.payout),
      winLoss: parseAmount(each.winLoss),
      delta: parseAmount(each.delta),
      rake: 0n,
      code: each.code,
      cardInfo: each.cardInfo ?? '',
      ...facts,
    }
  })
}

/** Returns the seats of a worked hand, as far as the rules contain their figures. */
export const seatsOf = (hand: (typeof nlheHands)[number]) =>
  hand.seats.map(({ who, hole, put }) => {
    const row = nlhe.find(([name]) => name === `${hand.hand} ${who}`)
    if (!row) return undefined
    const [name, , returned, validStake, rolling, payout, winLoss, rake, code, rev, status, delta] = row
    const revision: RecordedRevision = {
      slipId: name,
      rev,
      status,
      username: who,
      currency: 'USD',
      tableId: 'HE-03',
      game: 'holdem',
      variant: 'nlhe',
      roundId: hand.hand,
      settledAt: 0,
      isOnsite: false,
      legs: [{ zone: 'POT', amount: parseAmount(put), return: parseAmount(returned), hold: null, mult: null }],
      stake: parseAmount(put),
      hold: 0n,
      validStake: parseAmount(validStake),
      rolling: parseAmount(rolling),
      payout: parseAmount(payout),
      winLoss: parseAmount(winLoss),
      delta: parseAmount(delta),
      rake: parseAmount(rake),
      code,
      cardInfo: `${hand.board}|${hole}`,
      hands: undefined,
      winners: undefined,
    }
    return { revision, previous: null }
  })
