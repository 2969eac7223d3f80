/**
 * Another process that deals rounds and moves money without end on the database it is given, until it is killed. Says a
 * line of JSON whenever something has been acknowledged: `{"slips": n}` or `{"txnId": …}`.
 */
import { writeSync } from 'node:fs'
import { theTenant } from '../../src/casino/console.ts'
import { play } from '../../src/casino/simulator.ts'
import { deposit } from '../../src/casino/wallets.ts'
import { demoCode, ensureDemo } from '../../src/world/demo.ts'
import { openWorld } from '../../src/world/world.ts'

const [db = ''] = process.argv.slice(2)
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`)

const world = await openWorld({ db })
await ensureDemo(world.casino)
const tenant = { ...(await world.store.read((reader) => theTenant(reader, demoCode))), keyId: '' }

async function deal(): Promise<never> {
  const tables = ['BAC-01', 'DT-01', 'DT-02']
  for (;;) {
    const order = { tenant: demoCode, tables, rounds: 100_000, players: 4, days: 0, corrected: 2000, voided: 1000 }
    for await (const { slips, corrected, voided } of play(world.casino, order))
      say({ slips: slips + corrected + voided })
  }
}

async function pay(): Promise<never> {
  for (;;) {
    const txnId = `paid-${world.casino.id()}`
    await deposit(world.casino, tenant, { username: 'amy', txnId, amount: '0.0001', currency: 'USD' })
    say({ txnId })
  }
}

await Promise.all([deal(), pay(), pay()])
