import Type, { type Static } from 'typebox'
import { environments } from '../../../domain/account/state.ts'
import { verdicts } from '../../../domain/reconcile/daily.ts'

/** What a reconciled bill is told as: US dollars as decimal text, days and months of UTC. Fields may be added, never renamed. */

const nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const Text = Type.String()

const Run = Type.Object({
  from: Text,
  to: Text,
  tableDays: Type.Number({ description: 'On each of the days.' }),
  feeUsd: Type.String({ description: 'Of all of them.' }),
})

export const BilledMonth = Type.Object({
  period: Text,
  openingUsd: Text,
  chargesUsd: Text,
  paymentsUsd: Text,
  closingUsd: Text,
  days: Type.Integer({ description: 'With usage.' }),
  daysInMonth: Type.Integer(),
  tableDays: Type.Number(),
  tableFeeUsd: Text,
  streamFeeUsd: Text,
  usageUsd: Type.String({ description: 'The fees of all its days.' }),
  differenceUsd: Type.String({ description: 'The usage less what is charged; 0 where they agree.' }),
  runs: Type.Array(Run, { description: 'Days put together that had as many tables each.' }),
})
export type BilledMonth = Static<typeof BilledMonth>

export const findingCodes = [
  'SUM_DIFFERS',
  'CHAIN_BROKEN',
  'MONTH_MISSING',
  'CHARGES_DIFFER',
  'FEE_DIFFERS',
  'BALANCE_DIFFERS',
] as const

const Finding = Type.Object({
  code: Type.Enum([...findingCodes]),
  period: Text,
  day: nullable(Text, 'Where it is about one day.'),
  stated: nullable(Text, 'What the platform states; null where it is about something missing.'),
  computed: nullable(Text, 'What follows from its other figures.'),
  message: Text,
})
export type Finding = Static<typeof Finding>

const Told = Type.Object({ code: Text, period: nullable(Text, 'The month it is about.'), message: Text })

export const BillResult = Type.Object({
  companyCode: Text,
  environment: Type.Enum([...environments]),
  verdict: Type.Enum([...verdicts]),
  asOf: Type.String({ description: 'When it was read.' }),
  tablePriceUsd: Text,
  months: Type.Array(BilledMonth, { description: 'Oldest first.' }),
  since: nullable(
    Type.Object({
      period: Text,
      openingUsd: Text,
      chargesUsd: Type.String({ description: 'Charged since, below zero, today not among it.' }),
      paymentsUsd: Type.String({ description: 'What must have been paid since, for the credit to be what it is.' }),
      balanceUsd: Text,
    }),
    'From the last statement to today; null where there is none, or where other months were asked for.',
  ),
  findings: Type.Array(Finding),
  reasons: Type.Array(Told, { description: 'What stands against a conclusion.' }),
  explanations: Type.Array(Told),
})
export type BillResult = Static<typeof BillResult>
