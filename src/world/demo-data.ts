import { createTenant, sandboxCode, setLimits, topUp } from '../services/casino/admin/index.ts'
import { tablesOf } from '../services/casino/queries/tables.ts'
import { allTenants, keysOf, tenantOf } from '../services/casino/queries/tenants.ts'
import { webhookOf } from '../services/casino/queries/webhooks.ts'
import type { Casino, Tenant } from '../services/casino/service.ts'
import { enableTable } from '../services/casino/tables/tables.ts'
import { deposit } from '../services/casino/wallet.ts'
import { ensureChatDemo } from '../services/chat/server/demo-data.ts'
import { ensureGatewayDemo } from '../services/gateway/admin/demo-data.ts'
import type { World } from './world.ts'

/**
 * Demo data of an empty database. The casino has an operator with its sandbox, four players in each, and every table
 * enabled. The gateway has a merchant with funds in both environments. The chat has two merchants, on Pro and on the
 * free plan.
 */

export const demoCode = 'DEMO'
export const demoPlayers = ['amy', 'bob', 'cho', 'dee'] as const
const openingBalance = '10000'
const openingCreditUsd = '10000'

/** Fills each empty service. Returns true when any was filled. */
export async function ensureDemoWorld(world: World): Promise<boolean> {
  const filled = [
    await ensureDemo(world.casino),
    await ensureGatewayDemo(world.gateway),
    await ensureChatDemo(world.chat),
  ]
  return filled.includes(true)
}

/** Fills a casino without tenants. Returns true when it was filled. */
export async function ensureDemo(app: Casino): Promise<boolean> {
  const isEmpty = await app.store.read(async (reader) => (await allTenants(reader)).length === 0)
  if (!isEmpty) return false
  await createTenant(app, {
    code: demoCode,
    plan: 'paid',
    timezone: 'Asia/Taipei',
    currency: 'USD',
    currencies: ['TWD', 'EUR', 'JPY'],
    languages: ['ENG'],
  })
  await topUp(app, demoCode, openingCreditUsd, 'demo-opening-credit')
  // Two tables, USD 1,000 a day and a pause after 14 days would block most of the demo; the platform may relax a
  // sandbox's limits.
  await setLimits(app, sandboxCode(demoCode), {
    tables_quota: 100,
    viewers_limit: 50,
    view_minutes: 0,
    day_bets_limited: 0,
    idle_days: 0,
  })
  for (const code of [demoCode, sandboxCode(demoCode)]) await seedTenant(app, code)
  return true
}

async function seedTenant(app: Casino, code: string): Promise<void> {
  const { tenant, tables } = await app.store.read(async (reader) => {
    const row = await tenantOf(reader, code)
    return { tenant: row, tables: row ? await tablesOf(reader, row.environment) : [] }
  })
  if (!tenant) return
  const caller: Tenant = { ...tenant, keyId: '' }
  for (const table of tables) await enableTable(app, caller, table.table_id)
  for (const username of demoPlayers) {
    const input = { username, txnId: `demo-${username}`, amount: openingBalance, currency: tenant.currency }
    await deposit(app, caller, input)
  }
}

/** Returns a tenant's first active key of each environment, in the form of the ready file. */
export function credentialsOf(app: Casino, code: string) {
  return app.store.read(async (reader) => {
    const tenant = await tenantOf(reader, code)
    if (!tenant) return undefined
    const firstKey = async (of: string) => {
      const key = (await keysOf(reader, of)).find((each) => each.revoked_at === null && each.retires_at === null)
      const hook = await webhookOf(reader, of)
      const webhookSecret = hook?.secret ? { webhookSecret: hook.secret } : {}
      return { apiKey: key?.key_id ?? '', secret: key?.secret ?? '', ...webhookSecret }
    }
    return {
      companyCode: tenant.code,
      timezone: tenant.timezone,
      live: await firstKey(tenant.code),
      sandbox: await firstKey(sandboxCode(tenant.code)),
    }
  })
}
