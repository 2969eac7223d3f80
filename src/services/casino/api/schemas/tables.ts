import Type, { type Static } from 'typebox'
import { Game, Moment, nullable, RoundId } from './shared.ts'

/** Schemas of tables and rounds (1-tenant-api, "Resources and their fields"). */

export const Table = Type.Object({
  tableId: Type.String(),
  game: Game,
  variants: Type.Array(Type.String()),
  name: Type.Record(Type.String(), Type.String(), { description: 'Table name by language code.' }),
  status: Type.Enum(['open', 'maintenance']),
  betSeconds: Type.Integer(),
  enabled: Type.Boolean(),
  provider: Type.Optional(
    Type.Object({ name: Type.String() }, { description: 'Only on tables shared by another merchant.' }),
  ),
})
export type Table = Static<typeof Table>

export const TableSwitch = Type.Object({
  tableId: Type.String(),
  enabled: Type.Boolean(),
  used: Type.Integer(),
  quota: nullable(Type.Integer()),
})
export type TableSwitch = Static<typeof TableSwitch>

/** Result of a round; its fields depend on the game. */
const RoundResult = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'baccarat: cards, player, banker, winner (B, P or T), playerPair, bankerPair. dragontiger: cards, dragon, tiger, winner (D, TG or T), suitedTie. niuniu: cards, hands, winners. holdem: null.',
})

export const Round = Type.Object({
  roundId: RoundId,
  tableId: Type.String(),
  shoe: Type.String(),
  round: Type.Integer(),
  status: Type.Enum(['settled', 'void', 'disputed']),
  code: nullable(Type.String()),
  cardInfo: nullable(Type.String()),
  result: nullable(RoundResult),
  complete: nullable(Type.Boolean()),
  rev: Type.Integer(),
  openedAt: nullable(Moment),
  settledAt: nullable(Moment),
})
export type Round = Static<typeof Round>
