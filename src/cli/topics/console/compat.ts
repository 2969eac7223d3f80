import { setMerchant } from '../../../services/gateway/admin/platform.ts'
import type { CommandContext } from '../../context/context.ts'
import { merchantsOf } from './merchant.ts'

interface CompatFlags {
  readonly merchant?: string | undefined
  readonly environment?: string | undefined
  readonly header?: string | undefined
}

/** Turns the compatibility option of merchants on or off: in both environments unless one is named. */
export async function switchCompat(context: CommandContext, compat: boolean, flags: CompatFlags) {
  const { gateway } = await context.services.world()
  const merchants = []
  for (const id of await merchantsOf(context, flags)) {
    const header = flags.header === undefined ? {} : { compatHeader: flags.header.toLowerCase() }
    const row = await setMerchant(gateway, id, { compat, ...header })
    merchants.push({
      id: row.id,
      environment: row.environment,
      compat: row.compat === 1,
      compatHeader: row.compat_header,
    })
  }
  context.table(merchants, ['id', 'environment', 'compat', { key: 'compatHeader', title: 'header' }])
  return { merchants }
}
