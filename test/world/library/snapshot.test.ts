import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { type StartOptions, startWorld } from '../../../src/index.ts'
import { aHome } from '../../support/program/cli.ts'
import { refuses } from '../../support/worlds/people.ts'
import { onPostgres } from '../../support/worlds/world.ts'

async function started(options: StartOptions = {}) {
  const world = await startWorld({ clock: '2026-03-01T00:00:00Z', ...options })
  onTestFinished(() => world.close())
  return world
}

type Started = Awaited<ReturnType<typeof started>>

const deposit = (world: Started, txnId: string) =>
  world.casino.live.deposit({ body: { username: 'zoe', txnId, amount: '5', currency: 'USD' } })
const balanceOf = async (world: Started) => (await world.casino.live.balance({ query: { username: 'zoe' } })).balance

test('a world goes back to its snapshot, with its clock, and another one starts with it', async () => {
  const world = await started()
  await deposit(world, 't-1')
  const snapshot = await world.snapshot()
  expect(snapshot.worldTime.toISOString().slice(0, 10)).toBe('2026-03-01')
  await deposit(world, 't-2')
  await world.clock.set('2026-05-01T00:00:00Z')
  await world.load(snapshot)
  expect(await balanceOf(world)).toBe('5')
  expect((await world.clock.now()).toISOString().slice(0, 10)).toBe('2026-03-01')
  expect(await deposit(world, 't-1')).toMatchObject({ duplicate: true })
  expect(await deposit(world, 't-2')).toMatchObject({ duplicate: false, balance: '10' })

  const file = join(aHome().folder, 'zoe.snapshot')
  writeFileSync(file, snapshot.bytes)
  for (const source of [snapshot, file]) {
    const other = await started({ snapshot: source, clock: '2026-04-01T00:00:00Z' })
    expect(await balanceOf(other)).toBe('5')
    expect((await other.clock.now()).toISOString().slice(0, 10)).toBe('2026-04-01')
    expect(other.credentials.casino.live).toEqual(world.credentials.casino.live)
    expect(await deposit(other, 't-3')).toMatchObject({ balance: '10' })
  }
  expect(await balanceOf(world)).toBe('10')
})

test('second factors and files of the chat go with a snapshot', async () => {
  const world = await started({ listen: true })
  const { roomId } = await world.chat.bot.openRoom({ body: { customerAccount: 'zoe' } })
  const params = { roomId }
  const order = { fileName: 'list.txt', contentType: 'text/plain', sizeBytes: 5, clientUploadId: 'u1' }
  const { uploadId } = await world.chat.agent.initializeUpload({ params, body: order })
  const token = { 'x-chat-agenttoken': world.credentials.chat.agentToken }
  await fetch(`${world.baseUrl}/api/agent/v1/rooms/${roomId}/media/${uploadId}/chunk`, {
    ...{ method: 'PUT', body: 'hello' },
    headers: { ...token, 'content-type': 'application/octet-stream', 'upload-offset': '0' },
  })
  await world.chat.agent.completeUpload({ params: { ...params, uploadId }, body: { clientMessageId: 'm1' } })
  const snapshot = await world.snapshot()
  await world.close()

  // From one kind of database to the next.
  const database = await onPostgres.database()
  const onServer = await started({ listen: true, snapshot, db: database.url })
  const copy = await onServer.snapshot()
  await hasAll(onServer, params)
  await hasAll(await started({ listen: true, snapshot: copy, db: join(aHome().folder, 'other.db') }), params)
})

/** Checks that a world has the file of a message, and the second factor for payouts. */
async function hasAll(world: Started, params: { roomId: string }): Promise<void> {
  const { items } = await world.chat.agent.messages({ params, query: {} })
  const [attachment] = items[0]?.attachments ?? []
  const url = new URL(String(attachment?.downloadUrl), world.baseUrl ?? '')
  expect(await (await fetch(new URL(url.pathname + url.search, world.baseUrl ?? ''))).text()).toBe('hello')

  const { payouts, bearer, code } = world.gateway.sandbox
  const address = world.credentials.gateway.sandbox.whitelisted['usdttrc20'] ?? ''
  const headers = await bearer()
  const withdrawals = [{ address, currency: 'usdttrc20', amount: '25' }]
  const { id } = await payouts.createPayouts({ body: { withdrawals } }, { headers })
  const verify = async () =>
    payouts.verifyPayouts({ params: { id }, body: { verification_code: await code() } }, { headers })
  expect(await verify()).toBe('OK')
}

test('a file that is damaged, or made to write elsewhere, is refused and changes nothing', async () => {
  const world = await started()
  await deposit(world, 't-1')
  const { bytes } = await world.snapshot()
  await deposit(world, 't-2')
  const { folder } = aHome()
  const changed = (change: (db: Database.Database) => void) => {
    const file = join(folder, 'changed.snapshot')
    writeFileSync(file, bytes)
    const db = new Database(file)
    change(db)
    db.close()
    return file
  }
  const damaged = [
    changed((db) => db.exec(`update snapshot_info set content = '{}'`)),
    changed((db) => db.exec(`insert into snapshot_files (id, copy, bytes) values ('../../outside', 0, 'aGk=')`)),
  ]
  const half = join(folder, 'half.snapshot')
  writeFileSync(half, bytes.subarray(0, bytes.length / 2))
  const text = join(folder, 'text.snapshot')
  writeFileSync(text, 'not a database')
  for (const file of [...damaged, text]) await refuses('INVALID_FILE', world.load(file))
  await expect(world.load(half)).rejects.toBeInstanceOf(Error)
  await refuses('NOT_FOUND', world.load(join(folder, 'missing.snapshot')))
  expect(await balanceOf(world)).toBe('10')
})
