import { dryRunFlag } from '../../src/cli/framework/flags.ts'
import { RoundChangeCommand } from '../../src/cli/topics/sim/round-change.ts'

export default class SimVoid extends RoundChangeCommand {
  static override summary = 'Void a round that was dealt before: every stake comes back'
  static override description =
    'As when the source calls a round off, before or after it had a result. Every slip gets a revision with status void, the balances follow, and the tenants are told (round.voided). Outside of the guardrails (later than 24 hours after the first settlement, after a void or a dispute, or where a balance would fall below zero) the original stands and the round is disputed.'
  static override examples = [
    'countroom sim void 01J9ZK8S5T3V6W7X8Y9ZABCDEF',
    'countroom sim void 01J9ZK8S5T3V6W7X8Y9ZABCDEF --dry-run',
  ]
  static override flags = { ...dryRunFlag }

  override async run() {
    const { args } = await this.parse(SimVoid)
    const { casino } = await this.world()
    const { changeRound } = await import('../../src/services/casino/simulator/index.ts')
    return this.told(await changeRound(casino, args.round, { void: true }))
  }
}
