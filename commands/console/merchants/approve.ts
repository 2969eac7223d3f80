import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class ConsoleMerchantsApprove extends CountroomCommand {
  static override summary = 'Approve or reject a verified batch of payouts'
  static override examples = [
    'countroom console merchants approve 5000000191',
    'countroom console merchants approve 5000000191 --reject',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { batch: Args.string({ required: true, description: 'Batch ID' }) }
  static override flags = {
    ...dryRunFlag,
    reject: Flags.boolean({ summary: 'Reject the batch and release its funds' }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ id: Type.String(), decision: Type.Enum(['approve', 'reject']) })

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsApprove)
    const { gateway } = await this.services.world()
    const { decideBatch } = await import('../../../src/services/gateway/payouts.ts')
    const decision = flags.reject ? ('reject' as const) : ('approve' as const)
    const { id } = await decideBatch(gateway, args.batch, decision)
    this.log(`Batch ${id} is ${decision === 'approve' ? 'approved' : 'rejected'}.`)
    return { id, decision }
  }
}
