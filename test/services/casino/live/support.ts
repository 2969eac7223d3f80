import { onTestFinished } from 'vitest'
import { theTenant } from '../../../../src/services/casino/account/tenants.ts'
import { thePlayer } from '../../../../src/services/casino/players/players.ts'
import type { Tenant } from '../../../../src/services/casino/service.ts'
import { demoCode, ensureDemo } from '../../../../src/world/demo-data.ts'
import { openWorld, type World, type WorldOptions } from '../../../../src/world/world.ts'

/** A demo world in memory with a manual machine clock. */
export interface LiveWorld extends World {
  readonly time: { at: number }
  /** Advances the clock and runs the jobs that are due. */
  wait(ms: number): Promise<void>
}

export const start = Date.UTC(2026, 2, 1, 12)

export async function liveWorld({
  time = { at: start },
  ...options
}: Partial<WorldOptions> & { time?: { at: number } } = {}) {
  const world = await openWorld({ db: ':memory:', seed: '7', machineNow: () => time.at, ...options })
  onTestFinished(() => world.close())
  await ensureDemo(world.casino)
  const wait = async (ms: number) => {
    await world.clock.advance((await world.clock.now()) + ms)
  }
  return Object.assign(world, { time, wait }) satisfies LiveWorld
}

export async function demoTenant(world: World, code = demoCode): Promise<Tenant> {
  return { ...(await world.store.read((reader) => theTenant(reader, code))), keyId: '' }
}

export function balanceOf(world: World, username: string, code = demoCode): Promise<string> {
  return world.store.read(async (reader) => (await thePlayer(reader, await theTenant(reader, code), username)).balance)
}
