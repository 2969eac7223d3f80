import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { compatFlags, compatSchema } from '../../../../src/cli/topics/console/compat-fields.ts'

export default class ConsoleMerchantsCompatOn extends CountroomCommand {
  static override summary = 'Enable the compatibility mode: second signature header, API key optional'
  static override description =
    'For plugins of compatible gateways. IPNs get a second header with the signature: x-compat-sig, or the name in --header. Requests with a token need no x-api-key, except to pay out.'
  static override examples = ['countroom console merchants compat on']
  static override flags = compatFlags
  static override writes = true
  static override exits = ['not-found'] as const
  static override data = compatSchema

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsCompatOn)
    const { switchCompat } = await import('../../../../src/cli/topics/console/compat.ts')
    return switchCompat(this, true, flags)
  }
}
