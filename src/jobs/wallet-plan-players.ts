import { casino } from '../casino/contract.ts'
import { foldUsername } from '../domain/player.ts'
import type { KnownPlayer } from '../domain/wallet-plan.ts'
import { isProblem } from '../kit/problem.ts'
import { createClient } from '../wire/client.ts'
import { type PatientOptions, patient } from '../wire/patient.ts'
import type { Transport } from '../wire/remote.ts'
import { atOnce } from './at-once.ts'

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
  const { patience, stop, onPlayer } = options
  const client = createClient(casino, patient(transport, patience))
  const asked = [...new Map(names.map((name) => [foldUsername(name), name])).values()]
  const found = new Map<string, KnownPlayer>()
  let done = 0
  await atOnce(asked, options.atOnce, async (username) => {
    stop.throwIfAborted()
    try {
      found.set(foldUsername(username), await client.player({ query: { username } }, { signal: stop }))
    } catch (error) {
      if (!isProblem(error, 'PLAYER_NOT_FOUND')) throw error
    }
    done += 1
    onPlayer(done)
  })
  return found
}
