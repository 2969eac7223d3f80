import Type, { type Static } from 'typebox'
import { DayResult } from '../../reconcile/daily/schema.ts'
import { WrittenFile } from '../schema.ts'

const Nullable = <T extends Type.TSchema>(shape: T) => Type.Union([shape, Type.Null()])

export const RepairChange = Type.Object({
  slipId: Type.String(),
  rev: Type.Integer(),
  change: Type.Enum(['added', 'replaced', 'removed'], {
    description: 'added: it was missing. replaced: it had other content. removed: the platform does not have it.',
  }),
  player: Type.String(),
  place: Nullable(Type.Integer({ description: 'Place of the former row, under which the history keeps it.' })),
})

/** Result of a repair. */
export const RepairResult = Type.Object({
  date: Type.String(),
  timezone: Type.String(),
  repairId: Nullable(Type.String({ description: 'Null if nothing had to be changed, and with --dry-run.' })),
  added: Type.Integer(),
  replaced: Type.Integer(),
  removed: Type.Integer(),
  newer: Type.Integer({ description: 'Number of records after the cursor of the book; the next sync reads them.' }),
  pages: Type.Integer(),
  changes: Type.Array(RepairChange, { description: 'The first 1,000 changes.' }),
  before: DayResult.properties.verdict,
  verdict: Nullable(DayResult.properties.verdict),
  reasons: Type.Array(Type.String(), { description: 'Why the verdict is inconclusive.' }),
  out: Nullable(Type.String()),
  files: Type.Array(WrittenFile),
})
export type RepairResult = Static<typeof RepairResult>
