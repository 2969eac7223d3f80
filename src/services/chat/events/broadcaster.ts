import { lastOf } from '../../../db/counter.ts'
import { positionsOf } from '../queries/events.ts'
import type { ChatCore } from '../service.ts'
import { CredentialWatch } from './credential-watch.ts'
import { EventSequencer } from './event-sequencer.ts'
import { Heartbeats } from './heartbeats.ts'
import type { Audience, PushedEvent } from './pushed-events.ts'
import {
  openSubscription,
  type Source,
  type Start,
  type Subscriber,
  type Subscription,
  startOf,
} from './subscriptions.ts'
import { TailPoll } from './tail-poll.ts'
import type { WatchedCredential } from './watched-credential.ts'

export type { CloseReason, WatchedCredential } from './watched-credential.ts'

/**
 * Delivers events to subscribers. Events written by this process are delivered right after their commit. Those of other
 * processes are found by polling the tail of the event table 20 times a second while there are subscribers.
 *
 * Polling is used instead of LISTEN/NOTIFY because it works the same on both engines, also for a command next to a
 * served SQLite file. The table has to be read even after a notification. Only messages that are not stored (`send`)
 * use the store's signals.
 *
 * A room's events are numbered by the room's own row, so that writers of different rooms never wait for each other. For
 * the same reason the sequencer assigns the tenant-wide order for agents after the commit.
 */
export interface Broadcaster {
  /**
   * Subscribes to the source's events after a cursor. `began` is called before the first event. Returns a function that
   * unsubscribes.
   */
  listen(
    source: Source,
    cursor: string | undefined,
    subscriber: Subscriber,
    began: (start: Start) => void,
    credential?: WatchedCredential,
  ): Promise<() => void>
  /** Sends a message that is not stored to one side's subscribers of the room, in all processes. */
  send(room: { tenant: string; roomId: string }, to: Audience, event: PushedEvent): void
  /** Assigns tenant-wide sequence numbers to committed events. */
  sequenceAll(): Promise<number>
  /** Sends goodbye to all subscribers and ends their streams. They subscribe again to the database's new content. */
  restart(): void
  /** Sends goodbye to all subscribers and ends their streams. */
  close(): void
  readonly size: number
  /** Returns the number of a tenant's open streams in this process. */
  sizeOf(tenant: string): number
}

/** Messages between processes that are not stored. */
interface BroadcastMessage {
  readonly tenant: string
  readonly roomId: string
  readonly to: Audience
  /** The key keeps its name: processes of two versions may serve one database. */
  readonly frame: PushedEvent
}

const tailEveryMs = 50
const credentialCheckMs = 1_000

export const openBroadcaster = (app: ChatCore): Broadcaster => new EventBroadcaster(app)

class EventBroadcaster implements Broadcaster {
  readonly #app: ChatCore
  /** Subscriptions by the key of their source. */
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #sequencer: EventSequencer
  readonly #tail: TailPoll
  readonly #credentials: CredentialWatch
  readonly #heartbeats = new Heartbeats()
  #timers: NodeJS.Timeout[] = []
  #stopHearing = () => {}
  #isClosed = false

