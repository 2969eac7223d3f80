import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { WorldCommand } from '../../../src/cli/topics/console/command.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class SimFaultsClear extends WorldCommand {
  static override summary = 'Take faults away, those named or all of them, at once'
  static override description =
    'From then on they befall nobody. Whoever waits for an answer because of one goes on waiting until his own patience ends.'
  static override examples = ['countroom sim faults clear', 'countroom sim faults clear 3']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = { ids: Args.string({ multiple: true, description: 'The ids of faults; all when not given' }) }
  static override flags = { ...dryRunFlag }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ cleared: Type.Integer() })
  }

  override async run() {
    const { args } = await this.parse(SimFaultsClear)
    const ids = (args.ids ?? []).map((text) => {
      if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
      throw new Problem(
        'INVALID_USAGE',
        `The id of a fault is a number, as "countroom sim faults list" shows it, not ${text}`,
      )
    })
    const { faults } = await this.world()
    const cleared = await faults.clear(ids.length === 0 ? undefined : ids)
    this.fields({ cleared })
    return { cleared }
  }
}
