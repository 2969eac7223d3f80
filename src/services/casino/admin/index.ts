/**
 * Actions of the platform's own staff: tenants, keys, allowlists, limits, tables, money. None of them is available over
 * the API.
 */

export { sandboxCode, theTenant } from '../account/tenants.ts'
export { readAllowlist, setAllowlist } from './addresses.ts'
export { createKey, listKeys, type NewKey, revokeKey, rotateKey } from './keys.ts'
export {
  createLimitProfile,
  type LimitChange,
  type LimitProfileInput,
  listLimitProfiles,
  setLimits,
} from './limits.ts'
export { adjust, topUp } from './money.ts'
export {
  approveShare,
  createTable,
  setSharing,
  setSideBets,
  setTableStatus,
  shareTable,
  type TableInput,
} from './tables.ts'
export {
  changeTenant,
  createTenant,
  listTenants,
  type NewTenant,
  setPlan,
  setTenantState,
  type TenantChange,
  type TenantInput,
} from './tenants.ts'
