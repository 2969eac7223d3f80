import { createClient } from '../../../src/http/client/client.ts'
import { inProcess, type Transport } from '../../../src/http/client/transport.ts'
import type { Client } from '../../../src/http/contract/contract.ts'
import { play } from '../../../src/services/casino/live/contract.ts'
import { open } from '../../support/browser/browser.ts'
import type { TestTenant } from '../../support/worlds/people.ts'

/** The requests of a player's page. */
export type Page = Client<typeof play>

/** Opens the page of a player by a launch link, as a browser does. */
export async function aPage({ client, world }: TestTenant, username: string): Promise<Page> {
  const page = await open(world, (await client.launch({ body: { username } })).url)
  const cookie = /^[^;]+/.exec(page.headers['set-cookie'] ?? '')?.[0] ?? ''
  const session = /data-session="([^"]+)"/.exec(page.body)?.[1] ?? ''
  const send = inProcess(world.server)
  const asBrowser: Transport = (request) =>
    send({ ...request, headers: { ...request.headers, cookie, 'x-session': session } })
  return createClient(play, asBrowser)
}
