import type { TestWorld } from '../worlds/world.ts'

/** A page that a player has open, with its cookies. */
export interface TestBrowser {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** Returns the page loaded again in the same browser. */
  reload(): Promise<TestBrowser>
}

/** Opens a player's link in process, as a browser does. */
export function open(world: TestWorld, url: string): Promise<TestBrowser> {
  const { pathname, search } = new URL(url)
  return get(world, `${pathname}${search}`, undefined)
}

async function get(world: TestWorld, path: string, cookie: string | undefined): Promise<TestBrowser> {
  const reply = await world.server.inject({ method: 'GET', path, headers: cookie === undefined ? {} : { cookie } })
  const kept = /^[^;]+/.exec(reply.headers['set-cookie'] ?? '')?.[0] ?? cookie
  return { ...reply, reload: () => get(world, '/play/', kept) }
}
