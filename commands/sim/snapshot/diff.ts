import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, Flags } from '../../../src/cli/framework/flags.ts'
import { diffSchema } from '../../../src/cli/topics/sim/snapshots/view.ts'

export default class SimSnapshotDiff extends CountroomCommand {
  static override summary = 'Show what changed in the world since a snapshot, or between two'
  static override description =
    'Compares players, transfers, rounds, slips, payments, invoices, payouts, deposits, rooms, messages, tickets, callbacks and settings, row by row, and nets the balances per player and currency, and per merchant and coin. Secrets, hashes and keys are shown as ***. Derived data, such as sums and search words, is not compared.'
  static override examples = [
    'countroom sim snapshot diff before-checkout',
    { command: 'countroom sim snapshot diff before-checkout after-checkout', description: 'Compare two snapshots' },
    { command: 'countroom sim snapshot diff before-checkout --entity transfer', description: 'Show one kind only' },
  ]
  static override exits = ['not-found', 'conflict', 'locked'] as const
  static override completes = { from: 'snapshots', to: 'snapshots' }
  static override args = {
    from: Args.string({ required: true, description: 'Snapshot before' }),
    to: Args.string({ description: 'Snapshot after (default: the world as it is now)' }),
  }
  static override flags = {
    entity: Flags.string({ summary: 'Changes of these entities only, such as player or payment', multiple: true }),
    limit: Flags.integer({
      summary: 'Maximum number of changes to print for people; --json always has all',
      default: 50,
      min: 1,
      max: 1_000_000,
      helpValue: 'N',
    }),
  }
  static override data = diffSchema

  override async run() {
    const { args, flags } = await this.parse(SimSnapshotDiff)
    const { diffSnapshots } = await import('../../../src/cli/topics/sim/snapshots/diff.ts')
    return diffSnapshots(this, args, flags)
  }
}