  constructor(app: ChatCore) {
    this.#app = app
    this.#sequencer = new EventSequencer(app)
    this.#tail = new TailPoll(app, this.#subscriptions, this.#sequencer)
    this.#credentials = new CredentialWatch(app)
    app.listeners.add(this.#wake)
  }

  get size(): number {
    return this.#credentials.size
  }

  sizeOf(tenant: string): number {
    return this.#credentials.sizeOf(tenant)
  }

  sequenceAll(): Promise<number> {
    return this.#sequencer.assignAll()
  }

  send({ tenant, roomId }: { tenant: string; roomId: string }, to: Audience, event: PushedEvent): void {
    const message: BroadcastMessage = { tenant, roomId, to, frame: event }
    this.#sendHere(message)
    this.#app.store
      .tell(JSON.stringify(message))
      .catch((error: unknown) => this.#app.log.warn({ error: String(error) }, 'Cannot send to other processes'))
  }

  async listen(
    source: Source,
    cursor: string | undefined,
    subscriber: Subscriber,
    began: (start: Start) => void,
    credential?: WatchedCredential,
  ): Promise<() => void> {
    if (source.roomId === null) await this.sequenceAll()
    const { start, latest } = await this.#app.store.read(async (reader) => ({
      start: await startOf(reader, source, cursor),
      latest: await lastOf(reader, positionsOf(source.tenant)),
    }))
    // Events numbered from here on are polled; all earlier ones are in the first delivery.
    this.#tail.startAt(source.tenant, latest)
    // Looked up after the wait, because another subscriber may have opened the subscription during it. A second one
    // would replace it.
    const subscription = this.#subscriptions.get(source.key) ?? openSubscription(this.#app, source)
    // No event is lost between this read and the first delivery, which reads all events after this number.
    subscriber.at = start.at
    subscription.subscribers.add(subscriber)
    this.#subscriptions.set(source.key, subscription)
    if (credential) this.#credentials.add(credential, source.tenant)
    const part = credential && this.#heartbeats.add(credential)
    this.#startTimers()
    began(start)
    void subscription.deliver()
    if (this.#isClosed) credential?.leave('shutdown')
    return this.#leaving(subscription, subscriber, credential, part)
  }

  restart(): void {
    this.#credentials.leaveAll('shutdown')
    for (const { subscribers } of this.#subscriptions.values())
      for (const subscriber of subscribers) subscriber.restart?.()
    this.#subscriptions.clear()
    this.#stopTimers()
  }

  close(): void {
    this.#isClosed = true
    this.#app.listeners.delete(this.#wake)
    this.#credentials.leaveAll('shutdown')
    this.#stopTimers()
  }

  /** Delivers events that this process has committed. */
  readonly #wake = ({ tenant, roomId }: { tenant: string; roomId: string | null }): void => {
    if (roomId !== null) void this.#subscriptions.get(roomId)?.deliver()
    const agents = this.#subscriptions.get(`tenant ${tenant}`)
    if (!agents) return
    this.sequenceAll()
      .then(() => agents.deliver())
      .catch((error: unknown) =>
        this.#app.log.warn({ error: String(error) }, 'Cannot assign sequence numbers to events'),
      )
  }

  #startTimers(): void {
    if (this.#timers.length > 0 || this.#isClosed) return
    this.#timers = [
      setInterval(() => void this.#tail.poll(), tailEveryMs),
      setInterval(() => void this.#credentials.check(), credentialCheckMs),
      setInterval(() => this.#heartbeats.beat(), Heartbeats.everyMs),
    ]
    for (const timer of this.#timers) timer.unref()
    this.#stopHearing = this.#app.store.hear((text) => this.#receive(text))
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#timers = []
    this.#stopHearing()
    this.#tail.reset()
  }

  /** Handles a message of another process, which may be of another version. */
  #receive(text: string): void {
    try {
      this.#sendHere(JSON.parse(text))
    } catch (error) {
      this.#app.log.warn({ error: String(error) }, 'Invalid message from another process')
    }
  }

  #sendHere({ tenant, roomId, to, frame }: BroadcastMessage): void {
    for (const key of [roomId, `tenant ${tenant}`])
      for (const subscriber of this.#subscriptions.get(key)?.subscribers ?? [])
        if (subscriber.audience === to) subscriber.take([frame])
  }

  /** Separate from `listen`, so that the returned function does not retain the variables of the start. */
  #leaving(
    subscription: Subscription,
    subscriber: Subscriber,
    credential: WatchedCredential | undefined,
    part: Set<WatchedCredential> | undefined,
  ): () => void {
    return () => {
      const { subscribers, source } = subscription
      subscribers.delete(subscriber)
      if (credential) {
        this.#credentials.delete(credential)
        part?.delete(credential)
      }
      if (subscribers.size === 0 && this.#subscriptions.get(source.key) === subscription)
        this.#subscriptions.delete(source.key)
      if (this.#subscriptions.size === 0) this.#stopTimers()
    }
  }
}
