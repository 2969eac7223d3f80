import Type, { type Static } from 'typebox'
import { breakEventKinds, breakKinds, breakReasonCodes, breakStates } from '../../../domain/reconcile/breaks.ts'
import { dayFields } from '../../../domain/reconcile/daily.ts'

/** What reconciliation keeps from one run to the next is told as: breaks and restated days. Fields may be added, never renamed. */

const Text = Type.String()
const Nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const BreakShown = Type.Object({
  id: Type.String({ description: 'The same for the same thing, in every run.' }),
  kind: Type.Enum([...breakKinds]),
  subject: Type.String({ description: 'What it is about.' }),
  date: Nullable(Text, 'The tenant’s day or the month it belongs to.'),
  player: Nullable(Text, 'In lower case, as players are compared.'),
  currency: Nullable(Text, 'Of the amount.'),
  amount: Nullable(Text, 'What is between the two sides, with its sign.'),
  message: Text,
  state: Type.Enum([...breakStates], {
    description: 'cleared: a run looked again and it was gone. closed: a person said so.',
  }),
  owner: Nullable(Text, 'Who looks into it.'),
  reason: Nullable(Type.Enum([...breakReasonCodes]), 'Why it was closed.'),
  foundAt: Type.String({ description: 'When it was found first.' }),
  openedAt: Type.String({ description: 'When it was opened last.' }),
  seenAt: Type.String({ description: 'When a run found it last.' }),
  changedAt: Text,
  times: Type.Integer({ description: 'How many runs found it.' }),
  runId: Type.String({ description: 'The run that found it last.' }),
  ageMs: Nullable(Type.Integer(), 'How long it has been open; null once it is not.'),
})
export type BreakShown = Static<typeof BreakShown>

export const BreakEventShown = Type.Object({
  seq: Type.Integer(),
  at: Text,
  who: Type.String({ description: 'A person, or the command whose run it was.' }),
  what: Type.Enum([...breakEventKinds]),
  text: Nullable(Text, 'What was said or found.'),
  runId: Nullable(Text, 'Where a run did it.'),
})
export type BreakEventShown = Static<typeof BreakEventShown>

const RevisionNamed = Type.Object({ rev: Type.Integer(), status: Text, winLoss: Text })

export const RestatedSlipShown = Type.Object({
  slipId: Text,
  roundId: Text,
  tableId: Text,
  game: Text,
  from: Nullable(RevisionNamed, 'The revision that counted; null where the slip was not there.'),
  to: RevisionNamed,
  change: Type.String({ description: 'Of the win/loss.' }),
  writtenAt: Type.String({ description: 'When the platform wrote the revision that counts now.' }),
})
export type RestatedSlipShown = Static<typeof RestatedSlipShown>

export const RestatedPlayerShown = Type.Object({
  player: Text,
  currency: Text,
  fields: Type.Array(Type.Object({ field: Type.Enum([...dayFields]), before: Text, after: Text, change: Text }), {
    description: 'Of the restated slips together; fields that did not change are left out.',
  }),
  winLoss: Type.String({ description: 'The change of the win/loss, with its sign.' }),
  slips: Type.Array(RestatedSlipShown),
})
export type RestatedPlayerShown = Static<typeof RestatedPlayerShown>

export const RestatedDay = Type.Object({
  breakId: Nullable(Text, 'The break it is noted as.'),
  date: Text,
  timezone: Text,
  since: Type.Object({
    runId: Text,
    at: Text,
    verdict: Type.Enum(['balanced', 'differences']),
    place: Type.Integer({ description: 'The book’s last row whose figures are held to.' }),
  }),
  upTo: Type.Integer({ description: 'The row that changed it last: what --accept accepts.' }),
  players: Type.Array(RestatedPlayerShown),
})
export type RestatedDay = Static<typeof RestatedDay>

export const BreaksOrdered = Type.Object({
  dryRun: Type.Boolean(),
  breaks: Type.Array(BreakShown, { description: 'As they are now, or would be.' }),
})
