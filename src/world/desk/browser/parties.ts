import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ViewData } from '../views/index.ts'
import type { Route } from './route.ts'

export const PartiesContext = createContext<ViewData<'parties'>>({ tenants: [], merchants: [], chat: [] })

/** Returns the tenant that the address names, or the first one. */
export function useTenant(route: Route) {
  const { tenants } = useContext(PartiesContext)
  const options = tenants.map(({ code }) => [code, code] as const)
  const found = tenants.find(({ code }) => code === route.query['tenant']) ?? tenants[0]
  return { code: found?.code ?? '', environment: found?.environment ?? 'live', options } as const
}

/** Returns the merchant of the gateway that the address names, or the first one. */
export function useMerchant(route: Route) {
  const { merchants } = useContext(PartiesContext)
  const options = merchants.map(({ id, name, environment }) => [id, `${name}, ${environment}`] as const)
  const found = merchants.find(({ id }) => id === route.query['merchant']) ?? merchants[0]
  const { id = '', environment = 'production', profile } = found ?? {}
  return { id, environment, profile: profile ?? undefined, options } as const
}

/** Returns the merchant of the chat that the address names, or the first one. */
export function useChatTenant(route: Route) {
  const { chat } = useContext(PartiesContext)
  const options = chat.map(({ code, name }) => [code, name] as const)
  const found = chat.find(({ code }) => code === route.query['tenant']) ?? chat[0]
  return { code: found?.code ?? '', options } as const
}
