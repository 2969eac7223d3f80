import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aHomeFor, type Home, programs, run, runJson } from '../../support/program/cli.ts'
import { type Served, served, workbench } from '../../support/program/processes.ts'

// Each test is several processes.

describe('next to a served world', () => {
  const { folder, env, done } = workbench('snapshot')
  const home: Home = aHomeFor(folder, env)
  let world: Served
  const call = (...args: string[]) => runJson(args, { home })
  const box = ['--profile', 'box']
  const balance = async () => {
    const { data } = await call('wallet', 'balance', 'amy', ...box)
    return (data as { balance: string }).balance
  }
  const deposit = (txn: string) => call('wallet', 'deposit', 'amy', '25', 'USD', '--txn', txn, ...box)

  beforeAll(async () => {
    world = await served(folder, { ...env, ...home.env })
    await run(['profiles', 'add', 'box', '--environment', 'sandbox', '--from', world.readyFile], { home })
  })
  afterAll(async () => {
    await world.stop()
    done()
  })

  test('a snapshot is saved, compared, shared as a file, loaded and deleted without a restart', async () => {
    const file = join(folder, 'shared.snapshot')
    const saved = await call('sim', 'snapshot', 'save', 'start', '--out', file)
    expect(saved).toMatchObject({ code: 0, data: { snapshot: { name: 'start', players: 8 }, file } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await call('sim', 'snapshot', 'save', 'start')).toMatchObject({ code: 6, error: { code: 'CONFLICT' } })

    await deposit('t-1')
    const diff = await call('sim', 'snapshot', 'diff', 'start')
    expect(diff.data).toMatchObject({
      from: 'start',
      to: 'now',
      balances: [{ username: 'amy', environment: 'sandbox', currency: 'USD', delta: '25' }],
    })
    const transfers = await call('sim', 'snapshot', 'diff', 'start', '--entity', 'transfer')
    expect(transfers.data['changes']).toMatchObject([{ entity: 'transfer', change: 'added' }])
    expect(await call('sim', 'snapshot', 'diff', 'start', '--entity', 'transfr')).toMatchObject({ code: 2 })

    expect(await call('sim', 'snapshot', 'load', 'start', '--dry-run')).toMatchObject({ code: 0 })
    expect(await balance()).toBe('10025')
    expect(await call('sim', 'snapshot', 'load', 'start')).toMatchObject({ code: 0, data: { loaded: 'start' } })
    expect(await balance()).toBe('10000')
    // The operator's book is not part of the world: it prevents a second request for a transfer that it has as done.
    expect(await deposit('t-1')).toMatchObject({ code: 9, error: { code: 'DIFFERENCES' } })
    expect((await deposit('t-2')).data).toMatchObject({ balance: '10025' })

    expect(await call('sim', 'snapshot', 'load', file)).toMatchObject({ code: 0, data: { loaded: file } })
    expect(await balance()).toBe('10000')
    expect((await call('sim', 'snapshot', 'list')).data['snapshots']).toMatchObject([{ name: 'start' }])
    expect(await call('sim', 'snapshot', 'delete', 'start')).toMatchObject({ code: 0 })
    expect(await call('sim', 'snapshot', 'load', 'start')).toMatchObject({ code: 5 })
    expect((await call('sim', 'snapshot', 'list')).data['snapshots']).toEqual([])
  })

  test('a diff nets what a payment has brought its merchant, in the coin', async () => {
    await call('sim', 'snapshot', 'save', 'unpaid')
    const { data } = await call('payments', 'create', '25', 'usd', 'usdttrc20', ...box)
    await call('sim', 'chain', 'deposit', String(data['payment_id']), '--confirm')
    const diff = await call('sim', 'snapshot', 'diff', 'unpaid')
    const [change, ...others] = diff.data['balances'] as { before: string; after: string; delta: string }[]
    expect(others).toEqual([])
    expect(change).toMatchObject({ environment: 'sandbox', currency: 'usdttrc20' })
    expect(Number(change?.delta)).toBeGreaterThan(20)
    expect(Number(change?.after) - Number(change?.before)).toBeCloseTo(Number(change?.delta))
    expect(await call('sim', 'snapshot', 'delete', 'unpaid')).toMatchObject({ code: 0 })
  })

  test('a killed load leaves the old world or the new one, and the next load works', async () => {
    await call('sim', 'snapshot', 'save', 'kill')
    await deposit('t-kill')
    const states = new Set<string>()
    for (const delayMs of [250, 500, 750, 1000, 1250]) {
      const child = spawn(process.execPath, [programs.countroom, 'sim', 'snapshot', 'load', 'kill'], {
        env: { PATH: process.env['PATH'], ...home.env },
        stdio: 'ignore',
      })
      await killedAfter(child, delayMs)
      states.add(await balance())
    }
    for (const state of states) expect(['10000', '10025']).toContain(state)
    expect(await call('sim', 'snapshot', 'load', 'kill')).toMatchObject({ code: 0 })
    expect(await balance()).toBe('10000')
    expect(existsSync(world.readyFile)).toBe(true)
  })
})

async function killedAfter(child: ChildProcess, delayMs: number): Promise<void> {
  const exit = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), delayMs)
  await exit
  clearTimeout(timer)
}
