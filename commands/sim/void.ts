import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../src/cli/framework/flags.ts'
import { changedRoundSchema, roundArg } from '../../src/cli/topics/sim/round-fields.ts'

export default class SimVoid extends CountroomCommand {
  static override summary = 'Void a dealt round and return all stakes'
  static override description = [
    'Works like a void by the source, before or after a result: every slip gets a revision with status void, balances follow, and the tenants get round.voided.',
    'If a void is not allowed (more than 24 hours after the first settlement, or if a balance would become negative), the result stays and the round becomes disputed. A round that is already void or disputed is not changed (exit 6).',
  ].join('\n\n')
  static override examples = [
    'countroom sim void 01J9ZK8S5T3V6W7X8Y9ZABCDEF',
    'countroom sim void 01J9ZK8S5T3V6W7X8Y9ZABCDEF --dry-run',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = roundArg
  static override flags = { ...dryRunFlag }
  static override data = changedRoundSchema

  override async run() {
    const { args } = await this.parse(SimVoid)
    const { changeDealtRound } = await import('../../src/cli/topics/sim/change-round.ts')
    return changeDealtRound(this, args.round, { void: true })
  }
}
