import { Args } from '../../../framework/flags.ts'
import type { Shapes } from '../../../outcome/result-schema.ts'

/** Argument and files of commands about periods. */

export const periodArg = {
  period: Args.string({ description: "Day YYYY-MM-DD or month YYYY-MM, in the tenant's time zone", required: true }),
}

export const periodFiles = ['the book (COUNTROOM_BOOK): bets and verdicts are read; periods and breaks are recorded']

/** Schema of a changed period. */
export const periodChanged = ({ Type, periods }: Shapes) =>
  Type.Object({
    ...periods.PeriodShown.properties,
    openDays: Type.Array(Type.Object({ date: Type.String(), reasons: Type.Array(Type.String()) }), {
      description: 'Days that keep the period open; the change was then not made.',
    }),
    done: Type.Boolean({ description: 'True if the change was made.' }),
    dryRun: Type.Boolean(),
  })
