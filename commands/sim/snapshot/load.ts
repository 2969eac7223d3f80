import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class SimSnapshotLoad extends CountroomCommand {
  static override summary = 'Replace the content of the world with a snapshot, while it is served'
  static override description = [
    'Restores everything: balances, rounds, payments, chats, due callbacks, injected faults, counters and the clock. Later changes are lost unless you save them first.',
    'A served world needs no restart: a request in progress finishes before the load or is repeated after it, and open streams of the chat and the tables reconnect. The content is replaced in one transaction, so a killed run leaves the old world or the new one.',
  ].join('\n\n')
  static override examples = [
    'countroom sim snapshot load before-checkout',
    { command: 'countroom sim snapshot load ./month-end.snapshot', description: 'Load the file of a teammate' },
  ]
  static override exits = ['not-found', 'temporary', 'locked'] as const
  static override writes = true
  static override completes = { snapshot: 'snapshots' }
  static override args = {
    snapshot: Args.string({
      required: true,
      description: 'Name, or a portable file (with a folder or a dot in its name)',
    }),
  }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      loaded: Type.String({ description: 'Name of the snapshot, or the file.' }),
      worldTime: Type.String({ description: "The world's time from now on." }),
      slips: Type.Integer(),
      players: Type.Integer(),
    })

  override async run() {
    const { args } = await this.parse(SimSnapshotLoad)
    const { loadSnapshot } = await import('../../../src/cli/topics/sim/snapshots/snapshots.ts')
    return loadSnapshot(this, args.snapshot)
  }
}
