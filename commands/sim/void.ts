import { dryRunFlag } from '../../src/cli/framework/flags.ts'
import { RoundChangeCommand } from '../../src/cli/topics/sim/round-change.ts'

export default class SimVoid extends RoundChangeCommand {
  static override summary = 'Void a dealt round and return all stakes'
  static override description =
    'Works like a void by the source, before or after a result. Every slip gets a revision with status void, balances follow, and the tenants get round.voided. If a void is not allowed (more than 24 hours after the first settlement, after a void or dispute, or if a balance would become negative), the result stays and the round becomes disputed.'
  static override examples = [
    'countroom sim void 01J9ZK8S5T3V6W7X8Y9ZABCDEF',
    'countroom sim void 01J9ZK8S5T3V6W7X8Y9ZABCDEF --dry-run',
  ]
  static override flags = { ...dryRunFlag }

  override async run() {
    const { args } = await this.parse(SimVoid)
    const { casino } = await this.services.world()
    const { changeRound } = await import('../../src/services/casino/simulator/index.ts')
    return this.told(await changeRound(casino, args.round, { void: true }))
  }
}
