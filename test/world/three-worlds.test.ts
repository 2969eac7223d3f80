import { expect, test } from 'vitest'
import { ensureDemoWorld } from '../../src/world/demo-data.ts'
import { readyDocument } from '../../src/world/ready-file.ts'
import { sendRaw } from '../support/http/raw.ts'
import { aTenant } from '../support/worlds/people.ts'
import { aClock, onPostgres, type TestWorld, testWorld } from '../support/worlds/world.ts'

/** Three worlds on one database, as three processes open it, with a stopped clock. */
async function threeWorlds() {
  const database = await onPostgres.database()
  const time = aClock()
  const open = () => testWorld({ database, time, seed: null, rateLimits: true })
  const first = await open()
  return { time, worlds: [first, await open(), await open()] as const }
}

/** Sends this many requests to each world at once; returns the numbers of accepted and limited ones. */
async function sendToEach(
  worlds: readonly TestWorld[],
  count: number,
  send: (world: TestWorld) => Promise<{ status: number }>,
) {
  const replies = await Promise.all(worlds.flatMap((world) => Array.from({ length: count }, () => send(world))))
  const withStatus = (status: number) => replies.filter((reply) => reply.status === status).length
  return {
    answered: withStatus(200),
    limited: withStatus(429),
    others: replies.length - withStatus(200) - withStatus(429),
  }
}

test("a tenant's burst is shared by three processes", async () => {
  const { time, worlds } = await threeWorlds()
  const { sandbox } = await aTenant(worlds[0])
  const send = (world: TestWorld) => sendRaw(world, sandbox.key)
  expect(await sendToEach(worlds, 20, send)).toEqual({ answered: 40, limited: 20, others: 0 })
  time.add('1s')
  expect(await sendToEach(worlds, 10, send)).toEqual({ answered: 20, limited: 10, others: 0 })
})

test("a gateway key's burst is shared by three processes", async () => {
  const { worlds } = await threeWorlds()
  await ensureDemoWorld(worlds[0])
  const { gateway } = await readyDocument(worlds[0], 'http://127.0.0.1', '')
  const headers = { 'x-api-key': gateway?.production.apiKey ?? '' }
  const send = (world: TestWorld) => world.server.inject({ method: 'GET', path: '/v1/balance', headers })
  expect(await sendToEach(worlds, 70, send)).toEqual({ answered: 200, limited: 10, others: 0 })
})

test("a chat key's burst is shared by three processes", async () => {
  const { time, worlds } = await threeWorlds()
  await ensureDemoWorld(worlds[0])
  const { chat } = await readyDocument(worlds[0], 'http://127.0.0.1', '')
  const headers = { 'x-chat-apikey': chat?.apiKey ?? '' }
  const send = (world: TestWorld) => world.server.inject({ method: 'GET', path: '/api/public/v1/tickets', headers })
  expect(await sendToEach(worlds, 40, send)).toEqual({ answered: 100, limited: 20, others: 0 })
  time.add('1s')
  expect(await sendToEach(worlds, 20, send)).toEqual({ answered: 50, limited: 10, others: 0 })
})
