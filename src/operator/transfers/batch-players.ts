import { foldUsername } from '../../domain/players/player.ts'
import type { KnownPlayer } from '../../domain/wallet/batch.ts'
import { createClient } from '../../http/client/client.ts'
import { type RetryOptions, retrying } from '../../http/client/retry.ts'
import type { Transport } from '../../http/contract/wire-types.ts'
import { mapConcurrent } from '../../kit/map-concurrent.ts'
import { isProblem } from '../../kit/problem.ts'
import { casino } from '../../services/casino/api/contract.ts'

/**
 * Looks up these players by folded name; unknown ones are omitted. Each is
 * requested once, several in parallel.
 */
export async function playersNamed(
  transport: Transport,
  names: readonly string[],
  options: {
    readonly retryOptions: Omit<RetryOptions, 'repeatable'>
    readonly concurrency: number
    readonly stop: AbortSignal
    readonly onPlayer: (done: number) => void
  },
): Promise<ReadonlyMap<string, KnownPlayer>> {
  const { retryOptions: retry, stop, onPlayer } = options
  const client = createClient(casino, retrying(transport, retry))
  const unique = [...new Map(names.map((name) => [foldUsername(name), name])).values()]
  const playersByName = new Map<string, KnownPlayer>()
  let done = 0
  await mapConcurrent(unique, options.concurrency, async (username) => {
    stop.throwIfAborted()
    try {
      playersByName.set(foldUsername(username), await client.player({ query: { username } }, { signal: stop }))
    } catch (error) {
      if (!isProblem(error, 'PLAYER_NOT_FOUND')) throw error
    }
    done += 1
    onPlayer(done)
  })
  return playersByName
}
