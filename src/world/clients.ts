import { Problem } from '../kit/problem.ts'
import type { Config } from './config.ts'
import type { NamedProfile } from './profiles.ts'

/** The typed clients of a profile's services, opened together and closed together. */
export interface Clients {
  close(): Promise<void>
}

/** Opens what the profile names: services at their addresses, or the ones in this process on its database. */
export async function openClients(named: NamedProfile, _config: Config): Promise<Clients> {
  throw new Problem('BAD_CONFIGURATION', `The profile "${named.name}" has no services to open`, { profile: named.name })
}
