import type { BookSlipRow } from '../../../db/schema/book.ts'
import { slipStatuses } from '../../../domain/bets/slip.ts'
import type { GameName, Variant } from '../../../domain/games/game.ts'
import { gameNames, variantsOf } from '../../../domain/games/game.ts'
import type { RecordedRevision, UncheckedReason } from '../../../domain/reconcile/settlement/recorded.ts'
import type { BetRecord } from '../../../services/casino/api/schemas/index.ts'
import { recordOf, versionOf } from '../../bets/slip-versions.ts'

/** A stored revision as input of the settlement, or the reason why it cannot be settled. */
export type Readable = RecordedRevision | { readonly unreadable: UncheckedReason }

type Row = Pick<BookSlipRow, 'slip_id' | 'rev' | 'record'>

/** Converts a stored revision. A record that differs from its row's key is not settled: it may belong to another slip. */
export function recordedOf(row: Row): Readable {
  const record = recordOf(row)
  if (record === undefined || record.slipId !== row.slip_id || record.rev !== row.rev)
    return { unreadable: 'RECORD_UNREADABLE' }
  if (typeof record.result !== 'object' || record.result === null) return { unreadable: 'RECORD_UNREADABLE' }
  const { code, cardInfo, hands, winners } = record.result
  if (typeof code !== 'string' || typeof cardInfo !== 'string') return { unreadable: 'RECORD_UNREADABLE' }
  const version = versionOf(record)
  if (version.unreadable.length > 0 || !slipStatuses.some((status) => status === record.status))
    return { unreadable: 'RECORD_UNREADABLE' }
  const game = gameNames.find((name) => name === record.game)
  const variant = game && variantsOf[game].find((name) => name === record.variant)
  if (game === undefined || variant === undefined) return { unreadable: 'GAME_UNKNOWN' }
  const facts = { hands: hands as RecordedRevision['hands'], winners: winners as RecordedRevision['winners'] }
  return { ...figuresOf(record, version), ...facts, game, variant, code, cardInfo }
}

type Named = 'game' | 'variant' | 'code' | 'cardInfo' | 'hands' | 'winners'

function figuresOf(record: BetRecord, version: ReturnType<typeof versionOf>): Omit<RecordedRevision, Named> {
  return {
    slipId: record.slipId,
    rev: record.rev,
    status: record.status,
    username: record.username,
    currency: record.currency,
    tableId: record.tableId,
    roundId: record.roundId,
    settledAt: version.settledAt,
    isOnsite: version.isOnsite,
    legs: version.legs.map((leg, i) => ({
      zone: leg.zone,
      amount: leg.amount,
      return: leg.return,
      hold: record.bets[i]?.hold === undefined ? null : leg.hold,
      mult: record.bets[i]?.mult ?? null,
    })),
    stake: version.stake,
    hold: version.hold,
    validStake: version.validStake,
    rolling: version.rolling,
    payout: version.payout,
    winLoss: version.winLoss,
    delta: version.delta,
    rake: version.rake,
  }
}

/** Names of a revision that could not be read, for the lists. */
export function namesOf(row: Row): { game: GameName | string; variant: Variant | string; tableId: string } {
  const record = recordOf(row)
  return { game: record?.game ?? '', variant: record?.variant ?? '', tableId: record?.tableId ?? '' }
}
