import type { StoredState } from '../context.ts'
import { now } from './ambient.ts'
import type { Answer, Failure } from './api.ts'
import type { Core } from './core.ts'

/** Access to the room: proves the identity, creates the room, renews its token. */
export class RoomAccess {
  readonly #core: Core
  /** Called when the server has rejected the customer's identity. */
  onRefused = () => {}
  /** Exchanges the signature, which expires after minutes, for a token. Does not create a room. */
  readonly prove = this.#shared(() => this.#prove())
  readonly #open = this.#shared(() => this.#openRoom())

  constructor(core: Core) {
    this.#core = core
  }

  /** Ensures that there is a room and a token that may be used. */
  async enter(): Promise<void> {
    const { room } = this.#core
    if (!room.isProven) await this.prove()
    if (!room.state) await this.#open()
  }

  /** Renews the token in its last week, and sends a name or email address that the server does not have. */
  async renew(): Promise<void> {
    const { until = '', customer: sentCustomer = '\n' } = this.#core.session.load()
    const isFresh = Date.parse(until) - now() > 6048e5
    if (this.#core.room.state && (this.#customer() !== sentCustomer || !isFresh))
      this.#keep(await this.#core.api.call('POST', '/rooms', this.#profile()))
  }

  async #prove(): Promise<void> {
    const { room, session, api } = this.#core
    room.isProven = room.hasProof()
    if (room.isProven) return
    const { account, identity = '' } = session.customer
    const [issuedAt, signature] = identity.split('.')
    try {
      const proven = await api.call('POST', '/identity', {
        ...this.#profile(),
        identity: { customerAccount: account, issuedAt: Number(issuedAt), signature },
      })
      room.isProven = true
      this.#keep(proven, { proofs: [...(session.load().proofs || []), identity].slice(-9) })
    } catch (caught) {
      const { status = 0, code } = caught as Failure
      if (status === 400 || code === 'IDENTITY_INVALID') this.onRefused()
      throw caught
    }
  }

  async #openRoom(): Promise<void> {
    const { room, api, ctx } = this.#core
    if (room.state) return
    this.#keep(
      await api.call('POST', '/rooms', {
        ...this.#profile(),
        inboxCategoryCode: ctx.data['inboxCategoryCode'],
        pageUrl: location.href.split(/[?#]/)[0],
      }),
    )
  }

  /** Runs the work once for all concurrent callers, and in one tab at a time, so that all get the same room. */
  #shared(work: () => Promise<void>): () => Promise<void> {
    let running: Promise<void> | undefined
    return () => {
      const { tabs, session, room } = this.#core
      running ||= tabs
        .alone(`${session.name}+`, async () => {
          // Another tab may have stored a room or token while this one waited.
          if (!this.#core.isStopped) room.adopt()
          await work()
        })
        .finally(() => {
          running = undefined
        })
      return running
    }
  }

  #keep({ roomId, roomToken, roomTokenExpiresAt }: Answer, more?: StoredState): void {
    const { session, room, tabs } = this.#core
    const state = {
      token: roomToken,
      until: roomTokenExpiresAt,
      roomId: roomId || undefined,
      customer: this.#customer(),
    }
    session.save({ ...state, ...more })
    room.adopt(state)
    tabs.post({ at: roomId })
  }

  #profile() {
    const { name } = this.#core.session.customer
    const email = this.#email()
    return {
      tenantKey: this.#core.ctx.key,
      customerDisplayName: [...(name || '')].slice(0, 100).join(''),
      customerLanguage: this.#core.ctx.browserLanguage(),
      // An invalid address is omitted: it must not prevent the conversation.
      customerEmail: /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(email) ? email.slice(0, 254) : '',
    }
  }

  /** Returns the name and email address that the server gets, as one text to compare. */
  #customer(): string {
    return `${this.#core.session.customer.name || ''}\n${this.#email()}`
  }

  /** Returns the customer's email address: the page's, or the one that the customer has entered. */
  #email(): string {
    const { session } = this.#core
    return session.customer.email || session.load().email || ''
  }
}
