import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { MerchantCommand, merchantFlags } from '../../../src/cli/topics/console/merchant-command.ts'
import { Problem } from '../../../src/kit/problem.ts'

const usd = (summary: string) => Flags.string({ summary: `${summary}; "none" for no limit`, helpValue: 'USD' })

export default class ConsoleMerchantsSet extends MerchantCommand {
  static override summary = "Set a merchant's rules: freezing, tolerance, approval, limits of payouts"
  static override examples = [
    'countroom console merchants set --tolerance 50 --approval 10000',
    {
      command: 'countroom console merchants set --payout-limit 5000 --payout-day-limit 20000',
      description: 'What one payout and one day may come to',
    },
    { command: 'countroom console merchants set --freeze', description: 'Nothing new is taken or moved (FROZEN)' },
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override flags = {
    ...dryRunFlag,
    freeze: Flags.boolean({ summary: 'Freeze the account', exclusive: ['unfreeze'] }),
    unfreeze: Flags.boolean({ summary: 'Let the account move again' }),
    tolerance: Flags.integer({
      summary: 'How much of the amount due may be missing, in hundredths of a percent',
      min: 0,
      max: 1000,
      helpValue: 'BPS',
    }),
    approval: usd('Batches worth more wait for an approver'),
    'payout-limit': usd('The most one payout may be worth'),
    'payout-day-limit': usd('The most the payouts of a UTC day may be worth'),
    ...merchantFlags,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
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
    const { gateway } = await this.world()
    const { setMerchant } = await import('../../../src/services/gateway/admin/platform.ts')
    const limit = (text: string | undefined) => (text === 'none' ? null : text)
    const wanted = {
      frozen: flags.freeze ? true : flags.unfreeze ? false : undefined,
      toleranceBps: flags.tolerance,
      approvalUsd: limit(flags.approval),
      payoutLimitUsd: limit(flags['payout-limit']),
      payoutDayLimitUsd: limit(flags['payout-day-limit']),
    }
    const settings = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
    if (Object.keys(settings).length === 0) throw new Problem('INVALID_USAGE', 'Say what is to be set')
    const row = await setMerchant(gateway, await this.merchantId(flags), settings)
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
