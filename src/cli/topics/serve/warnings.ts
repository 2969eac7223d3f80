import { isLoopback } from '../../../http/server/public-url.ts'
import { worldItself } from '../../../world/clock.ts'
import type { World } from '../../../world/world.ts'
import type { CommandContext } from '../../context/context.ts'
import type { ServeOptions } from './options.ts'

/** Warns about options that are safe on loopback only, and about a public URL other than that of the last run. */
export async function warnOfOptions(
  context: CommandContext,
  world: World,
  { host, publicUrl, loopbackCallbacks, rateLimits }: ServeOptions,
): Promise<void> {
  const isOpen = !isLoopback(host)
  const isPublic = publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)
  const { seed, served_url, public_url } = await world.store.read(worldItself)
  if (seed !== null && (isOpen || isPublic))
    context.warn(
      `Keys and secrets of a world with a seed can be computed by anyone, and ${isOpen ? `--host ${host}` : `--public-url ${publicUrl}`} makes it reachable for others. Use it for tests only; for unpredictable keys, start a new database without --seed`,
    )
  if (isPublic && loopbackCallbacks)
    context.warn(
      'Callbacks to this machine are allowed because --host is a loopback address. If merchants you do not know use this world, add --public-callbacks-only',
    )
  // Left by a process that still serves this database, or by one that was killed.
  if (served_url !== null && public_url !== (publicUrl ?? null))
    context.warn(
      `This database was last served with ${public_url === null ? 'no public URL' : `the public URL ${public_url}`} and was not closed. Every process that serves it needs the same --public-url`,
    )
  if (!rateLimits) context.warn('Rate limits are disabled. Use this for development and benchmarks only.')
}
