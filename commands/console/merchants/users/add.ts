import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../../src/cli/topics/console/merchant.ts'
import { shownOnce } from '../../../../src/cli/topics/console/shown-once.ts'
import { letters } from '../../../../src/kit/ids.ts'
import { Problem } from '../../../../src/kit/problem.ts'
import { permissions } from '../../../../src/services/gateway/api/scopes.ts'

export default class ConsoleMerchantsUsersAdd extends CountroomCommand {
  static override summary = 'Add a console user with permissions for payouts and custody'
  static override description = 'A password is generated and shown only once.'
  static override examples = [
    'countroom console merchants users add desk@acme.example --permissions custody',
    'countroom console merchants users add cfo@acme.example',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { email: Args.string({ required: true, description: 'Email address for the login' }) }
  static override flags = {
    ...dryRunFlag,
    permissions: Flags.string({
      summary: `Permissions of the user's tokens: ${permissions.join(', ')}`,
      default: permissions.join(','),
      helpValue: 'A,B',
    }),
    ...merchantFlags,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      merchantId: Type.String(),
      email: Type.String(),
      password: Type.String(),
      permissions: Type.Array(Type.String()),
    })

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsUsersAdd)
    const requestedPermissions = flags.permissions.split(',').map((name) => name.trim())
    const unknown = requestedPermissions.find((name) => !permissions.some((known) => known === name))
    if (unknown !== undefined)
      throw new Problem(
        'INVALID_USAGE',
        `Unknown permission "${unknown}"; valid permissions: ${permissions.join(', ')}`,
      )
    const { gateway } = await this.services.world()
    const { addMerchantUser } = await import('../../../../src/services/gateway/admin/merchant-users.ts')
    const merchantId = await merchantOf(this, flags)
    const made = letters(20, gateway.random)
    const own = permissions.filter((permission) => requestedPermissions.includes(permission))
    const user = await addMerchantUser(gateway, merchantId, { email: args.email, password: made, permissions: own })
    const password = shownOnce(this, made)
    this.fields({ merchant: merchantId, email: user.email, password, permissions: user.permissions.join(', ') })
    if (!this.isDryRun) this.note('Copy the password now: it is not shown again.')
    return { merchantId, email: user.email, password, permissions: [...user.permissions] }
  }
}
