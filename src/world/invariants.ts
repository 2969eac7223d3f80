import { unacknowledged } from '../outbox/queries.ts'
import { auditCasino } from '../services/casino/audit.ts'
import { auditLedger } from '../services/gateway/audit.ts'
import type { World } from './world.ts'

/** Result of one check of a whole world. */
export interface Invariant {
  readonly name: 'balances' | 'postings' | 'transfers' | 'deliveries'
  readonly status: 'pass' | 'fail'
  /** The subject of a passed check, or the faults. */
  readonly detail: string
}

/** Maximum number of faults in one detail. */
const maxListed = 5

/**
 * Checks the invariants of every world: each balance equals the sum of its movements, and each posting sums to zero. No
 * transfer ID was carried out twice, and each delivery is acknowledged or still due.
 */
export async function checkInvariants({ casino, gateway, store }: World): Promise<Invariant[]> {
  const { players, transfers, balances, repeated } = await auditCasino(casino)
  const { postings, faults } = await auditLedger(gateway)
  const { failed, count, lost } = await store.read(unacknowledged)
  const givenUp = failed.map(
    ({ id, event, url, last_error }) => `${event} ${id} to ${url} was given up: ${last_error ?? 'no reason'}`,
  )
  return [
    invariant('balances', balances, `${players} balances equal what moved them`),
    invariant('postings', faults, `${postings} postings sum to zero`),
    invariant('transfers', repeated, `${transfers} transfers, each done once`),
    invariant('deliveries', givenUp, `${count} deliveries are acknowledged or still due${lostText(lost)}`),
  ]
}

/** Counts callbacks that an injected fault lost. They fail no check, because the fault was set intentionally. */
const lostText = (count: number) => (count === 0 ? '' : `; of these an injected fault lost ${count}`)

function invariant(name: Invariant['name'], faults: readonly string[], checked: string): Invariant {
  if (faults.length === 0) return { name, status: 'pass', detail: checked }
  const more = faults.length > maxListed ? `; and ${faults.length - maxListed} more` : ''
  return { name, status: 'fail', detail: `${faults.slice(0, maxListed).join('; ')}${more}` }
}
