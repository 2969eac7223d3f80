import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readBets } from '../../../../src/services/casino/bets/read.ts'
import { setLive } from '../../../../src/services/casino/live/switches.ts'
import { openWorld } from '../../../../src/world/world.ts'
import { auditBalances } from '../../../support/program/audit.ts'
import { aHome } from '../../../support/program/cli.ts'
import { demoTenant, start } from './support.ts'

/**
 * Deals live in another process until this number of bets was accepted. Returns the time of its clock when it was
 * killed: by itself right after it reported the last bet, or from outside at any moment after that.
 */
async function dealtUntilKilled(db: string, bets: number, by: 'itself' | 'others'): Promise<number> {
  const script = fileURLToPath(new URL('../../../support/worlds/live-child.ts', import.meta.url))
  const child = spawn(process.execPath, [script, db, String(start), ...(by === 'itself' ? [String(bets)] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exit
  })
  let text = ''
  const betCount = () => text.match(/^bet /gm)?.length ?? 0
  child.stdout.on('data', (chunk) => {
    text += chunk
    if (by === 'others' && betCount() >= bets) child.kill('SIGKILL')
  })
  await exit
  expect(betCount()).toBeGreaterThanOrEqual(bets)
  return Math.max(start, ...[...text.matchAll(/^at (\d+)\n/gm)].map(([, at]) => Number(at)))
}

test.each([
  ['a moment', 1_000, 'itself'],
  ['an hour', 3_600_000, 'itself'],
  ['a minute', 60_000, 'others'],
] as const)(
  'a server that is killed and restarted after %s loses nothing and pays nothing twice',
  async (_, awayMs, by) => {
    const db = aHome().write('world.db', '')
    const time = { at: (await dealtUntilKilled(db, 35, by)) + awayMs }
    const world = await openWorld({ db, machineNow: () => time.at })
    onTestFinished(() => world.close())
    const waiting = () =>
      world.store.read(({ q }) => q.selectFrom('casino_slips').select('id').where('status', '=', 'placed').execute())
    const left = (await waiting()).length
    // Killed from outside it may be between two rounds, with no bet waiting.
    if (by === 'itself') expect(left).toBeGreaterThan(0)
    await world.settle()
    await setLive(world.casino, false)
    for (let i = 0; i < 60; i++) {
      time.at += 5_000
      await world.settle()
    }
    expect(await waiting()).toEqual([])
    expect(await auditBalances(world.store)).toEqual([])
    const { items } = (await readBets(world.casino, await demoTenant(world), { limit: 1000 })).read()
    expect(items.length).toBeGreaterThan(left)
    expect(new Set(items.map((record) => `${record.slipId} ${record.rev}`)).size).toBe(items.length)
    expect(items.every((record) => record.rev === 1)).toBe(true)
  },
)
