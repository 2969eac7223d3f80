import Type, { type Static } from 'typebox'
import { breakEventKinds, breakKinds, breakReasonCodes, breakStates } from '../../../domain/reconcile/breaks.ts'
import { dayFields } from '../../../domain/reconcile/daily.ts'

/** Schemas of breaks and restated days. Fields may be added, never renamed. */

const Text = Type.String()
const Nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const BreakView = Type.Object({
  id: Type.String({ description: 'Stable ID: the same difference has the same ID in every run.' }),
  kind: Type.Enum([...breakKinds]),
  subject: Type.String({ description: 'Subject of the break.' }),
  date: Nullable(Text, 'Day of the tenant, or month.'),
  player: Nullable(Text, 'Player in lower case.'),
  currency: Nullable(Text, 'Currency of the amount.'),
  amount: Nullable(Text, 'Signed difference of the two sides.'),
  message: Text,
  state: Type.Enum([...breakStates], {
    description: 'cleared: a later run no longer found it. closed: a person closed it.',
  }),
  owner: Nullable(Text, 'Assignee.'),
  reason: Nullable(Type.Enum([...breakReasonCodes]), 'Reason of the close.'),
  snoozedUntil: Nullable(Text, 'Time until which lists omit it. Null if it is not snoozed.'),
  foundAt: Type.String({ description: 'Time of the first finding.' }),
  openedAt: Type.String({ description: 'Time of the last opening.' }),
  seenAt: Type.String({ description: 'Time of the last finding.' }),
  changedAt: Text,
  times: Type.Integer({ description: 'Number of runs that found it.' }),
  runId: Type.String({ description: 'Run of the last finding.' }),
  ageMs: Nullable(Type.Integer(), 'Time since the last opening in milliseconds. Null if it is not open.'),
})
export type BreakView = Static<typeof BreakView>

export const BreakEventView = Type.Object({
  seq: Type.Integer(),
  at: Text,
  who: Type.String({ description: 'Person, or command of the run.' }),
  what: Type.Enum([...breakEventKinds]),
  text: Nullable(Text, 'Note or finding.'),
  runId: Nullable(Text, 'Run, if a run did it.'),
})
export type BreakEventView = Static<typeof BreakEventView>

const RevisionNamed = Type.Object({ rev: Type.Integer(), status: Text, winLoss: Text })

export const RestatedSlipView = Type.Object({
  slipId: Text,
  roundId: Text,
  tableId: Text,
  game: Text,
  from: Nullable(RevisionNamed, 'Previous revision. Null if the slip did not exist.'),
  to: RevisionNamed,
  change: Type.String({ description: 'Change of the win/loss.' }),
  writtenAt: Type.String({ description: 'Time at which the platform wrote the current revision.' }),
})
export type RestatedSlipView = Static<typeof RestatedSlipView>

export const RestatedPlayerView = Type.Object({
  player: Text,
  currency: Text,
  fields: Type.Array(Type.Object({ field: Type.Enum([...dayFields]), before: Text, after: Text, change: Text }), {
    description: 'Changes of all restated slips together; unchanged fields are absent.',
  }),
  winLoss: Type.String({ description: 'Signed change of the win/loss.' }),
  slips: Type.Array(RestatedSlipView),
})
export type RestatedPlayerView = Static<typeof RestatedPlayerView>

export const RestatedDay = Type.Object({
  breakId: Nullable(Text, 'ID of its break.'),
  date: Text,
  timezone: Text,
  since: Type.Object({
    runId: Text,
    at: Text,
    verdict: Type.Enum(['balanced', 'differences']),
    place: Type.Integer({ description: 'Last row of the book in the reference figures.' }),
  }),
  upTo: Type.Integer({ description: 'Last row that changed the day; --accept accepts up to here.' }),
  players: Type.Array(RestatedPlayerView),
})
export type RestatedDay = Static<typeof RestatedDay>

export const BreaksChanged = Type.Object({
  dryRun: Type.Boolean(),
  breaks: Type.Array(BreakView, { description: 'Breaks after the change; in a dry run, as they would be.' }),
})

export const BreaksClosed = Type.Object({
  ...BreaksChanged.properties,
  refused: Type.Array(Type.Object({ line: Type.Integer(), break: Text, message: Text, isConflict: Type.Boolean() }), {
    description: 'Rows of --file that were not closed, with --partial.',
  }),
})

export const AgeBucketShown = Type.Object({
  bucket: Text,
  fromDays: Type.Integer({ description: "Midnights in the tenant's time zone since the last opening." }),
  toDays: Nullable(Type.Integer(), 'Null for the oldest bracket.'),
  breaks: Type.Integer({ description: 'Open breaks of this age, including snoozed ones.' }),
  snoozed: Type.Integer(),
  amounts: Type.Array(
    Type.Object({
      currency: Text,
      breaks: Type.Integer(),
      gross: Type.String({ description: 'Sum of the amounts without signs.' }),
      net: Type.String({ description: 'Sum of the signed amounts.' }),
    }),
  ),
  withoutAmount: Type.Integer({
    description: 'Breaks that are in no sum, because their amount or currency is unknown.',
  }),
})
