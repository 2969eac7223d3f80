import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { aHome, aHomeFor, type Home, programs, run, runJson } from '../../support/program/cli.ts'
import { ended, type Served, served, workbench } from '../../support/program/processes.ts'
import { localHome } from '../../support/worlds/served.ts'

// Each test is several processes.

describe('next to a served world', () => {
  const { folder, env, done } = workbench('faults')
  const home: Home = aHomeFor(folder, env)
  let world: Served
  const call = (...args: string[]) => runJson(args, { home, env: { COUNTROOM_ATTEMPTS: '1' } })
  const box = ['--profile', 'box']
  const paymentsOf = async (order: string) => {
    const { data } = await call('payments', 'list', '--order', order, ...box)
    return data['payments']
  }

  beforeAll(async () => {
    world = await served(folder, { ...env, ...home.env })
    await run(['profiles', 'add', 'box', '--environment', 'sandbox', '--from', world.readyFile], { home })
  })
  afterEach(() => call('sim', 'faults', 'clear'))
  afterAll(async () => {
    await world.stop()
    done()
  })

  test('a fault is active when the command that sets it ends, applies as often as set, and is counted', async () => {
    const added = await call('sim', 'faults', 'add', 'status', '--status', '429', '--service', 'casino', '--times', '2')
    expect(added.data).toMatchObject({ takenUp: true, fault: { kind: 'status', state: 'set', often: '2 times' } })
    const { id } = added.data['fault'] as { id: number }
    for (let i = 0; i < 2; i++)
      expect(await call('players', 'show', 'amy', ...box)).toMatchObject({
        code: 7,
        error: { code: 'RATE_LIMITED', retryable: true },
      })
    expect((await call('players', 'show', 'amy', ...box)).code).toBe(0)
    expect((await call('sim', 'faults', 'list')).data['faults']).toMatchObject([{ id, met: 2, hits: 2, state: 'over' }])
    expect((await call('sim', 'faults', 'clear', String(id))).data).toEqual({ cleared: 1 })
    expect((await call('sim', 'faults', 'clear', String(id))).code).toBe(5)
  })

  test('a refusal with an error code of the gateway reaches the command unchanged', async () => {
    const added = await call('sim', 'faults', 'add', 'refuse', '--code', 'POOL_EXHAUSTED', '--times', '1')
    expect(added.data).toMatchObject({ takenUp: true, fault: { kind: 'refuse', code: 'POOL_EXHAUSTED', state: 'set' } })
    const words = ['payments', 'create', '20', 'usd', 'usdttrc20', '--order', 'o-0', '--key', 'k-0', ...box]
    expect(await call(...words)).toMatchObject({ code: 7, error: { code: 'POOL_EXHAUSTED' } })
    expect((await call('sim', 'faults', 'list')).data['faults']).toMatchObject([{ hits: 1, state: 'over' }])
    expect(await paymentsOf('o-0')).toEqual([])
    expect(await call(...words)).toMatchObject({ code: 0, data: { order_id: 'o-0' } })
  })

  test('a removed fault does not apply any more', async () => {
    await call('sim', 'faults', 'add', 'cut-before', '--endpoint', 'GET /player')
    expect((await call('players', 'show', 'amy', ...box)).error.code).toBe('REMOTE_LOST')
    expect((await call('sim', 'faults', 'clear')).data).toEqual({ cleared: 1 })
    expect((await call('players', 'show', 'amy', ...box)).code).toBe(0)
    expect((await call('sim', 'faults', 'clear')).data).toEqual({ cleared: 0 })
  })

  test('a lost response leaves the outcome of a payment unknown, and a repeat of the command finds it', async () => {
    await call('sim', 'faults', 'add', 'cut-after', '--endpoint', 'createPayment', '--times', '1')
    const words = ['payments', 'create', '20', 'usd', 'usdttrc20', '--order', 'o-1', '--key', 'k-1', ...box]
    expect(await call(...words)).toMatchObject({ code: 10, error: { code: 'MONEY_UNKNOWN' } })
    expect(await call(...words)).toMatchObject({ code: 0, data: { order_id: 'o-1' } })
    expect(await paymentsOf('o-1')).toHaveLength(1)
  })

  test('a payment with an unknown outcome is not sent again after the platform has deleted its keys', async () => {
    await call('sim', 'faults', 'add', 'cut-after', '--endpoint', 'createPayment', '--times', '1')
    const words = ['payments', 'create', '21', 'usd', 'usdttrc20', '--key', 'k-2', ...box]
    expect((await call(...words)).code).toBe(10)
    expect((await call('console', 'clock', 'advance', '25h')).code).toBe(0)
    const again = await call(...words)
    expect(again).toMatchObject({ code: 10, error: { code: 'MONEY_UNKNOWN' } })
    expect(again.error.message).toContain('keeps keys for 24 hours')
    const { data } = await call('payments', 'list', ...box)
    const amounts = (data['payments'] as { price_amount: number }[]).map((each) => each.price_amount)
    expect(amounts.filter((amount) => amount === 21)).toHaveLength(1)
  })

  test('console, sim and the reference have no faults', async () => {
    await call('sim', 'faults', 'add', 'hang')
    expect((await call('console', 'tenants', 'list')).code).toBe(0)
    expect((await call('console', 'clock', 'show')).code).toBe(0)
    expect((await fetch(`${world.baseUrl}/docs`)).status).toBe(200)
    expect(await call('players', 'show', 'amy', '--timeout', '200ms', ...box)).toMatchObject({
      code: 7,
      error: { code: 'REMOTE_TIMEOUT' },
    })
    expect((await call('sim', 'faults', 'clear')).code).toBe(0)
  })

  test('a dry run validates and sets nothing; an invalid kind is rejected with the nearest one', async () => {
    expect((await call('sim', 'faults', 'add', 'hang', '--dry-run')).code).toBe(0)
    const wrong = [
      ['hang', '--endpoint', 'depositt'],
      ['lose', '--service', 'chat'],
      ['late', '--for', 'soon'],
      ['hang', '--chance', '1.5'],
      ['refuse'],
      ['refuse', '--code', 'POOL_EXHAUSTD'],
      ['hang', '--until', 'tomorrow'],
    ]
    const ends = []
    for (const words of wrong) ends.push(await call('sim', 'faults', 'add', ...words))
    expect(ends.map(({ code }) => code)).toEqual(wrong.map(() => 2))
    expect(ends[0]?.error.message).toContain('did you mean deposit?')
    expect((await call('sim', 'faults', 'clear', 'all')).code).toBe(2)
    expect((await call('sim', 'faults', 'list')).data['faults']).toEqual([])
  })
})

