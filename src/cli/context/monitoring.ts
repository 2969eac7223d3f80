import type { Problem } from '../../kit/problem.ts'
import { exitOf } from '../outcome/exit-codes.ts'
import type { CommandContext } from './context.ts'
import type { BookFigures, Monitor, Notification } from './monitor.ts'

/** The monitoring of a run. Without `--ping`, `--metrics` and the setting `notify` it does nothing and loads nothing. */
export class Monitoring {
  #monitor: Monitor | undefined

  /** Opens the monitors of the flags and settings, and reports the start. */
  async open(context: CommandContext, { ping, metrics }: Readonly<Record<string, unknown>>): Promise<void> {
    const { settings, words } = context
    if (ping === undefined && metrics === undefined && settings.settings.notify === undefined) return
    const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
    const { Monitor } = await import('./monitor.ts')
    this.#monitor = new Monitor({
      ...{ ping: text(ping), metrics: text(metrics), settings, job: words },
      profile: () => context.profile,
      warn: (warning) => void context.warn(warning),
    })
    this.#monitor.begin()
  }

  /** Sends a notification to the receiver of the setting `notify`, next to the work. */
  notify(notification: Notification): void {
    this.#monitor?.notify(notification)
  }

  /** Reports that a run without an end has all data, at most once a minute. */
  alive(figures: () => Promise<BookFigures>): void {
    this.#monitor?.alive(figures)
  }

  /** Reports the end, and waits for all reports for a limited time. */
  async end(exit: number, problem: Problem | undefined, words: string): Promise<void> {
    if (exit === exitOf('unknown-outcome')) this.notify(unknownMoney(problem, words))
    await this.#monitor?.end(exit)
  }
}

function unknownMoney(problem: Problem | undefined, words: string): Notification {
  const { code = '', message = '', detail = {} } = problem ?? {}
  return { event: 'money.unknown', text: `countroom ${words}: ${message}`, items: [{ code, ...detail }] }
}
