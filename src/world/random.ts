import type { Store } from '../db/store.ts'
import type { ServerOptions } from '../http/server/server.ts'
import { type Ambient, realAmbient, seededAmbient } from '../kit/ambient.ts'
import { saveWorld, worldItself } from './clock.ts'

/**
 * Returns randomness and ids: the machine's, or a repeatable stream. A seeded world counts its openings, and each gets
 * its own stream, so that nothing is generated twice.
 */
export async function ambientOf(
  store: Store,
  seed: string | undefined,
  machineNow: () => number,
): Promise<Ambient & Pick<Required<ServerOptions>, 'requestId'>> {
  const known = await store.read(worldItself)
  const chosen = seed ?? known.seed
  if (chosen === null) {
    const ambient = realAmbient(machineNow)
    return { ...ambient, requestId: ambient.id }
  }
  const { runs } = await store.write(async (tx) =>
    saveWorld(tx, { seed: chosen, runs: (await worldItself(tx)).runs + 1 }),
  )
  // Requests have a stream of their own: their number changes no other id.
  const options = { now: machineNow, run: runs }
  return { ...seededAmbient(chosen, options), requestId: seededAmbient(`${chosen} requests`, options).id }
}
