import { expect, onTestFinished, test } from 'vitest'
import { openServer } from '../../../../src/http/server/server.ts'
import { kickPlayer } from '../../../../src/services/casino/admin/kick.ts'
import { openStreams } from '../../../../src/services/casino/live/sse.ts'
import { aTenant } from '../../../support/worlds/people.ts'
import { testWorld } from '../../../support/worlds/world.ts'

test('no data is written to a page whose stream ended while its state was being read', async () => {
  const world = await testWorld()
  const pair = await aTenant(world, { tables: ['BAC-01'] })
  await pair.client.deposit({ body: { username: 'amy', txnId: 'in', amount: '10', currency: 'USD' } })
  await world.server.listen({ port: 0 })
  const entered = await fetch((await pair.client.launch({ body: { username: 'amy' } })).url)
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const session = /data-session="([^"]+)"/.exec(await entered.text())?.[1] ?? ''

  // Reads wait in their transaction, as they do on a remote database.
  let wait = Promise.resolve()
  const store = {
    ...world.store,
    read: <T>(work: Parameters<typeof world.store.read<T>>[0]) =>
      world.store.read<T>(async (reader) => {
        await wait
        return work(reader)
      }),
  }
  const streams = openStreams({ ...world.casino, store })
  const errors: unknown[] = []
  const server = openServer({
    services: [],
    routes: [
      (table) =>
        streams.routes({
          ...table,
          get: (path, handle, options) =>
            table.get(
              path,
              (request, reply) => {
                reply.raw.on('error', (error) => errors.push(error))
                return handle(request, reply)
              },
              options,
            ),
        }),
    ],
  })
  onTestFinished(() => server.close())
  const { url } = await server.listen()
  const page = await fetch(`${url}/play/v1/events?session=${session}`, { headers: { cookie } })
  let text = ''
  const read = page.body?.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write: (part) => {
        text += part
      },
    }),
  )
  await expect.poll(() => text).toContain('event: lobby')

  await kickPlayer(world.casino, pair.code, 'amy')
  const { promise, resolve } = Promise.withResolvers<void>()
  wait = promise
  const pushed = streams.job.run(100)
  const closed = server.close()
  resolve()
  await pushed
  await closed
  await read
  expect(errors).toEqual([])
  expect(text).not.toContain('event: ended')
})
