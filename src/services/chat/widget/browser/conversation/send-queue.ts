import type { Message, Queued } from '../context.ts'
import { chance, newId } from './ambient.ts'
import type { Failure } from './api.ts'
import type { Core } from './core.ts'
import type { RoomAccess } from './room-access.ts'

/** Queue of text messages that are not sent yet. It is stored, so that the merchant's next page continues it. */
export class SendQueue {
  readonly #core: Core
  readonly #access: RoomAccess
  readonly #items: Queued[]
  #isSending = false

  constructor(core: Core, access: RoomAccess) {
    this.#core = core
    this.#access = access
    this.#items = [...(core.session.load().queue || [])]
  }

  /** Shows and sends the unsent messages of an earlier page. */
  resume(): void {
    for (const item of this.#items) this.#show(item)
    if (this.#items.length) this.flush()
  }

  add(text: string): void {
    this.#push({ clientMessageId: newId(), text })
  }

  /** Retries a message that the server refused. */
  retry({ clientMessageId, text }: Message): void {
    this.remove(clientMessageId || '')
    this.#push({ clientMessageId: clientMessageId || '', text: text || '' })
    this.flush()
  }

  remove(id: string): void {
    const at = this.#items.findIndex((each) => each.clientMessageId === id)
    if (at >= 0) this.#items.splice(at, 1)
    this.#keep((queue) => queue.filter((each) => each.clientMessageId !== id))
  }

  clear(): void {
    this.#items.length = 0
  }

  async flush(): Promise<void> {
    const { api, list, status, waits } = this.#core
    if (this.#isSending) return
    this.#isSending = true
    // One message at a time, to keep the order.
    let pause = 500
    const next = () => this.#items.find(({ failed }) => !failed)
    for (let item = next(); item && !this.#core.isStopped; item = next()) {
      const { clientMessageId, text } = item
      try {
        await this.#access.enter()
        list.upsert(await api.inRoom('POST', '/messages', { text, clientMessageId }))
        pause = 500
      } catch (caught) {
        const { status: code = 0, retryMs } = caught as Failure
        if (this.#core.isStopped) break
        if (code >= 400 && code < 500 && code !== 401 && code !== 429) {
          this.remove(clientMessageId)
          this.#push({ ...item, failed: true })
          continue
        }
        status.showIfOffline()
        await waits.sleep(retryMs || pause * (0.5 + chance() / 2))
        pause = Math.min(pause * 2, 30_000)
      }
    }
    this.#isSending = false
  }

  #push(item: Queued): void {
    this.#items.push(item)
    this.#keep((queue) => [...queue, item])
    this.#show(item)
  }

  #show(item: Queued): void {
    this.#core.list.upsert({ ...item, senderType: 'customer', pending: true })
  }

  /** Changes the stored queue. The tabs share it, and each adds and removes only its own messages. */
  #keep(change: (queue: readonly Queued[]) => readonly Queued[]): void {
    const { session } = this.#core
    session.save({ queue: change(session.load().queue || []) })
  }
}
