import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class ConsoleTopup extends CountroomCommand {
  static override summary = "Credit a payment to a tenant's account, once per reference"
  static override examples = ['countroom console topup DEMO 500 --ref wire-2026-03-01']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = {
    code: Args.string({ required: true, description: 'Company code' }),
    amount: Args.string({ required: true, description: 'Amount in US dollars, with at most 6 decimals' }),
  }
  static override flags = {
    ...dryRunFlag,
    ref: Flags.string({ summary: 'Payment reference', required: true, helpValue: 'REF' }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      companyCode: Type.String(),
      balanceUsd: Type.String(),
      state: Type.String(),
      duplicate: Type.Boolean(),
    })

  override async run() {
    const { args, flags } = await this.parse(ConsoleTopup)
    const { casino } = await this.services.world()
    const { topUp } = await import('../../src/services/casino/admin/index.ts')
    const result = await topUp(casino, args.code, args.amount, flags.ref)
    this.fields(result)
    return result
  }
}