test('on the local profile the services in process have faults too', async () => {
  const home = await localHome()
  const ask = (waits = {}) => runJson(['players', 'show', 'amy'], { home, env: { COUNTROOM_ATTEMPTS: '1', ...waits } })
  const add = async (kind: string) => {
    const { data } = await runJson(['sim', 'faults', 'add', kind, '--times', '1'], { home })
    return String((data['fault'] as { id: number }).id)
  }
  const isMet = async (id: string) => {
    const { data } = await runJson(['sim', 'faults', 'list'], { home })
    return (data['faults'] as { id: number; met: number }[]).some((fault) => String(fault.id) === id && fault.met > 0)
  }
  // A response, successful or not, has a long timeout.
  await add('cut-after')
  expect(await ask()).toMatchObject({ code: 7, error: { code: 'REMOTE_LOST' } })
  expect((await ask()).code).toBe(0)
  const hang = await add('hang')
  // On a busy machine a short timeout may pass before the request meets the fault.
  for (let ms = 700; !(await isMet(hang)); ms *= 2)
    expect(await ask({ COUNTROOM_TIMEOUT: `${ms}ms` })).toMatchObject({ code: 7, error: { code: 'REMOTE_TIMEOUT' } })
  expect((await ask()).code).toBe(0)
})

describe('a served world reports its faults on stderr', () => {
  /** Serves in a home of its own until its time is over; returns its output. */
  async function serving(home: Home, flags: readonly string[], meanwhile: () => Promise<void>): Promise<string> {
    const ready = `${home.folder}/ready.json`
    const args = [programs.countroom, 'serve', '--port', '0', '--no-demo', '--ready-file', ready, ...flags]
    const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], ...home.env } })
    onTestFinished(() => ended(child, 'SIGKILL'))
    let stderr = ''
    child.stderr.on('data', (text) => {
      stderr += text
    })
    // After the streams close, all output has been read.
    const closed = once(child, 'close')
    while (!existsSync(ready) && child.exitCode === null) await pause(1)
    try {
      await meanwhile()
    } finally {
      await ended(child, 'SIGTERM')
    }
    await closed
    return stderr
  }

  test('it reports when they are set and when none is left; faults are refused on a reachable address', async () => {
    const home = aHome()
    const call = (...args: string[]) => runJson(args, { home })
    const stderr = await serving(home, [], async () => {
      expect((await call('sim', 'faults', 'add', 'hang', '--times', '3')).code).toBe(0)
      await call('sim', 'faults', 'clear')
      expect((await call('sim', 'faults', 'add', 'lose')).data['takenUp']).toBe(true)
    })
    expect(stderr).toMatch(
      /Injected faults are active: 1 hang any \* 3 times\n[\s\S]*Injected faults are active: 2 lose callbacks/,
    )

    const open = await serving(home, ['--host', '0.0.0.0'], async () => {
      expect(await call('sim', 'faults', 'add', 'hang')).toMatchObject({ code: 6, error: { code: 'CONFLICT' } })
      expect((await call('sim', 'faults', 'list')).warnings).toMatchObject([expect.stringContaining('inactive')])
    })
    expect(open).toMatch(/inactive, because other machines can reach this world \(allow them with --allow-faults\)/)

    const allowedStderr = await serving(home, ['--host', '0.0.0.0', '--allow-faults'], async () => {
      expect((await call('sim', 'faults', 'add', 'hang')).data['takenUp']).toBe(true)
    })
    expect(allowedStderr).toContain('Injected faults are active: 2 lose')
  })
})
