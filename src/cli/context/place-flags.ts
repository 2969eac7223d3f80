import { withoutPassword } from '../../db/engines/database-name.ts'
import type { Config } from '../../world/config/config.ts'

/** Profile and book flags of this run, for the next command: it must reach the same platform and book. */
export function placeFlags({ settings, sources }: Config): { profile: string | undefined; book: string | undefined } {
  const isNamed = (name: 'profile' | 'book') => sources[name].from === 'flag' || sources[name].from === 'environment'
  return {
    profile: isNamed('profile') ? settings.profile : undefined,
    book: isNamed('book') && settings.book !== undefined ? withoutPassword(settings.book) : undefined,
  }
}
