import { expect, test } from 'vitest'
import { deskRoutes } from '../../../src/world/desk/routes.ts'
import { servedBeside } from '../../support/worlds/served.ts'

test('the receiver keeps the newest bodies up to 2 MiB of UTF-8', async () => {
  const { desk } = await servedBeside({ records: { requests: true, hasDesk: true, desk: deskRoutes } })
  // 256 KiB each, in half as many characters.
  const body = 'é'.repeat(128 * 1024)
  for (let i = 0; i < 10; i++)
    expect((await fetch(`${desk?.baseUrl}/desk/receiver`, { method: 'POST', body })).status).toBe(200)
  const headers = { authorization: `Bearer ${desk?.token}` }
  const response = await fetch(`${desk?.baseUrl}/desk/api/views/receiver`, { headers })
  const { received } = (await response.json()) as { received: { id: number }[] }
  expect(received.map(({ id }) => id)).toEqual([10, 9, 8, 7, 6, 5, 4, 3])
})
