import type { Clients } from '../../world/clients/casino.ts'
import { clockWarning } from '../framework/day.ts'
import type { CommandContext } from './context.ts'

/** Warns if the clock of a remote platform differs from this machine's, because days are those of the platform. */
export function warnOfClock(
  context: CommandContext,
  clients: Clients,
  words: readonly string[] = [],
  zone = clients.casinoAccess.timezone,
): void {
  const aheadMs = clients.aheadMs()
  if (aheadMs === undefined || aheadMs === 0 || context.profile.profile.kind === 'local') return
  const warning = clockWarning({ aheadMs, now: Date.now(), zone }, words)
  if (warning !== undefined) context.warn(warning)
}
