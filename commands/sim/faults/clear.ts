import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class SimFaultsClear extends CountroomCommand {
  static override summary = 'Remove faults'
  static override description = 'Takes effect for new requests. A request that is already delayed stays delayed.'
  static override examples = ['countroom sim faults clear', 'countroom sim faults clear 3']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = { ids: Args.string({ multiple: true, description: 'Fault IDs (default: all)' }) }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ cleared: Type.Integer() })

  override async run() {
    const { args } = await this.parse(SimFaultsClear)
    const ids = (args.ids ?? []).map((text) => {
      if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
      throw new Problem(
        'INVALID_USAGE',
        `A fault ID is a number; received ${text}. To list the faults: countroom sim faults list`,
      )
    })
    const { faults } = await this.services.world()
    const cleared = await faults.clear(ids.length === 0 ? undefined : ids)
    this.fields({ cleared })
    return { cleared }
  }
}
