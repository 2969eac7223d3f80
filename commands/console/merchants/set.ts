import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../src/cli/topics/console/merchant.ts'
import { Problem } from '../../../src/kit/problem.ts'

const usd = (summary: string) => Flags.string({ summary: `${summary}; "none" for no limit`, helpValue: 'USD' })

export default class ConsoleMerchantsSet extends CountroomCommand {
  static override summary = "Set a merchant's rules: freeze, tolerance, approval and payout limits"
  static override examples = [
    'countroom console merchants set --tolerance 50 --approval 10000',
    {
      command: 'countroom console merchants set --payout-limit 5000 --payout-day-limit 20000',
      description: 'Limit single payouts and the total of a day',
    },
    { command: 'countroom console merchants set --freeze', description: 'Reject new orders with FROZEN' },
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override flags = {
    ...dryRunFlag,
    freeze: Flags.boolean({ summary: 'Freeze the account', exclusive: ['unfreeze'] }),
    unfreeze: Flags.boolean({ summary: 'Unfreeze the account' }),
    tolerance: Flags.integer({
      summary: 'Accepted underpayment, in basis points (0.01%) of the amount due',
      min: 0,
      max: 1000,
      helpValue: 'BPS',
    }),
    approval: usd('Value in USD above which a payout batch needs approval'),
    'payout-limit': usd('Maximum value of one payout in USD'),
    'payout-day-limit': usd('Maximum value of payouts per UTC day in USD'),
    ...merchantFlags,
  }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      id: Type.String(),
      frozen: Type.Boolean(),
      toleranceBps: Type.Integer(),
      approvalUsd: text,
      payoutLimitUsd: text,
      payoutDayLimitUsd: text,
    })
  }

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsSet)
    const { gateway } = await this.services.world()
    const { setMerchant } = await import('../../../src/services/gateway/admin/platform.ts')
    const limit = (text: string | undefined) => (text === 'none' ? null : text)
    const options = {
      frozen: flags.freeze ? true : flags.unfreeze ? false : undefined,
      toleranceBps: flags.tolerance,
      approvalUsd: limit(flags.approval),
      payoutLimitUsd: limit(flags['payout-limit']),
      payoutDayLimitUsd: limit(flags['payout-day-limit']),
    }
    const settings = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
    if (Object.keys(settings).length === 0)
      throw new Problem(
        'INVALID_USAGE',
        'Nothing to set: pass --freeze, --unfreeze, --tolerance, --approval, --payout-limit or --payout-day-limit',
      )
    const row = await setMerchant(gateway, await merchantOf(this, flags), settings)
    const result = {
      id: row.id,
      frozen: row.frozen === 1,
      toleranceBps: row.tolerance_bps,
      approvalUsd: row.approval_usd,
      payoutLimitUsd: row.payout_limit_usd,
      payoutDayLimitUsd: row.payout_day_limit_usd,
    }
    this.fields(result)
    return result
  }
}
