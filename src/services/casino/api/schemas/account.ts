import Type, { type Static } from 'typebox'
import { accountStates, plans } from '../../../../domain/account/state.ts'
import { CalendarDate, Gigabytes, Moment, nullable, UsdAmount } from './shared.ts'

/** Schemas of plan, usage and statements (1-tenant-api, "Resources and their fields"). */

export const Account = Type.Object({
  plan: Type.Enum([...plans]),
  state: Type.Enum([...accountStates]),
  balanceUsd: UsdAmount,
  tablesUsed: Type.Integer(),
  tablesQuota: nullable(Type.Integer()),
  streamGbMonth: Gigabytes('GB this UTC month, 3 decimals.'),
  avgDailyUsd7d: UsdAmount,
  daysLeft: nullable(Type.Integer()),
  graceUntil: nullable(Moment),
})
export type Account = Static<typeof Account>

export const UsageDay = Type.Object({
  day: CalendarDate,
  tableDays: Type.Number(),
  streamGb: Gigabytes('GB of this UTC day, 3 decimals.'),
  streamSource: Type.Enum(['cdn', 'client', 'estimate']),
  tableFeeUsd: UsdAmount,
  streamFeeUsd: UsdAmount,
})
export type UsageDay = Static<typeof UsageDay>

export const Statement = Type.Object({
  period: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}$', examples: ['2026-03'], description: 'YYYY-MM.' }),
  openingUsd: UsdAmount,
  chargesUsd: UsdAmount,
  paymentsUsd: UsdAmount,
  closingUsd: UsdAmount,
})
export type Statement = Static<typeof Statement>
