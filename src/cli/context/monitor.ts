import { readFileSync } from 'node:fs'
import { type JobFigures, type JobLabels, lastSuccessIn, withFigures } from '../../domain/monitoring/metrics.ts'
import { shownReceiver } from '../../http/client/receiver-url.ts'
import { bookFigures } from '../../operator/monitoring/figures.ts'
import { pingUrl, receiverTimeoutMs, send } from '../../operator/monitoring/receiver.ts'
import { openExistingBook } from '../../world/clients/book-location.ts'
import type { Config } from '../../world/config/config.ts'
import { proxyOf } from '../../world/config/http-options.ts'
import type { NamedProfile } from '../../world/config/profile-schema.ts'
import { problemOf } from '../outcome/exit-codes.ts'
import { outFile, writeOut } from '../terminal/out-file.ts'

/** Time that the ping of the end waits for that of the start. */
const startPingWaitMs = 1_000

/** Shortest time between two reports of a run without an end. */
const minReportIntervalMs = 60_000

export type BookFigures = Pick<JobFigures, 'lag' | 'rows' | 'breaksOpen'>

/** A message to the receiver of the setting `notify`. */
export interface Notification {
  readonly event: 'breaks.found' | 'break.reopened' | 'period.restated' | 'money.unknown'
  /** One line for people. */
  readonly text: string
  readonly items: readonly object[]
}

export interface MonitorOptions {
  readonly ping: string | undefined
  readonly metrics: string | undefined
  readonly settings: Config
  /** Words of the command. */
  readonly job: string
  readonly profile: () => NamedProfile
  readonly warn: (text: string) => void
}

/**
 * Reports a run to monitoring services: pings at its start and end, notifications, and a metrics file. Requests are sent next to the
 * work, and together delay the end of the run by at most `receiverTimeoutMs`. A failure is a warning.
 */
export class Monitor {
  readonly #options: MonitorOptions
  readonly #metrics: string | null
  #start: Promise<void> | undefined
  readonly #notifications: Promise<unknown>[] = []
  #aliveAt = Number.NEGATIVE_INFINITY
  /** Aborted when the run has waited long enough for its requests. */
  readonly #over = new AbortController()

  constructor(options: MonitorOptions) {
    this.#options = options
    this.#metrics = outFile(options.metrics, true)
  }

  /** Sends the ping of the start. */
  begin(): void {
    const { ping } = this.#options
    if (ping !== undefined) this.#start = this.#ping(pingUrl(ping, '/start'))
  }

  /** Sends a notification, if there is a receiver. */
  notify(notification: Notification): void {
    const { notify } = this.#options.settings.settings
    if (notify === undefined) return
    const body = JSON.stringify({ ...notification, profile: this.#labels().profile })
    const request = { method: 'POST' as const, body, contentType: 'application/json' }
    const sending = this.#send(new URL(notify), request).then((failure) => {
      if (failure !== undefined)
        this.#options.warn(`The notification to ${shownReceiver(notify)} failed: ${failure} (${notification.event})`)
    })
    this.#notifications.push(sending)
  }

  /** Reports a good state of a run that continues, as if it had ended. The book is open in this process, so its figures are given. */
  alive(figures: () => Promise<BookFigures>): void {
    if (performance.now() - this.#aliveAt < minReportIntervalMs) return
    this.#aliveAt = performance.now()
    const { ping } = this.#options
    const reports = [this.#writeMetrics(0, figures), ...(ping === undefined ? [] : [this.#ping(pingUrl(ping, ''))])]
    this.#notifications.splice(0, this.#notifications.length, Promise.all([...this.#notifications, ...reports]))
  }

  /** Writes the metrics, sends the ping of the end, and waits for all requests. */
  async end(exit: number): Promise<void> {
    const limit = setTimeout(() => this.#over.abort(), receiverTimeoutMs)
    try {
      await Promise.all([this.#pingEnd(exit), this.#writeMetrics(exit), ...this.#notifications])
    } finally {
      clearTimeout(limit)
    }
  }

  async #pingEnd(exit: number): Promise<void> {
    const { ping } = this.#options
    if (ping === undefined) return
    // A ping of the start that arrives later would hide the end, but one that hangs must not take all of the time.
    await Promise.race([this.#start, new Promise((resolve) => setTimeout(resolve, startPingWaitMs).unref())])
    if (exit === 0) await this.#ping(pingUrl(ping, ''))
    else await this.#ping(pingUrl(ping, '/fail'), String(exit))
  }

  async #ping(to: URL, body?: string): Promise<void> {
    const failure = await this.#send(to, { method: 'GET', ...(body === undefined ? {} : { body }) })
    if (failure !== undefined) this.#options.warn(`The ping of ${shownReceiver(to.href)} failed: ${failure}`)
  }

  #send(to: URL, request: Parameters<typeof send>[1]): Promise<string | undefined> {
    const signal = AbortSignal.any([this.#over.signal, AbortSignal.timeout(receiverTimeoutMs)])
    return send(to, request, signal, proxyOf(this.#options.settings.env))
  }

  async #writeMetrics(exit: number, bookFigures?: () => Promise<BookFigures>): Promise<void> {
    const path = this.#metrics
    if (path === null) return
    const { warn } = this.#options
    try {
      const before = readText(path)
      const labels = this.#labels()
      const lastSuccess = exit === 0 ? Math.floor(Date.now() / 1000) : lastSuccessIn(before, labels)
      const figures: JobFigures = {
        lastSuccess,
        exitCode: exit,
        ...(await (bookFigures ?? (() => this.#bookFigures()))()),
      }
      // Read again: another job may have written its own in between.
      writeOut(path, withFigures(readText(path), labels, figures))
    } catch (error) {
      warn(`The metrics were not written: ${problemOf(error).message}`)
    }
  }

  async #bookFigures(): Promise<BookFigures> {
    const { settings, profile, warn } = this.#options
    try {
      const book = await openExistingBook(settings, profile())
      if (!book) return {}
      try {
        return await bookFigures(book, Date.now())
      } finally {
        await book.close()
      }
    } catch (error) {
      warn(`The metrics do not have the figures of the book: ${problemOf(error).message}`)
      return {}
    }
  }

  #labels(): JobLabels {
    return { profile: this.#options.settings.settings.profile, job: this.#options.job }
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
