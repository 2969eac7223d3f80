import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { snapshotSchema } from '../../../src/cli/topics/sim/snapshots/view.ts'

export default class SimSnapshotSave extends CountroomCommand {
  static override summary = 'Save the whole world under a name, while it is served'
  static override description = [
    'A snapshot contains all rows of the three services, the files of the chat and the time of the clock, at one point in time. It is kept next to the database: in the folder DATABASE-snapshots, or in a schema of the PostgreSQL database. --out also writes a portable file, which loads into any world on any kind of database.',
    'Snapshots and files contain the keys of the world: share them with your team only.',
  ].join('\n\n')
  static override examples = [
    'countroom sim snapshot save before-checkout',
    {
      command: 'countroom sim snapshot save month-end --out month-end.snapshot',
      description: 'Write a file for a teammate too',
    },
  ]
  static override exits = ['conflict', 'locked'] as const
  static override writes = true
  static override files = ['the snapshot, next to the database', 'FILE of --out: mode 0600, written atomically']
  static override completes = { out: 'files' }
  static override args = {
    name: Args.string({ required: true, description: 'Name: letters, digits, hyphens and underscores' }),
  }
  static override flags = {
    out: Flags.string({ summary: 'Portable file to write too', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite an existing --out file' }),
    ...dryRunFlag,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      snapshot: Type.Union([snapshotSchema(shapes), Type.Null()], { description: 'null on a dry run.' }),
      file: Type.Union([Type.String(), Type.Null()]),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(SimSnapshotSave)
    const { saveSnapshot } = await import('../../../src/cli/topics/sim/snapshots/snapshots.ts')
    return saveSnapshot(this, args.name, flags)
  }
}
