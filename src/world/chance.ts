import { type Ambient, realAmbient, seededAmbient } from '../kit/ambient.ts'
import type { Store } from '../store/store.ts'
import { saveWorld, worldItself } from './clock.ts'

/**
 * Chance and ids: the machine's, or a stream that repeats. A seeded world counts its openings, whatever their seed, and
 * each goes on with a stream of its own: nothing that was made before is made again.
 */
export async function ambientOf(store: Store, seed: string | undefined, machineNow: () => number): Promise<Ambient> {
  const known = await store.read(worldItself)
  const chosen = seed ?? known.seed
  if (chosen === null) return realAmbient(machineNow)
  const { runs } = await store.write(async (tx) =>
    saveWorld(tx, { seed: chosen, runs: (await worldItself(tx)).runs + 1 }),
  )
  return seededAmbient(chosen, { now: machineNow, run: runs })
}
