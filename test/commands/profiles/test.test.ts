import { expect, test } from 'vitest'
import { ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { standIn } from '../../support/http/stand-in.ts'
import { run, runJson } from '../../support/program/cli.ts'
import { localHome, remoteHome, served } from '../../support/worlds/served.ts'

test('the profile in use and a named one are tested', async () => {
  const home = await remoteHome(await served())
  const inUse = await runJson(['profiles', 'test'], { home })
  expect([inUse.code, inUse.data['profile']]).toEqual([0, 'remote'])
  const ids = (inUse.data['checks'] as { id: string }[]).map(({ id }) => id)
  expect(ids).toEqual([
    'casino.address',
    'casino.reach',
    'casino.clock',
    'casino.time',
    'casino.signature',
    'casino.rate',
    'casino.account',
  ])
  const local = await localHome()
  const world = await local.open()
  await ensureDemoWorld(world)
  await world.close()
  const text = await run(['profiles', 'test', 'local'], { home: local })
  expect([text.code, text.stdout]).toEqual([0, expect.stringContaining('the key is valid, live')])
  expect(text.stderr).toBe('local: 12 passed.\n')
})

test('a live profile may be tested by name: nothing is changed', async () => {
  const home = await remoteHome(await served(), { environment: 'live' })
  const { COUNTROOM_PROFILE: _, ...env } = home.env
  const named = await runJson(['profiles', 'test', 'remote'], { home: { ...home, env } })
  expect([named.code, named.data['profile']]).toEqual([0, 'remote'])
})

test('the first failure determines the class', async () => {
  const home = await standIn({
    '/account': () => ({ status: 401, error: { code: 'UNAUTHORIZED', message: 'invalid credentials' } }),
  })
  const json = await runJson(['profiles', 'test'], { home })
  expect([json.code, json.error.code, json.data['profile']]).toEqual([4, 'UNAUTHORIZED', 'remote'])
  const text = await run(['profiles', 'test'], { home })
  expect([text.code, text.stdout]).toEqual([4, expect.stringContaining('Signature')])
})

test('an unknown profile is class 5, with the nearest one', async () => {
  const home = await remoteHome(await served())
  const { code, error } = await runJson(['profiles', 'test', 'remot'], { home })
  expect([code, error.details['nearest']]).toEqual([5, 'remote'])
})
