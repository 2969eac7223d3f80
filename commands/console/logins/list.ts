import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { listFlags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import {
  loginColumns,
  loginFilter,
  loginFilterFlags,
  loginRows,
  loginSchema,
} from '../../../src/cli/topics/console/login-view.ts'

export default class ConsoleLoginsList extends CountroomCommand {
  static override summary = 'List failed logins and 2FA codes of the gateway, with delays and locks'
  static override description =
    'Wrong passwords (POST /auth) and wrong 2FA codes (payout verification) are counted per user and address, per user, per merchant and per address. The delay grows with each failure. Failures expire after 24 hours without another one. A lock stays until "console logins unlock".'
  static override examples = ['countroom console logins list', 'countroom console logins list --user desk@acme.example']
  static override flags = { ...loginFilterFlags, ...listFlags }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ logins: Type.Array(loginSchema(shapes)) })
  }

  override async run() {
    const { flags } = await this.parse(ConsoleLoginsList)
    const { gateway } = await this.services.world()
    const { listLoginFailures } = await import('../../../src/services/gateway/admin/logins.ts')
    const logins = await listLoginFailures(gateway, loginFilter(flags))
    this.table(loginRows(logins), loginColumns, 'No failed logins or codes.')
    return { logins }
  }
}
