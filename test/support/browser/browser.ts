import type { TestWorld } from '../worlds/world.ts'

/** A page a player has open, and the cookies that came with it. */
export interface TestBrowser {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** The page again, as the same browser. */
  reload(): Promise<TestBrowser>
}

/** Opens a link as a player's browser does, in process. */
export function open(world: TestWorld, url: string): Promise<TestBrowser> {
  const { pathname, search } = new URL(url)
  return get(world, `${pathname}${search}`, undefined)
}

async function get(world: TestWorld, path: string, cookie: string | undefined): Promise<TestBrowser> {
  const reply = await world.server.inject({ method: 'GET', path, headers: cookie === undefined ? {} : { cookie } })
  const kept = /^[^;]+/.exec(reply.headers['set-cookie'] ?? '')?.[0] ?? cookie
  return { ...reply, reload: () => get(world, '/play/', kept) }
}
