import type { Client } from '../../http/contract/contract.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import type { casino } from '../../services/casino/api/contract.ts'

/**
 * Looks up the currency of each player, one after another: all keys of the tenant share one rate limit. Players that the
 * platform does not know are skipped.
 */
export async function currenciesOf(
  platform: Pick<Client<typeof casino>, 'player'>,
  usernames: readonly string[],
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress?: (count: number) => void },
): Promise<Map<string, string>> {
  const currencies = new Map<string, string>()
  for (const username of usernames) {
    if (signal.aborted) throw new Problem('INTERRUPTED', 'Stopped before all currencies were read')
    const player = await platform.player({ query: { username } }).catch((error) => {
      if (isProblem(error, 'PLAYER_NOT_FOUND')) return undefined
      throw error
    })
    if (player) currencies.set(username, player.currency)
    onProgress?.(currencies.size)
  }
  return currencies
}
