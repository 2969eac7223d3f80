import { Type } from 'typebox'
import type { GatewayEnvironment } from '../../../domain/chains/networks.ts'
import { validateInput } from '../../../http/server/validate.ts'
import { Problem } from '../../../kit/problem.ts'
import { sandboxCode } from '../../../services/casino/account/tenants.ts'
import { allTenants } from '../../../services/casino/queries/tenants.ts'
import { allChatTenants } from '../../../services/chat/queries/tenants.ts'
import { demoCredentials } from '../../../services/gateway/admin/demo-data.ts'
import { listMerchants } from '../../../services/gateway/admin/merchant.ts'
import { tenantProfile } from '../../config/tenant-profile.ts'
import { demoCode } from '../../demo-data.ts'
import { isStatusFilter, recordedServices } from '../../requests/filter.ts'
import { snapshotView } from '../../snapshots/view.ts'
import { maybeChoice, maybeText, text } from '../actions/fields.ts'
import { callbackViews } from './callbacks.ts'
import { casinoViews } from './casino.ts'
import { chatViews } from './chat.ts'
import { gatewayViews } from './gateway.ts'
import { overviewViews } from './overview.ts'
import { type DeskView, type ViewDependencies, view } from './view.ts'

const otherViews = {
  /** Tenants and merchants, for the selections of the pages. */
  parties: view(Type.Object({}), async ({ world: { store, gateway } }) => {
    const { tenants, chat } = await store.read(async (reader) => ({
      tenants: await allTenants(reader),
      chat: await allChatTenants(reader),
    }))
    const merchants = []
    for (const environment of ['production', 'sandbox'] as const) {
      const demo = await demoCredentials(gateway, environment)
      for (const { id, name } of await listMerchants(gateway, environment))
        merchants.push({ id, name, environment, profile: merchantProfile(id, environment, demo?.merchantId) })
    }
    return {
      // The profile "local" acts for the demo, so its commands come first.
      tenants: tenants
        .toSorted((a, b) => Number(isDemo(b)) - Number(isDemo(a)))
        .map(({ code, environment, plan, state }) => ({ code, environment, plan, state })),
      merchants: merchants.toSorted((a, b) => Number(a.profile === a.id) - Number(b.profile === b.id)),
      chat: chat.map(({ code, name, plan }) => ({ code, name, plan })),
    }
  }),
  faults: view(Type.Object({}), async ({ world }) => ({
    faults: await world.faults.list(),
    areAllowed: world.faults.areAllowed(),
  })),
  snapshots: view(Type.Object({}), async ({ world }) => {
    const { snapshots, unreadable } = await world.snapshots.list()
    return { snapshots: snapshots.map(snapshotView), unreadable, loaded: await world.snapshots.lastLoad() }
  }),
  requests: view(
    Type.Object({
      service: maybeChoice('Service', recordedServices),
      kind: maybeChoice('Kind', ['request', 'callback']),
      status: maybeText('Status', { maxLength: 10 }),
      path: maybeText('Path'),
    }),
    async ({ world }, { status, ...filter }) => {
      if (status !== undefined && !isStatusFilter(status))
        throw new Problem('INVALID_USAGE', `The status must be 401, 4xx or none; received ${status}`)
      const found = world.requests.list({ ...filter, status: status?.toLowerCase(), limit: 201 })
      return { requests: found.slice(0, 200), more: found.length > 200 }
    },
  ),
  request: view(Type.Object({ request: text('Request', { maxLength: 60 }) }), ({ world }, { request }) =>
    world.requests.show(request),
  ),
}

const isDemo = ({ code }: { readonly code: string }) => code === demoCode

/** Returns the profile of a merchant, named by its ID; the demo's are those of its tenant, and `local` needs no name. */
function merchantProfile(id: string, environment: GatewayEnvironment, demoId: string | undefined): string | null {
  if (id !== demoId) return id
  return environment === 'sandbox' ? tenantProfile(sandboxCode(demoCode)) : null
}

/** All views of the desk, by name. */
export const deskViews = {
  ...otherViews,
  ...overviewViews,
  ...casinoViews,
  ...gatewayViews,
  ...chatViews,
  ...callbackViews,
} as const satisfies Readonly<Record<string, DeskView>>

export type ViewName = keyof typeof deskViews
/** Data of a view, as JSON. */
export type ViewData<Name extends ViewName> = Awaited<ReturnType<(typeof deskViews)[Name]['read']>>
/** Query of a view. */
export type ViewQuery<Name extends ViewName> = Parameters<(typeof deskViews)[Name]['read']>[1]

/** Reads a view with a query that is checked here, or throws NOT_FOUND or INVALID_USAGE. */
export async function readView(
  dependencies: ViewDependencies,
  name: string,
  query: Record<string, unknown>,
): Promise<object> {
  const found: DeskView | undefined = Object.hasOwn(deskViews, name) ? deskViews[name as ViewName] : undefined
  if (!found) throw new Problem('NOT_FOUND', `There is no view ${JSON.stringify(name.slice(0, 60))}`)
  const { faults, value } = await validateInput(found.query, query)
  const [fault] = faults
  if (fault) throw new Problem('INVALID_USAGE', fault.message, { field: fault.field })
  // The schema above describes the query of this view.
  return found.read(dependencies, value as never)
}
