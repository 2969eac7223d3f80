import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class SimDispute extends CountroomCommand {
  static override summary = 'Mark a settled round as disputed; its result and amounts stay'
  static override description =
    'A round becomes disputed when a correction or void from the source comes too late, or would make a balance negative. The slips keep their last revision.'
  static override examples = ['countroom sim dispute 01J9ZK8S5T3V6W7X8Y9ZABCDEF']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { round: Args.string({ required: true, description: 'Round ID' }) }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type, casino }: Shapes) => Type.Object({ round: casino.Round, because: Type.String() })

  override async run() {
    const { args } = await this.parse(SimDispute)
    const { casino } = await this.services.world()
    const { disputeRound } = await import('../../src/services/casino/simulator/index.ts')
    const { round, disputed = '' } = await disputeRound(casino, args.round)
    this.fields({ round: round.roundId, status: round.status, because: disputed })
    return { round, because: disputed }
  }
}
