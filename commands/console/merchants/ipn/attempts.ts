import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../../src/cli/topics/console/merchant.ts'
import { maxIpnAttempts, schedules } from '../../../../src/domain/webhooks/retry-schedule.ts'
import { Problem } from '../../../../src/kit/problem.ts'

export default class ConsoleMerchantsIpnAttempts extends CountroomCommand {
  static override summary = "Set the maximum number of attempts for a merchant's IPNs"
  static override description =
    `From 1 to ${maxIpnAttempts}. The wait between attempts starts at 10 seconds, triples each time and is at most 1 day. Pending IPNs keep their number.`
  static override examples = [
    'countroom console merchants ipn attempts 5',
    { command: 'countroom console merchants ipn attempts default', description: 'Restore the default of 10' },
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = {
    attempts: Args.string({ required: true, description: `Number from 1 to ${maxIpnAttempts}, or "default"` }),
  }
  static override flags = { ...dryRunFlag, ...merchantFlags }
  static override data = ({ Type }: Shapes) => Type.Object({ id: Type.String(), ipnAttempts: Type.Integer() })

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsIpnAttempts)
    const ipnAttempts = ['default', 'usual'].includes(args.attempts) ? null : Number(args.attempts)
    if (
      ipnAttempts !== null &&
      !(/^[0-9]{1,2}$/.test(args.attempts) && ipnAttempts >= 1 && ipnAttempts <= maxIpnAttempts)
    )
      throw new Problem(
        'INVALID_USAGE',
        `The number of attempts must be 1 to ${maxIpnAttempts}, or "default"; received ${args.attempts}`,
      )
    const world = await this.services.world()
    const { setMerchant } = await import('../../../../src/services/gateway/admin/platform.ts')
    const id = await merchantOf(this, flags)
    const row = await setMerchant(world.gateway, id, { ipnAttempts })
    const result = { id: row.id, ipnAttempts: row.ipn_attempts ?? schedules['merchant-ipn'].attempts }
    this.fields(result)
    return result
  }
}
