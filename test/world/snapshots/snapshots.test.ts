import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { credentialsOf, demoCode, ensureDemo, ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { entities, internalTables, isSecret } from '../../../src/world/snapshots/entities.ts'
import { openWorld } from '../../../src/world/world.ts'
import { clientOf, refuses } from '../../support/worlds/people.ts'
import { inFile, inMemory, machineClock, onPostgres, testWorld, worldEngines } from '../../support/worlds/world.ts'

async function demoOn(on: (typeof worldEngines)[number]) {
  const world = await testWorld({ on })
  await ensureDemoWorld(world)
  const keys = await credentialsOf(world.casino, demoCode)
  if (!keys) throw new Error('the demo has its keys')
  const client = clientOf(world, keys.live)
  return {
    ...{ world, client, keys },
    balance: async () => (await client.balance({ query: { username: 'amy' } })).balance,
    add: (txnId: string, amount = '25') =>
      client.deposit({ body: { username: 'amy', txnId, amount, currency: 'USD' } }),
  }
}

describe.each(worldEngines)('snapshots on $name', (on) => {
  test('loading one restores balances, transfers and the clock, and a diff shows the changes in between', async () => {
    const { world, balance, add } = await demoOn(on)
    const at = await world.clock.now()
    await add('before')
    expect(await world.snapshots.save('start')).toMatchObject({ name: 'start', worldTime: at, players: 8, slips: 0 })
    await refuses('CONFLICT', world.snapshots.save('start'))
    await refuses('INVALID_USAGE', world.snapshots.save('../start'))

    await add('after')
    await world.clock.set(at + 86_400_000)
    const { changes, balances } = await world.snapshots.diff('start')
    expect(balances).toEqual([
      { username: 'amy', environment: 'live', currency: 'USD', before: '10025', after: '10050', delta: '25' },
    ])
    expect(changes).toContainEqual({
      entity: 'player',
      id: `${demoCode}/amy`,
      change: 'changed',
      fields: { balance: { before: '10025', after: '10050' } },
    })
    expect(changes.filter(({ entity }) => entity === 'transfer')).toMatchObject([
      { change: 'added', fields: { txn_id: { before: null, after: 'after' } } },
    ])
    expect(changes).toHaveLength(2)

    expect(await world.snapshots.lastLoad()).toBeNull()
    await world.snapshots.load({ name: 'start' })
    expect(await world.snapshots.lastLoad()).toMatchObject({ name: 'start' })
    expect(await balance()).toBe('10025')
    expect(await world.clock.now()).toBe(at)
    expect((await add('after')).duplicate).toBeFalsy()
    expect((await add('before')).duplicate).toBe(true)
    expect((await world.snapshots.list()).snapshots.map(({ name }) => name)).toEqual(['start'])
    await world.snapshots.delete('start')
    await refuses('NOT_FOUND', world.snapshots.load({ name: 'start' }))
  })

  test('a snapshot loads twice, and later ids are new', async () => {
    const { world, client } = await demoOn(on)
    await world.snapshots.save('start')
    const launch = async () => (await client.launch({ body: { username: 'amy' } })).url
    const first = await launch()
    await world.snapshots.load({ name: 'start' })
    const second = await launch()
    await world.snapshots.load({ name: 'start' })
    const third = await launch()
    expect(second).not.toBe(first)
    // After the same snapshot a seeded world repeats the same values.
    expect(third).toBe(second)
  })
})

describe('a portable file', () => {
  test.each([
    [inMemory, onPostgres],
    [onPostgres, inFile],
  ])('is loaded into another kind of database', async (from, to) => {
    const one = await demoOn(from)
    await one.add('before')
    const file = `${(await testWorld({ on: inFile })).database.url}.snapshot`
    await one.world.snapshots.export(file)
    const other = await testWorld({ on: to })
    await other.snapshots.load({ file })
    const client = clientOf(other, one.keys.live)
    expect((await client.balance({ query: { username: 'amy' } })).balance).toBe('10025')
  })

  test('that is invalid is rejected and changes nothing', async () => {
    const { world, balance } = await demoOn(inFile)
    await refuses('INVALID_FILE', world.snapshots.load({ file: world.database.url }))
    expect(await balance()).toBe('10000')
  })
})

describe('another process that has the world open', () => {
  test.each([inFile, onPostgres])('follows a loaded snapshot, with its streams, on $name', async (on) => {
    const { world, add, balance } = await demoOn(on)
    await world.snapshots.save('start')
    const { url } = await world.server.listen()
    await add('after')
    // The command's own world: another one on the same database.
    const command =
      on === inFile
        ? undefined
        : await openWorld({ db: world.database.url, machineNow: () => Date.parse('2026-03-10T12:00:00Z') })
    if (command) onTestFinished(() => command.close())
    const closed = fetch(`${url}/api/agent/v1/events`).then((response) => response.status)
    await (command ?? world).snapshots.load({ name: 'start' })
    expect(await closed).toBeGreaterThan(399)
    const balances = await Promise.all(Array.from({ length: 20 }, balance))
    expect(new Set(balances)).toEqual(new Set(['10000']))
    expect(await world.servedAt()).toBe(url)
  })

  test('requests during the load are processed before or after it, and none fails', async () => {
    const { world, add, balance } = await demoOn(inFile)
    await world.snapshots.save('start')
    const adding = Array.from({ length: 60 }, async (_, i) => {
      for (let turn = 0; turn < i; turn++) await undefined
      return add(`t-${i}`, '1')
    })
    const load = world.snapshots.load({ name: 'start' })
    const added = await Promise.all(adding)
    await load
    expect(added).toHaveLength(60)
    const left = Number(await balance()) - 10_000
    const { transfers } = await world.store.read(async ({ q }) => ({
      transfers: await q.selectFrom('casino_transfers').select('txn_id').where('txn_id', 'like', 't-%').execute(),
    }))
    // The world's data is consistent: the balance matches the number of transfers.
    expect(transfers).toHaveLength(left)
  })
})

test.each([inFile, onPostgres])('a load that is killed leaves the old world or the new one, on $name', async (on) => {
  const world = await testWorld({ on, time: machineClock })
  await ensureDemo(world.casino)
  const keys = await credentialsOf(world.casino, demoCode)
  if (!keys) throw new Error('the demo has its keys')
  const client = clientOf(world, keys.live)
  const balance = async () => (await client.balance({ query: { username: 'amy' } })).balance
  const add = (txnId: string) => client.deposit({ body: { username: 'amy', txnId, amount: '25', currency: 'USD' } })
  const child = fileURLToPath(new URL('../../support/worlds/load-child.ts', import.meta.url))
  const load = (call: number) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    execFile(process.execPath, [child, world.database.url, 'start', String(call)], (error, out) =>
      resolve(error?.signal ?? out.trim()),
    )
    return promise
  }
  await world.snapshots.save('start')
  await add('after')
  const calls = Number(await load(0))
  expect(await balance()).toBe('10000')
  expect(await world.snapshots.recover()).toBeNull()
  await add('again')
  expect(await load(Math.floor(calls / 2))).toBe('SIGKILL')
  expect(await balance()).toBe('10025')

  // A file that the killed load wrote for a row that is not here, next to one with a row.
  const { mediaFolder } = world.chat.config
  const file = (name: string) => join(mediaFolder, name)
  mkdirSync(mediaFolder, { recursive: true })
  onTestFinished(() => rmSync(mediaFolder, { recursive: true, force: true }))
  const written = ['upl_KNOWN', 'upl_KNOWN.1', 'upl_UNKNOWN', 'upl_UNKNOWN.2', 'upl_UNKNOWN.part']
  for (const name of written) writeFileSync(file(name), 'bytes')
  await world.store.write(({ q, now }) =>
    q
      .insertInto('chat_media')
      .values({
        ...{ id: 'med_1', upload_id: 'upl_KNOWN', copy: 0, size_bytes: 5, width: null, height: null, seq: 1 },
        ...{
          tenant: 'DEMO',
          room_id: 'room_1',
          file_name: 'a.txt',
          content_type: 'text/plain',
          sha256: '',
          created_at: now,
        },
      })
      .execute(),
  )
  expect(await world.snapshots.recover()).toMatchObject({ source: 'start', isLoaded: false })
  expect(written.filter((name) => existsSync(file(name)))).toEqual(['upl_KNOWN', 'upl_KNOWN.1', 'upl_UNKNOWN.part'])
  expect(await world.snapshots.recover()).toBeNull()
  if (on === inFile) expect(readdirSync(`${world.database.url}-snapshots`)).toEqual(['start.snapshot'])

  expect(await load(calls)).toBe('SIGKILL')
  expect(await balance()).toBe('10000')
  expect(await world.snapshots.lastLoad()).toMatchObject({ name: 'start' })
  // The last calls are of the end of the load, after the new content is in place.
  expect(await world.snapshots.recover()).not.toMatchObject({ isLoaded: false })
  await world.snapshots.load({ name: 'start' })
  expect(await world.snapshots.list()).toMatchObject({ snapshots: [{ name: 'start' }], unreadable: [] })
})

