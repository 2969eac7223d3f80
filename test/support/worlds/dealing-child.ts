/**
 * A process that deals rounds and moves money on a database until it is killed. Prints a line of JSON for each
 * acknowledgement: `{"slips": n}` with the number of new revisions, or `{"txnId": …}`.
 */
import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { isProblem } from '../../../src/kit/problem.ts'
import { theTenant } from '../../../src/services/casino/admin/index.ts'
import { play } from '../../../src/services/casino/simulator/index.ts'
import { deposit } from '../../../src/services/casino/wallet.ts'
import { demoCode, ensureDemo } from '../../../src/world/demo-data.ts'
import { openWorld } from '../../../src/world/world.ts'

const [db = ''] = process.argv.slice(2)
const print = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`)

const world = await openWorld({ db })
await ensureDemo(world.casino)
const tenant = { ...(await world.store.read((reader) => theTenant(reader, demoCode))), keyId: '' }

async function deal(): Promise<void> {
  const tables = ['BAC-01', 'DT-01', 'DT-02']
  const input = { tenant: demoCode, tables, rounds: 100_000, players: 4, days: 0, corrected: 2000, voided: 1000 }
  let before = 0
  for await (const { slips, corrected, voided } of play(world.casino, input)) {
    print({ slips: slips + corrected + voided - before })
    before = slips + corrected + voided
  }
}

async function pay(): Promise<void> {
  const txnId = `paid-${world.casino.id()}`
  await deposit(world.casino, tenant, { username: 'amy', txnId, amount: '0.0001', currency: 'USD' })
  print({ txnId })
  await setTimeout(2)
}

/** Retries the operation, also after a lock timeout. */
async function forever(work: () => Promise<void>): Promise<never> {
  for (;;)
    await work().catch((error) => {
      if (!isProblem(error, 'STORE_BUSY')) throw error
    })
}

await Promise.all([forever(deal), forever(pay), forever(pay)])
