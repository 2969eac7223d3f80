import Type, { type Static } from 'typebox'
import { periodActions, periodStates } from '../../../domain/reconcile/periods.ts'
import { BreakView } from '../breaks/schema.ts'

/** Schemas of periods. Fields may be added, never renamed. */

const Text = Type.String()
const Nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const PeriodFigures = Type.Object({
  slips: Text,
  stake: Text,
  validStake: Text,
  rolling: Text,
  payout: Text,
  winLoss: Text,
  rake: Text,
  ggr: Type.String({
    description: 'Gross gaming revenue of the house: the win/loss of the players with the other sign.',
  }),
})
export type PeriodFigures = Static<typeof PeriodFigures>

export const PeriodLine = Type.Object({
  date: Text,
  game: Text,
  tableId: Text,
  currency: Text,
  ...PeriodFigures.properties,
})
export type PeriodLine = Static<typeof PeriodLine>

const Signed = { by: Text, osUser: Text, host: Text, at: Text }

export const PeriodShown = Type.Object({
  period: Text,
  state: Type.Enum([...periodStates]),
  timezone: Text,
  start: Text,
  end: Type.String({ description: 'First millisecond after the period.' }),
  days: Type.Array(
    Type.Object({
      date: Text,
      verdict: Type.Enum(['balanced', 'differences', 'not-reconciled', 'not-over']),
      reasons: Type.Array(Text, { description: 'Why the day keeps the period open; empty if it does not.' }),
    }),
  ),
  breaks: Type.Object({
    open: Type.Integer(),
    closed: Type.Integer({ description: 'Closed by a person.' }),
    cleared: Type.Integer({ description: 'No longer found by a later run.' }),
  }),
  closedBy: Nullable(Text, 'Person who closed it.'),
  closedAt: Nullable(Text, 'Time of the close.'),
  approvedBy: Nullable(Text, 'Person who approved it.'),
  approvedAt: Nullable(Text, 'Time of the approval.'),
  digest: Nullable(Text, 'SHA-256 of the figures at the close.'),
})
export type PeriodShown = Static<typeof PeriodShown>

export const PeriodDetails = Type.Object({
  ...PeriodShown.properties,
  companyCode: Text,
  environment: Text,
  reportId: Type.String({ description: 'Identifies figures, sign-offs and breaks: equal content has an equal ID.' }),
  totals: Type.Array(Type.Object({ currency: Text, ...PeriodFigures.properties }), {
    description: 'Figures at the close; of an open period the current ones.',
  }),
  restated: Type.Array(
    Type.Object({
      breakId: Nullable(Text, 'Break of the change.'),
      breakState: Nullable(Text, 'State of that break.'),
      player: Text,
      currency: Text,
      fields: Type.Array(Type.Object({ field: Text, before: Text, after: Text, change: Text })),
    }),
    { description: 'Changes since the close by player and currency, decided or not.' },
  ),
  breakList: Type.Array(BreakView),
  bookFiles: Type.Array(
    Type.Object({ folder: Text, file: Text, rows: Type.Integer(), bytes: Type.Integer(), sha256: Text }),
    { description: 'CSV files of the bet sync with rows of the period.' },
  ),
  history: Type.Array(
    Type.Object({
      seq: Type.Integer(),
      ...Signed,
      what: Type.Enum([...periodActions]),
      text: Nullable(Text, 'Reason or digest.'),
    }),
  ),
  next: Type.Array(Text),
})
export type PeriodDetails = Static<typeof PeriodDetails>
