import { Args, dangerFlags } from '../../framework/flags.ts'
import { plannedSchema } from '../../outcome/dry-run.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** Arguments, flags and result of the commands that enable and disable a table. */

export const tableArgs = { table: Args.string({ required: true, description: 'Table ID' }) }
export const tableFlags = { ...dangerFlags }
export const tableExits = ['confirmation', 'permission', 'not-found', 'conflict', 'temporary'] as const

export function tableChangeSchema(shapes: Shapes) {
  const { Type } = shapes
  return Type.Object({
    tableId: Type.String(),
    enabled: Type.Boolean({ description: 'State after the call; in a dry run, the state it would have.' }),
    changed: Type.Boolean(),
    used: Type.Integer({ description: 'Number of enabled tables.' }),
    quota: Type.Union([Type.Integer(), Type.Null()], { description: 'Null on the paid plan, which has no quota.' }),
    monthlyUsd: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Monthly cost of the enabled tables. Null on a plan with a quota.',
    }),
    dryRun: Type.Boolean(),
    request: plannedSchema(shapes),
  })
}
