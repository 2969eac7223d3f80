import { onTestFinished } from 'vitest'
import { theTenant } from '../../../src/services/casino/admin/index.ts'
import { enableWebhook, eventsFrom, setWebhook } from '../../../src/services/casino/admin/webhook-settings.ts'
import type { Tenant } from '../../../src/services/casino/service.ts'
import { ensureDemo } from '../../../src/world/demo-data.ts'
import { openWorld, type World, type WorldOptions } from '../../../src/world/world.ts'
import { lookUpLocalhost } from '../http/known-names.ts'

/** 2026-03-02, a Monday, at noon UTC. */
export const monday = Date.UTC(2026, 2, 2, 12)

/** Opens a world with the demo data and a stopped clock. It is closed at the end of the test. */
export async function aWorld(options: Partial<WorldOptions> = {}): Promise<World> {
  const world = await openWorld({
    ...{ db: ':memory:', machineNow: () => monday, rateLimits: false, lookup: lookUpLocalhost },
    ...options,
  })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= world.close())
  onTestFinished(close)
  await ensureDemo(world.casino)
  return { ...world, close }
}

/** Sets and enables a tenant's webhook; returns its secret. */
export async function aWebhook(world: World, url: string, { code = 'DEMO', events = 'all' } = {}): Promise<string> {
  await setWebhook(world.casino, code, { url, events: eventsFrom(events) })
  const { hook } = await enableWebhook(world.casino, code)
  return hook.secret ?? ''
}

/** Returns a tenant as authentication reads it from its own requests. */
export async function asCaller(world: World, code = 'DEMO'): Promise<Tenant> {
  return { ...(await world.store.read((reader) => theTenant(reader, code))), keyId: 'test' }
}
