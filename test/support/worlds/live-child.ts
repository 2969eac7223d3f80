/**
 * A process that deals live tables on a database, with its own clock that is independent of the machine's speed.
 * Players bet at all tables. It runs until it is killed, or kills itself right after it printed a given number of bets.
 * Prints a line for every accepted bet, and one for each time before using it.
 */
import { writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { isProblem } from '../../../src/kit/problem.ts'
import { theTenant } from '../../../src/services/casino/account/tenants.ts'
import { placeBets, takeSeat } from '../../../src/services/casino/live/play.ts'
import { setLive } from '../../../src/services/casino/live/switches.ts'
import { thePlayer } from '../../../src/services/casino/players/players.ts'
import { liveTables } from '../../../src/services/casino/queries/live.ts'
import { demoCode, ensureDemo } from '../../../src/world/demo-data.ts'
import { openWorld } from '../../../src/world/world.ts'

/** Time of the world between two checks of its tables. */
const stepMs = 1_000

const [db = '', startedAt = '', last] = process.argv.slice(2)
let at = Number(startedAt)
const world = await openWorld({ db, machineNow: () => at })
await ensureDemo(world.casino)
await setLive(world.casino, true)

const bets: Readonly<Record<string, readonly [variant: string, bets: Readonly<Record<string, string>>]>> = {
  'BAC-01': ['classic', { B: '10', T: '1' }],
  'DT-01': ['standard', { D: '10', TE: '5' }],
  'NN-02': ['standard', { P1D: '7', P2E: '3' }],
  'HE-01': ['casino', { ANTE: '10', AAB: '5' }],
}

/** Rounds with a bet: one slip per round. */
const isIn = new Set<string>()
let reportCount = 0

async function betEverywhere(username: string): Promise<void> {
  const { who, rows } = await world.store.read(async (reader) => {
    const tenant = await theTenant(reader, demoCode)
    const rows = (await liveTables(reader)).filter((row) => row.environment === 'live' && row.phase === 'betting')
    return { who: { tenant, player: await thePlayer(reader, tenant, username) }, rows }
  })
  for (const { table_id: tableId, round_id } of rows) {
    const roundId = round_id ?? ''
    const [variant, zones] = bets[tableId] ?? []
    if (isIn.has(`${username}/${roundId}`)) continue
    try {
      if (variant && zones) await placeBets(world.casino, who, tableId, { roundId, variant, bets: zones })
      else if (tableId === 'HE-03') await takeSeat(world.casino, who, tableId, { roundId, buyIn: '100' })
      else continue
      isIn.add(`${username}/${roundId}`)
      writeSync(1, `bet ${tableId}\n`)
      if (++reportCount === Number(last)) process.kill(process.pid, 'SIGKILL')
    } catch (error) {
      // The betting closed in between, so the bet was late.
      if (!isProblem(error)) throw error
    }
  }
}

for (;;) {
  await world.settle()
  for (const username of ['amy', 'bob']) await betEverywhere(username)
  writeSync(1, `at ${at + stepMs}\n`)
  at += stepMs
  // Lets signals and timers run.
  await setImmediate()
}
