import Type, { type Static } from 'typebox'

/** Result schemas of the bet jobs. Types and command schemas are derived from them. */

const Nullable = <T extends Type.TSchema>(shape: T) => Type.Union([shape, Type.Null()])
const Moment = Type.String({ description: 'ISO 8601 in UTC.' })

export const WrittenFile = Type.Object({
  file: Type.String(),
  rows: Type.Integer(),
  bytes: Type.Integer(),
  sha256: Type.String(),
})

export const AlarmShape = Type.Object({
  kind: Type.Enum(['contradiction', 'step-back', 'gap'], {
    description:
      'contradiction: a revision arrived again with different content. step-back: a recSeq not above the previous one. gap: the cursor was older than the oldest bets of the platform.',
  }),
  slipId: Nullable(Type.String()),
  rev: Nullable(Type.Integer()),
  message: Type.String(),
  detail: Type.Unknown({ description: 'Both records, for a contradiction.' }),
})

/** Result of a sync. */
export const SyncSummary = Type.Object({
  companyCode: Type.String(),
  environment: Type.String(),
  out: Type.String({ description: 'Folder of the files, with links resolved.' }),
  cursor: Nullable(Type.String()),
  startedFrom: Nullable(Moment),
  caughtUp: Type.Boolean({ description: 'True if the platform reported no more bets.' }),
  position: Nullable(
    Type.Enum(['same', 'ahead', 'unknown'], {
      description:
        'Whether the platform still has the record that the book read last; unknown: it may have been removed for its age. Null where the book had none, or the run ended before.',
    }),
  ),
  rows: Type.Integer({ description: 'Number of rows in the book.' }),
  added: Type.Integer({ description: 'Number of rows added by this run.' }),
  duplicates: Type.Integer({ description: 'Number of duplicates that were skipped.' }),
  pages: Type.Integer(),
  retries: Type.Integer(),
  resyncs: Type.Integer({ description: 'Number of expired cursors.' }),
  stoppedBy: Nullable(Type.Enum(['signal', 'deadline', 'reader'])),
  files: Type.Array(WrittenFile),
  alarms: Type.Array(AlarmShape, { description: 'Alarms of this run, which a person has to check.' }),
  elapsedMs: Type.Integer(),
})
export type SyncSummary = Static<typeof SyncSummary>

/** Result of an export. */
export const ExportSummary = Type.Object({
  companyCode: Type.String(),
  environment: Type.String(),
  out: Type.String(),
  rows: Type.Integer(),
  files: Type.Array(WrittenFile),
})
export type ExportSummary = Static<typeof ExportSummary>

export const RunStatus = Type.Object({
  startedAt: Moment,
  endedAt: Nullable(Moment),
  exit: Nullable(Type.Integer()),
  state: Type.Enum(['ended', 'running', 'interrupted'], { description: 'interrupted: the run did not end.' }),
  summary: Type.Unknown(),
})

export const FileStatus = Type.Object({
  file: Type.String(),
  rows: Type.Integer(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  state: Type.Enum(['intact', 'not checked', 'missing', 'changed', 'unfinished', 'not in the manifest'], {
    description:
      'Checked with --verify only. unfinished: the file has more rows than recorded, by a run that was killed or is running.',
  }),
})
export type FileStatus = Static<typeof FileStatus>

/** Status of a book. */
export const BetStatus = Type.Object({
  owner: Nullable(Type.Object({ companyCode: Type.String(), environment: Type.String(), timezone: Type.String() })),
  cursor: Nullable(Type.String()),
  startedFrom: Nullable(Moment),
  rows: Type.Integer(),
  caughtUpAt: Nullable(Type.String({ description: 'Time up to which the book is complete.' })),
  lagMs: Nullable(Type.Integer({ description: 'Time since then in milliseconds.' })),
  latestSettledAt: Nullable(Moment),
  ahead: Type.Boolean({
    description:
      'True if the platform did not have the last record of the book in the last run, so that nothing was read since.',
  }),
  months: Type.Array(Type.Object({ month: Type.String({ description: 'YYYY-MM' }), rows: Type.Integer() })),
  alarmCount: Type.Integer(),
  alarms: Type.Array(
    Type.Object({
      kind: AlarmShape.properties.kind,
      foundAt: Moment,
      slipId: Nullable(Type.String()),
      rev: Nullable(Type.Integer()),
      message: Type.String(),
    }),
  ),
  holder: Nullable(
    Type.Object({ pid: Type.Integer(), host: Type.String(), command: Type.String(), startedAt: Moment }),
  ),
  runs: Type.Array(RunStatus),
  folders: Type.Array(Type.Object({ folder: Type.String(), files: Type.Array(FileStatus) })),
})
export type BetStatus = Static<typeof BetStatus>

/** A slip with all its revisions. */
export const SlipDetails = Type.Object({
  slipId: Type.String(),
  username: Type.String(),
  currency: Type.String(),
  game: Type.String(),
  tableId: Type.String(),
  roundId: Type.String(),
  paid: Type.String({ description: 'Sum of all deltas: the effect of the slip on the wallet.' }),
  revisions: Type.Array(Type.Unknown({ description: 'Revision as GET /bets returned it.' })),
  alarms: Type.Array(Type.Object({ kind: AlarmShape.properties.kind, message: Type.String(), detail: Type.Unknown() })),
})
export type SlipDetails = Static<typeof SlipDetails>
