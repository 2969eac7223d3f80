import type { TableRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import { naturalIn } from '../../../domain/games/baccarat.ts'
import type { RoadItem } from '../player-page/browser/views.ts'
import { latestRounds } from '../queries/live.ts'

/** Number of past rounds on a table's road, which are also kept. A shoe of dragon tiger has up to 183. */
export const roadLength = 192
/** Number of past rounds on a line in the lobby. */
export const lobbyRoadLength = 24

/** Reads a road, or returns one that was read before. */
export type RoadReader = (reader: Reader, row: TableRow, length: number) => Promise<readonly RoadItem[]>

/** Returns the table's latest rounds, oldest first; only those of the current shoe where shoes are numbered. */
export async function roadOf(reader: Reader, row: TableRow, length: number): Promise<RoadItem[]> {
  if (row.game === 'holdem') return []
  const rounds = await latestRounds(reader, row.environment, row.table_id, length)
  const shoe = rounds[0]?.shoe
  return rounds
    .filter((round) => round.shoe === shoe)
    .reverse()
    .map(({ round, code, card_info: cards, status }) => ({
      round,
      code,
      isVoid: status === 'void',
      ...(row.game === 'baccarat' && naturalIn(cards) ? { isNatural: true } : {}),
    }))
}
