/** What the platform's own staff does: tenants, keys, allowlists, limits, tables, money. Nothing of it can be asked over the API. */

export { readAllowlist, setAllowlist } from './console/addresses.ts'
export { createKey, listKeys, type NewKey, revokeKey, rotateKey } from './console/keys.ts'
export {
  createLimitProfile,
  type LimitChange,
  type LimitProfileOrder,
  listLimitProfiles,
  setLimits,
} from './console/limits.ts'
export { adjust, topUp } from './console/money.ts'
export {
  approveShare,
  createTable,
  setSharing,
  setSideBets,
  setTableStatus,
  shareTable,
  type TableOrder,
} from './console/tables.ts'
export {
  changeTenant,
  createTenant,
  listTenants,
  type NewTenant,
  setPlan,
  setTenantState,
  type TenantChange,
  type TenantOrder,
} from './console/tenants.ts'
export { sandboxCode, theTenant } from './tenants.ts'
