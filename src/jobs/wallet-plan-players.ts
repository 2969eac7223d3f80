import { casino } from '../casino/contract.ts'
import { foldUsername } from '../domain/player.ts'
import type { KnownPlayer } from '../domain/wallet-plan.ts'
import { isProblem } from '../kit/problem.ts'
import { createClient } from '../wire/client.ts'
import { type PatientOptions, patient } from '../wire/patient.ts'
import type { Transport } from '../wire/remote.ts'

/**
 * What the platform says of each of these players, by the folded name; those it does not know are left out. Each is
 * asked for once, so many at a time.
 */
export async function playersNamed(
  transport: Transport,
  names: readonly string[],
  options: {
    readonly patience: Omit<PatientOptions, 'repeatable'>
    readonly atOnce: number
    readonly stop: AbortSignal
    readonly onPlayer: (done: number) => void
  },
): Promise<ReadonlyMap<string, KnownPlayer>> {
  const { patience, atOnce, stop, onPlayer } = options
  const client = createClient(casino, patient(transport, patience))
  const queue = [...new Map(names.map((name) => [foldUsername(name), name])).values()]
  const found = new Map<string, KnownPlayer>()
  let done = 0
  const ask = async () => {
    for (let username = queue.shift(); username !== undefined; username = queue.shift()) {
      stop.throwIfAborted()
      try {
        found.set(foldUsername(username), await client.player({ query: { username } }, { signal: stop }))
      } catch (error) {
        // Nothing more is asked once one question could not be answered.
        if (!isProblem(error, 'PLAYER_NOT_FOUND')) queue.length = 0
        if (!isProblem(error, 'PLAYER_NOT_FOUND')) throw error
      }
      done += 1
      onPlayer(done)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, queue.length) }, ask))
  return found
}
