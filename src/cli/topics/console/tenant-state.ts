import { setTenantState } from '../../../services/casino/admin/index.ts'
import type { CommandContext } from '../../context/context.ts'
import { rememberNames } from '../../framework/completion.ts'

/** Sets the state of a tenant and shows it. */
export async function changeTenantState(
  context: CommandContext,
  code: string,
  state: Parameters<typeof setTenantState>[2],
) {
  const { casino } = await context.services.world()
  const tenant = await setTenantState(casino, code, state)
  rememberNames(context.settings.paths, 'tenants', [tenant.code])
  const result = { companyCode: tenant.code, state: tenant.state, disabled: tenant.disabled === 1 }
  context.fields(result)
  return result
}