test('a world without the key of its signing service says which file is missing, and saves nothing', async () => {
  const world = await testWorld({ on: onPostgres, time: machineClock })
  await ensureDemoWorld(world)
  // Another process without the key, as on another machine.
  const other = await openWorld({ db: world.database.url })
  onTestFinished(() => other.close())
  const problem = await refuses('BAD_CONFIGURATION', other.snapshots.save('start'))
  expect(problem.message).toMatch(/two-factor secret of the merchant \S+: .* nothing was saved/)
  expect(await world.snapshots.list()).toEqual({ snapshots: [], unreadable: [] })
})

describe('a diff', () => {
  test('includes every table of a world', async () => {
    const world = await testWorld()
    const { rows } = await world.store.read(({ q }) =>
      q
        .selectFrom('sqlite_schema' as never)
        .select(['name', 'type'] as never)
        .execute()
        .then((all) => ({ rows: all as { name: string; type: string }[] })),
    )
    const tables = rows.flatMap(({ name, type }) => (type === 'table' && !name.startsWith('sqlite_') ? [name] : []))
    expect([...Object.keys(entities), ...internalTables].sort()).toEqual(tables.sort())
  })

  test.each([
    ['casino_keys', 'secret'],
    ['casino_players', 'password_hash'],
    ['chat_keys', 'id'],
    ['chat_tenants', 'identity_secret_before'],
    ['gateway_environments', 'demo'],
    ['gateway_environments', 'token_secret'],
    ['gateway_keys', 'hash'],
    ['gateway_merchants', 'ipn_secret'],
    ['gateway_merchants', 'totp_sealed'],
    ['gateway_payments', 'page_token'],
    ['store_faults', 'seed'],
  ])('never has the value of %s.%s', (table, column) => {
    expect(isSecret(table, column)).toBe(true)
  })
})
