import { Args, dryRunFlag } from '../../src/cli/framework/flags.ts'
import { WorldCommand } from '../../src/cli/topics/console/command.ts'

export default class SimDispute extends WorldCommand {
  static override summary = 'Mark a settled round as disputed: its result and amounts stand'
  static override description =
    'As when a correction or a void arrives from the source too late, or would take back more than a balance holds. Nothing follows: the slips keep their last revision.'
  static override examples = ['countroom sim dispute 01J9ZK8S5T3V6W7X8Y9ZABCDEF']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { round: Args.string({ required: true, description: 'The round' }) }
  static override flags = { ...dryRunFlag }
  static override data = async () => {
    const [{ Type }, { Round }] = await Promise.all([
      import('typebox'),
      import('../../src/services/casino/api/schemas/index.ts'),
    ])
    return Type.Object({ round: Round, because: Type.String() })
  }

  override async run() {
    const { args } = await this.parse(SimDispute)
    const { casino } = await this.world()
    const { disputeRound } = await import('../../src/services/casino/simulator/index.ts')
    const { round, disputed = '' } = await disputeRound(casino, args.round)
    this.fields({ round: round.roundId, status: round.status, because: disputed })
    return { round, because: disputed }
  }
}
