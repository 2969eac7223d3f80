import type { Room } from '../context.ts'
import type { Failure } from './api.ts'
import type { Core } from './core.ts'

/** The messages that the customer has read, as this tab reports them to the server. */
export class ReadMarks {
  readonly #core: Core
  #isSending = false
  #wanted = 0

  constructor(core: Core) {
    this.#core = core
  }

  /** Stores the room's state from the server, and shows its unread count. */
  update(state: Room): void {
    const { room, ctx, isStopped } = this.#core
    if (isStopped) return
    room.state = { ...room.state, ...state }
    ctx.showUnread(room.state.customerUnreadCount || 0)
    this.#core.list.render()
    this.look()
  }

  /** Marks visible messages as read. A message that arrives below while the customer reads earlier ones stays unread. */
  look(): void {
    const { room, ctx, list } = this.#core
    if (!ctx.isOpen || document.visibilityState !== 'visible' || !room.state?.customerUnreadCount) return
    const { customerReadSeq: read = 0 } = room.state
    const seen = list.seenAfter(read)
    if (seen > read) this.mark(seen)
  }

  async mark(upTo = this.#core.room.state?.lastSeq || 0): Promise<void> {
    const { room, api, waits } = this.#core
    this.#wanted = Math.max(this.#wanted, upTo)
    if (this.#isSending) return
    this.#isSending = true
    // A position reached during a request is sent with the next one.
    for (let read = 0; room.state && read < this.#wanted && !this.#core.isStopped; )
      try {
        const seq = this.#wanted
        const { lastSeq } = room.state
        const state = await api.inRoom('POST', '/read', { seq })
        read = seq
        // If newer messages have arrived since, the unread count of the response is outdated.
        if (room.state?.lastSeq === lastSeq) this.update(state)
      } catch (caught) {
        const { retryMs } = caught as Failure
        if (!retryMs) break
        await waits.sleep(retryMs)
      }
    this.#wanted = 0
    this.#isSending = false
  }
}
