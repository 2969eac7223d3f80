import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class ConsoleAllowlistSet extends CountroomCommand {
  static override summary = 'Replace the IP allowlist of a tenant'
  static override description =
    'Takes up to 100 IPv4 or IPv6 addresses or CIDR ranges. Without addresses, the tenant may call from any address.'
  static override examples = [
    'countroom console allowlist set DEMO 203.0.113.7 2001:db8::/32',
    { command: 'countroom console allowlist set DEMO', description: 'Allow any address' },
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = {
    code: Args.string({ required: true, description: 'Company code' }),
    addresses: Args.string({ multiple: true, description: 'IP addresses or CIDR ranges' }),
  }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ companyCode: Type.String(), allowlist: Type.Array(Type.String()) })

  override async run() {
    const { args } = await this.parse(ConsoleAllowlistSet)
    const { casino } = await this.services.world()
    const { setAllowlist } = await import('../../../src/services/casino/admin/index.ts')
    const result = await setAllowlist(casino, args.code, args.addresses ?? [])
    this.fields({ tenant: result.companyCode, allowlist: result.allowlist.join(', ') || 'any address' })
    return result
  }
}
