import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../src/cli/topics/console/merchant.ts'

export default class ConsoleMerchantsShow extends CountroomCommand {
  static override summary = 'Show the settings, coins, whitelist and funds of a merchant'
  static override examples = ['countroom console merchants show --environment sandbox']
  static override exits = ['not-found'] as const
  static override flags = { ...merchantFlags }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      id: Type.String(),
      environment: Type.String(),
      name: Type.String(),
      compat: Type.Boolean(),
      compatHeader: Type.String(),
      ipnUrl: text,
      toleranceBps: Type.Integer({
        description: 'Accepted underpayment, in basis points (0.01%) of the amount due',
      }),
      frozen: Type.Boolean(),
      verified: Type.Boolean({ description: 'False while the merchant cannot take or move money' }),
      hasMfa: Type.Boolean(),
      approvalUsd: text,
      payoutLimitUsd: text,
      payoutDayLimitUsd: text,
      coins: Type.Array(Type.Object({ coin: Type.String(), wallet: text })),
      whitelist: Type.Array(Type.Object({ coin: Type.String(), address: Type.String() })),
      funds: Type.Array(Type.Object({ kind: Type.String(), currency: Type.String(), amount: Type.String() })),
    })
  }

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsShow)
    const { gateway } = await this.services.world()
    const { readMerchant } = await import('../../../src/services/gateway/admin/merchant.ts')
    const { merchant, coins, whitelist, funds } = await readMerchant(gateway, await merchantOf(this, flags))
    const result = {
      id: merchant.id,
      environment: merchant.environment,
      name: merchant.name,
      compat: merchant.compat === 1,
      compatHeader: merchant.compat_header,
      ipnUrl: merchant.ipn_url,
      toleranceBps: merchant.tolerance_bps,
      frozen: merchant.frozen === 1,
      verified: merchant.verified === 1,
      hasMfa: merchant.totp_sealed !== null,
      approvalUsd: merchant.approval_usd,
      payoutLimitUsd: merchant.payout_limit_usd,
      payoutDayLimitUsd: merchant.payout_day_limit_usd,
    }
    this.fields(result)
    this.log(
      `coins taken         ${coins.map(({ coin, wallet }) => (wallet === null ? coin : `${coin} → ${wallet}`)).join(', ')}`,
    )
    this.log()
    this.table(funds, [{ key: 'kind', title: 'funds' }, { key: 'amount', kind: 'amount' }, 'currency'], 'No funds.')
    this.log()
    this.table(whitelist, [
      { key: 'coin', title: 'payouts of' },
      { key: 'address', title: 'may go to', whole: true },
    ])
    return { ...result, coins, whitelist, funds }
  }
}
