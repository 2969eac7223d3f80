import { CountroomCommand } from '../../framework/command.ts'
import { dryRunFlag, Flags } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import { merchantFlags, merchantsOf } from './merchant.ts'

export const compatFlags = {
  ...dryRunFlag,
  header: Flags.string({
    summary: 'Name of the second signature header, for plugins that expect a certain name',
    helpValue: 'NAME',
  }),
  ...merchantFlags,
}

/** Base class of `compat on` and `compat off`: both environments unless one is named. */
export abstract class CompatCommand extends CountroomCommand {
  static override writes = true
  static override exits = ['not-found'] as const
  static override data = ({ Type }: Shapes) => {
    const row = Type.Object({
      id: Type.String(),
      environment: Type.String(),
      compat: Type.Boolean(),
      compatHeader: Type.String(),
    })
    return Type.Object({ merchants: Type.Array(row) })
  }

  protected async switchTo(
    compat: boolean,
    flags: { merchant?: string | undefined; environment?: string | undefined; header?: string | undefined },
  ) {
    const { gateway } = await this.services.world()
    const { setMerchant } = await import('../../../services/gateway/admin/platform.ts')
    const merchants = []
    for (const id of await merchantsOf(this, flags)) {
      const header = flags.header === undefined ? {} : { compatHeader: flags.header.toLowerCase() }
      const row = await setMerchant(gateway, id, { compat, ...header })
      merchants.push({
        id: row.id,
        environment: row.environment,
        compat: row.compat === 1,
        compatHeader: row.compat_header,
      })
    }
    this.table(merchants, ['id', 'environment', 'compat', { key: 'compatHeader', title: 'header' }])
    return { merchants }
  }
}
