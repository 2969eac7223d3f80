import { expect, test } from 'vitest'
import { deskRoutes } from '../../../src/world/desk/routes.ts'
import { servedBeside } from '../../support/worlds/served.ts'

/** The desk while a snapshot is loaded. */

test('a stream of views continues after a load, and an action that was running runs again instead of failing', async () => {
  const { world, desk } = await servedBeside({ records: { requests: true, hasDesk: true, desk: deskRoutes } })
  const headers = { authorization: `Bearer ${desk?.token}` }
  const act = (name: string, input: object) =>
    fetch(`${desk?.baseUrl}/desk/api/actions/${name}`, { method: 'POST', headers, body: JSON.stringify(input) })
  // The rounds that are dealt again must not change the balance that is read.
  expect((await act('player.no-bet', { tenant: 'DEMO', user: 'dee' })).status).toBe(200)
  await world.snapshots.save('before')
  const views = JSON.stringify([{ view: 'casino.player', query: { tenant: 'DEMO', user: 'dee' } }])
  const stream = await fetch(`${desk?.baseUrl}/desk/api/views?views=${encodeURIComponent(views)}`, { headers })
  const balances = balancesIn(stream)
  expect((await balances.next()).value).toBe('10000')
  await act('player.adjust', { tenant: 'DEMO', user: 'dee', amount: '-25', txn: 'one' })
  expect((await balances.next()).value).toBe('9975')

  const playing = act('round.play', { tenant: 'DEMO', rounds: 60, players: 2, days: 0 })
  const loaded = await act('snapshot.load', { name: 'before' })
  expect(await loaded.json()).toMatchObject({ result: { loaded: 'before' } })
  expect((await balances.next()).value).toBe('10000')
  const played = await playing
  expect([played.status, await played.json()]).toMatchObject([200, { result: { rounds: 60 } }])
  await balances.return(undefined)
})

/** Returns the balances in the events of a stream of one view. An event with an error fails. */
async function* balancesIn({ body }: Response): AsyncGenerator<string> {
  let rest = ''
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (rest + part).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const line = event.split('\n').find((each) => each.startsWith('data: '))
      if (line === undefined) continue
      const news = JSON.parse(line.slice('data: '.length))
      expect(news).not.toHaveProperty('error')
      yield news.data.balance
    }
  }
}
