import { casino } from '../casino/contract.ts'
import type { Environment } from '../domain/account.ts'
import { createClient } from '../wire/client.ts'
import type { Client } from '../wire/contract.ts'
import { type PatientOptions, patient } from '../wire/patient.ts'
import type { Transport } from '../wire/remote.ts'
import { withinShare } from './within-share.ts'

export interface SharedCasinoOptions extends Omit<PatientOptions, 'repeatable'> {
  readonly environment: Environment
  /** Percent of the tenant's request rate. */
  readonly rateShare: number
}

/**
 * A client for jobs that ask much: it takes a share of the tenant's request rate, as the plan has it, and leaves the rest to
 * the site.
 */
export async function sharedCasino(transport: Transport, options: SharedCasinoOptions): Promise<Client<typeof casino>> {
  const { environment, rateShare } = options
  const paced = await withinShare(transport, { environment, rateShare, rate: undefined }, options)
  return createClient(casino, patient(paced, options))
}
