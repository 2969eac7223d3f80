import Type, { type Static } from 'typebox'

/** What the jobs on a book of bets answer with. The types are made from these, and so are the schemas of the commands. */

const Nullable = <T extends Type.TSchema>(shape: T) => Type.Union([shape, Type.Null()])
const Moment = Type.String({ description: 'ISO 8601 in UTC' })

export const WrittenFile = Type.Object({
  file: Type.String(),
  rows: Type.Integer(),
  bytes: Type.Integer(),
  sha256: Type.String(),
})

export const AlarmShape = Type.Object({
  kind: Type.Enum(['contradiction', 'step-back', 'gap'], {
    description:
      'contradiction: a revision came again with other content. step-back: a recSeq not above the one before. gap: the cursor was older than what the platform keeps.',
  }),
  slipId: Nullable(Type.String()),
  rev: Nullable(Type.Integer()),
  message: Type.String(),
  detail: Type.Unknown({ description: 'For a contradiction both records' }),
})

/** What a sync came to. */
export const SyncSummary = Type.Object({
  companyCode: Type.String(),
  environment: Type.String(),
  out: Type.String({ description: 'The folder of the files, without links' }),
  cursor: Nullable(Type.String()),
  startedFrom: Nullable(Moment),
  caughtUp: Type.Boolean({ description: 'Whether the platform said that there is no more' }),
  position: Nullable(
    Type.Enum(['same', 'ahead', 'unknown'], {
      description:
        'Whether the platform still has the record that the book read last; unknown: it may have been removed for its age. Null where the book had none, or the run ended before.',
    }),
  ),
  rows: Type.Integer({ description: 'The rows of the book' }),
  added: Type.Integer({ description: 'How many of them this run added' }),
  duplicates: Type.Integer({ description: 'Rows that came again and were left out' }),
  pages: Type.Integer(),
  retries: Type.Integer(),
  resyncs: Type.Integer({ description: 'How often the platform did not know the cursor any more' }),
  stoppedBy: Nullable(Type.Enum(['signal', 'deadline', 'reader'])),
  files: Type.Array(WrittenFile),
  alarms: Type.Array(AlarmShape, { description: 'What this run found that a person has to look at' }),
  elapsedMs: Type.Integer(),
})
export type SyncSummary = Static<typeof SyncSummary>

/** What an export wrote. */
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
  state: Type.Enum(['ended', 'running', 'broken off'], { description: 'broken off: it never came to its end' }),
  summary: Type.Unknown(),
})

export const FileStatus = Type.Object({
  file: Type.String(),
  rows: Type.Integer(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  state: Type.Enum(['as it should be', 'not looked at', 'missing', 'changed', 'unfinished', 'not in the manifest'], {
    description:
      'Looked at with --verify only. unfinished: more was written than is noted, by a run that was killed or goes on.',
  }),
})
export type FileStatus = Static<typeof FileStatus>

/** How a book stands. */
export const BetStatus = Type.Object({
  owner: Nullable(Type.Object({ companyCode: Type.String(), environment: Type.String(), timezone: Type.String() })),
  cursor: Nullable(Type.String()),
  startedFrom: Nullable(Moment),
  rows: Type.Integer(),
  caughtUpAt: Nullable(Type.String({ description: 'The book is whole up to this moment' })),
  lagMs: Nullable(Type.Integer({ description: 'How long ago that was' })),
  latestSettledAt: Nullable(Moment),
  ahead: Type.Boolean({
    description:
      'Whether the last run found that the platform does not have what the book read last, so that nothing was read since',
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
export const SlipShown = Type.Object({
  slipId: Type.String(),
  username: Type.String(),
  currency: Type.String(),
  game: Type.String(),
  tableId: Type.String(),
  roundId: Type.String(),
  paid: Type.String({ description: 'The sum of all deltas: what the slip has put into the wallet' }),
  revisions: Type.Array(Type.Unknown({ description: 'Each as GET /bets gave it' })),
  alarms: Type.Array(Type.Object({ kind: AlarmShape.properties.kind, message: Type.String(), detail: Type.Unknown() })),
})
export type SlipShown = Static<typeof SlipShown>
