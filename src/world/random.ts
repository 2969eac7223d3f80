import type { Store } from '../db/store.ts'
import type { Timeline } from '../db/timeline.ts'
import type { ServerOptions } from '../http/server/server.ts'
import { type Ambient, realAmbient, seededAmbient } from '../kit/ambient.ts'
import { saveWorld, worldItself } from './clock.ts'

/** Randomness of a world, and ids of its requests. */
export type WorldAmbient = Ambient & Pick<Required<ServerOptions>, 'requestId'>

/**
 * Returns randomness and ids: the machine's, or a repeatable stream. A seeded world counts its openings, and each gets
 * its own stream, so that nothing is generated twice. A loaded snapshot sets the seed and the count. The stream after a
 * load is another one, which does not repeat what the snapshot contains.
 */
export async function ambientOf(
  store: Store,
  seed: string | undefined,
  { machineNow, timeline }: { readonly machineNow: () => number; readonly timeline?: Timeline },
): Promise<WorldAmbient> {
  const known = await store.read(worldItself)
  const chosen = seed ?? known.seed
  let current: WorldAmbient
  let opening = 0
  if (chosen === null) {
    const real = realAmbient(machineNow)
    current = { ...real, requestId: real.id }
  } else {
    const saved = await store.write(async (tx) =>
      saveWorld(tx, { seed: chosen, runs: (await worldItself(tx)).runs + 1 }),
    )
    opening = saved.runs
    current = streamOf(chosen, { machineNow, run: opening })
  }
  timeline?.onChange(async () => {
    const loaded = await store.read(worldItself)
    // Several processes may load the same snapshot, so the stream also contains the number of this opening.
    if (loaded.seed !== null) current = streamOf(loaded.seed, { machineNow, run: loaded.runs, branch: `/${opening}` })
  })
  return {
    now: () => current.now(),
    random: (size) => current.random(size),
    id: () => current.id(),
    requestId: () => current.requestId(),
  }
}

interface StreamOptions {
  readonly machineNow: () => number
  readonly run: number
  readonly branch?: string
}

function streamOf(seed: string, { machineNow, ...options }: StreamOptions): WorldAmbient {
  // Requests have a separate stream, so that their number changes no other id.
  return {
    ...seededAmbient(seed, { now: machineNow, ...options }),
    requestId: seededAmbient(`${seed} requests`, { now: machineNow, ...options }).id,
  }
}
