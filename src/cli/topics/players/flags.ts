import { playerSchema } from '../../arguments/player.ts'
import { Args, dangerFlags } from '../../framework/flags.ts'
import { plannedSchema } from '../../outcome/dry-run.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import { changesSchema } from '../../terminal/field-changes.ts'

/** Arguments, flags and result of the commands that change a player. */

export const playerArgs = { user: Args.string({ required: true, description: 'Player username' }) }
export const playerFlags = { ...dangerFlags }
export const playerExits = ['confirmation', 'permission', 'not-found', 'temporary'] as const

export function changedPlayerSchema(shapes: Shapes) {
  const { Type } = shapes
  return Type.Object({
    player: playerSchema(shapes),
    changes: changesSchema(shapes),
    dryRun: Type.Boolean(),
    request: plannedSchema(shapes),
  })
}
