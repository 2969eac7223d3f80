import type { WorldRow } from '../db/schema/store.ts'
import type { Store } from '../db/store.ts'
import { isLoopback, openableUrl } from '../http/server/public-url.ts'
import type { Server } from '../http/server/server.ts'
import { leaveService, publicUrlAt, saveWorld } from './clock.ts'

/** Settings for the time in which this process serves the world. */
export interface ServingOptions {
  readonly publicUrl?: string | undefined
  readonly loopbackCallbacks?: boolean
  readonly allowsFaults?: boolean
  /** True if commands and pages of this machine may read the requests that this process has recorded. */
  readonly hasDesk?: boolean
  /** Returns a new token for reading them. */
  readonly newToken?: () => string
}

/** Address at which a world is served, by this process or another, and its consequences. */
export class Serving {
  readonly #store: Store
  readonly #options: ServingOptions
  /** The world's row when it was opened. */
  readonly #row: WorldRow
  #servedUrl: string | null
  #publicUrl: string | null
  #isOpening = false
  /** Token that the serving process accepts; undefined if it has no desk. */
  deskToken: string | undefined
  /** True while this process serves the world. */
  isServing = false

  constructor(store: Store, options: ServingOptions, row: WorldRow) {
    this.#store = store
    this.#options = options
    this.#row = row
    this.#servedUrl = row.served_url
    this.#publicUrl = options.publicUrl ?? row.public_url
  }

  get publicUrl(): string {
    return publicUrlAt({ served_url: this.#servedUrl, public_url: this.#publicUrl })
  }

  /** True if callbacks may go to this machine. Stored with the world, so that commands next to a served one follow the same rule. */
  get allowsLoopbackCallbacks(): boolean {
    return this.#options.loopbackCallbacks ?? (this.#row.public_callbacks !== 1 && this.#isLocal)
  }

  get allowsFaults(): boolean {
    const isSwitchedOn = this.#isOpening ? this.#options.allowsFaults === true : this.#row.allows_faults === 1
    return isSwitchedOn || this.#isLocal
  }

  /** Serves the world, and records the URL. */
  async listen(server: Server, bindAddress: Parameters<Server['listen']>[0]): ReturnType<Server['listen']> {
    const { loopbackCallbacks, allowsFaults, hasDesk, newToken, publicUrl = null } = this.#options
    // Set before the port is open: an earlier address must not decide whether faults apply to the first requests.
    this.#isOpening = true
    this.#servedUrl = `http://${bracketed(bindAddress?.host ?? '127.0.0.1')}`
    this.#publicUrl = publicUrl
    if (hasDesk) this.deskToken = newToken?.()
    const bound = await server.listen(bindAddress)
    this.#servedUrl = bound.url
    this.isServing = true
    await this.#store.write((tx) =>
      saveWorld(tx, {
        served_url: bound.url,
        public_url: publicUrl,
        public_callbacks: loopbackCallbacks === false ? 1 : 0,
        allows_faults: allowsFaults ? 1 : 0,
        desk_token: this.deskToken ?? null,
      }),
    )
    return { ...bound, url: openableUrl(bound.url) }
  }

  /** Records that the world is no longer served here. */
  async end(): Promise<void> {
    if (this.isServing) await this.#store.write((tx) => leaveService(tx, this.#servedUrl))
  }

  get #isLocal(): boolean {
    return this.#servedUrl === null || isLoopback(new URL(this.#servedUrl).hostname)
  }
}

/** Formats a host for a URL. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
