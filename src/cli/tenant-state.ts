import type { Casino } from '../casino/casino.ts'
import { Args } from './flags.ts'

/** What the commands that put a tenant into a state have in common. */

export const tenantArg = { code: Args.string({ required: true, description: 'The company code' }) }

export const tenantStateSchema = async () => {
  const { Type } = await import('typebox')
  return Type.Object({ companyCode: Type.String(), state: Type.String(), disabled: Type.Boolean() })
}

/** Puts the tenant into the state, and says where it stands then. */
export async function tenantStateCommand(
  casino: Casino,
  code: string,
  state: 'SUSPENDED' | 'CLOSED' | 'ENABLED' | 'DISABLED',
) {
  const { setTenantState } = await import('../casino/console.ts')
  const tenant = await setTenantState(casino, code, state)
  return { companyCode: tenant.code, state: tenant.state, disabled: tenant.disabled === 1 }
}
