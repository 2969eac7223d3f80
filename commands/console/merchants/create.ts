import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { environmentFlag, environmentOf } from '../../../src/cli/topics/console/merchant.ts'
import { shownOnce } from '../../../src/cli/topics/console/shown-once.ts'
import { letters } from '../../../src/kit/ids.ts'

export default class ConsoleMerchantsCreate extends CountroomCommand {
  static override summary = 'Create a merchant with a console user, API keys and a 2FA secret'
  static override description =
    'The secrets are shown only once. With --json, "data" has the form of the gateway section of the ready file, for "countroom profiles add".'
  static override examples = [
    'countroom console merchants create "Acme Casino" --email pay@acme.example --environment sandbox',
  ]
  static override exits = ['conflict'] as const
  static override writes = true
  static override args = { name: Args.string({ required: true, description: 'Merchant name' }) }
  static override flags = {
    ...dryRunFlag,
    email: Flags.string({ summary: 'Email address of the console user', required: true, helpValue: 'ADDRESS' }),
    allow: Flags.string({
      summary: 'Addresses or CIDR ranges that may use the payout key',
      default: '127.0.0.1,::1',
      helpValue: 'A,B',
    }),
    unverified: Flags.boolean({
      summary: 'Start unverified, until "countroom console merchants verify"; a sandbox merchant is always verified',
    }),
    ...environmentFlag,
  }
  static override data = ({ Type }: Shapes) => {
    const section = Type.Object({
      merchantId: Type.String(),
      apiKey: Type.String(),
      payoutApiKey: Type.String(),
      ipnSecret: Type.String(),
      email: Type.String(),
      password: Type.String(),
      totpSecret: Type.String(),
      whitelisted: Type.Record(Type.String(), Type.String()),
    })
    return Type.Object({
      baseUrl: Type.String(),
      sandboxBaseUrl: Type.String(),
      gateway: Type.Object({ production: Type.Optional(section), sandbox: Type.Optional(section) }),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsCreate)
    const { gateway } = await this.services.world()
    const { createMerchantWithKeys } = await import('../../../src/services/gateway/admin/platform.ts')
    const environment = environmentOf(this, flags)
    const password = letters(20, gateway.random)
    const { email } = flags
    const addresses = flags.allow.split(',').map((entry) => entry.trim())
    const input = { environment, name: args.name, email, password, isUnverified: flags.unverified }
    const made = await createMerchantWithKeys(gateway, input, addresses)
    const secrets = {
      apiKey: shownOnce(this, made.apiKey),
      payoutApiKey: shownOnce(this, made.payoutApiKey),
      ipnSecret: shownOnce(this, made.ipnSecret),
      password: shownOnce(this, password),
      totpSecret: shownOnce(this, made.totpSecret),
    }
    const section = { merchantId: made.id, ...secrets, email, whitelisted: {} }
    this.fields({
      merchant: made.id,
      environment,
      key: secrets.apiKey,
      'payout key': secrets.payoutApiKey,
      'ipn secret': secrets.ipnSecret,
      email,
      password: secrets.password,
      '2FA secret': secrets.totpSecret,
    })
    if (!this.isDryRun) this.note('Copy the secrets now: they are not shown again.')
    const baseUrl = gateway.config.publicUrl()
    return { baseUrl, sandboxBaseUrl: `${baseUrl}/sandbox`, gateway: { [environment]: section } }
  }
}
