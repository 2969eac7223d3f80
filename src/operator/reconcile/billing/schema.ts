import Type, { type Static } from 'typebox'
import { environments } from '../../../domain/account/state.ts'
import { verdicts } from '../../../domain/reconcile/daily.ts'

/** Schemas of a reconciled bill: US dollars as decimal text, days and months in UTC. Fields may be added, never renamed. */

const nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const Text = Type.String()

const Run = Type.Object({
  from: Text,
  to: Text,
  tableDays: Type.Number({ description: 'Table-days of each day.' }),
  feeUsd: Type.String({ description: 'Fee of all days.' }),
})

export const BilledMonth = Type.Object({
  period: Text,
  openingUsd: Text,
  chargesUsd: Text,
  paymentsUsd: Text,
  closingUsd: Text,
  days: Type.Integer({ description: 'Number of days with usage.' }),
  daysInMonth: Type.Integer(),
  tableDays: Type.Number(),
  tableFeeUsd: Text,
  streamFeeUsd: Text,
  usageUsd: Type.String({ description: 'Fees of all its days.' }),
  differenceUsd: Type.String({ description: 'Usage minus charges; 0 if equal.' }),
  runs: Type.Array(Run, { description: 'Consecutive days with the same number of tables.' }),
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
  day: nullable(Text, 'Set if it is about one day.'),
  stated: nullable(Text, 'Figure of the platform. Null if something is missing.'),
  computed: nullable(Text, 'Figure computed from the others.'),
  message: Text,
})
export type Finding = Static<typeof Finding>

const Message = Type.Object({ code: Text, period: nullable(Text, 'Month.'), message: Text })

export const BillResult = Type.Object({
  companyCode: Text,
  environment: Type.Enum([...environments]),
  verdict: Type.Enum([...verdicts]),
  asOf: Type.String({ description: 'Time of the read.' }),
  tablePriceUsd: Text,
  months: Type.Array(BilledMonth, { description: 'Oldest first.' }),
  since: nullable(
    Type.Object({
      period: Text,
      openingUsd: Text,
      chargesUsd: Type.String({ description: 'Charges since then, below zero, without today.' }),
      paymentsUsd: Type.String({ description: 'Payments since then, derived from the credit.' }),
      balanceUsd: Text,
    }),
    'From the last statement to today. Null if there is none, or if other months were requested.',
  ),
  findings: Type.Array(Finding),
  reasons: Type.Array(Message, { description: 'Reasons for an inconclusive verdict.' }),
  explanations: Type.Array(Message),
})
export type BillResult = Static<typeof BillResult>
