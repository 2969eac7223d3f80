import type { Api } from '../api.ts'
import { serverNow } from '../clock.ts'
import { fill, h, onClick } from '../dom.ts'
import { formatText, strings } from '../messages.ts'
import { shown } from '../money.ts'
import { choose, setting } from '../settings.ts'
import { outcomeText } from '../table-status-text.ts'
import type { MeView, SessionView } from '../views.ts'

/** Choices of the time between two checks, in minutes. */
const choices = [15, 30, 60, 120]

const lookEveryMs = 1_000

/** Functions of the page that the check uses. */
interface Page {
  readonly api: Api
  /** The player; `null` until the page has one. */
  me(): MeView | null
  leave(): void
}

/**
 * Shows the playing time, the stakes and the result of the session after each interval that the player chose, within the
 * operator's maximum. The player continues or leaves; until then nothing is placed automatically.
 */
export class RealityCheck {
  readonly #page: Page
  readonly #content = h('div')
  readonly #timer: number
  readonly element: HTMLDialogElement

  constructor(page: Page) {
    const w = strings()
    this.#page = page
    const resume = h('button.action', { type: 'button', 'data-action': 'resume', 'data-ready': '' }, w.check.resume)
    const leave = h('button.action', { type: 'button', 'data-action': 'quit' }, w.leave)
    // No button has the focus at first: a player who types does not answer by accident.
    const title = h('h2', { id: 'reality-title', tabindex: -1, autofocus: true }, w.check.title)
    const attributes = { role: 'alertdialog', 'aria-labelledby': 'reality-title', 'aria-describedby': 'reality' }
    this.element = h('dialog.ended.reality', attributes, title, this.#content, leave, resume)
    this.#content.id = 'reality'
    onClick(resume, () => this.#resume())
    onClick(leave, () => page.leave())
    this.element.addEventListener('cancel', (event) => event.preventDefault())
    this.#timer = setInterval(() => this.#look(), lookEveryMs)
  }

  /** The session has ended. */
  end(): void {
    clearInterval(this.#timer)
    this.element.close()
  }

  #look(): void {
    const me = this.#page.me()
    if (!me || this.element.open) return
    const played = serverNow() - me.since
    if (played - answeredAt(me.session) < intervalOf(me.checkMinutes) * 60_000) return
    this.#show(played, null)
    this.element.showModal()
    // Without an answer the time alone is shown.
    this.#page.api.totals().then(
      (totals) => this.#show(totals.now - totals.since, totals),
      () => undefined,
    )
  }

  #resume(): void {
    const me = this.#page.me()
    if (me) choose('checked', `${me.session}/${Math.floor(serverNow() - me.since)}`)
    this.element.close()
  }

  #show(played: number, totals: SessionView | null): void {
    const w = strings()
    const currency = this.#page.me()?.currency ?? ''
    fill(this.#content, JSON.stringify([played, totals]), () => [
      h('p', {}, formatText(w.sessionTime, String(Math.floor(played / 60_000)))),
      totals && h('p', {}, `${formatText(w.stake, shown(totals.staked))} ${currency}`),
      totals && totals.staked !== '0' && h('p', {}, outcomeText(totals.winLoss, false)),
    ])
  }
}

/** Returns the playing time at the last answer in this session; 0 if there was none. */
function answeredAt(session: string): number {
  const [of, played = '0'] = setting('checked').split('/')
  return of === session ? Number(played) : 0
}

/** Returns the interval in minutes: the player's choice, but not above the operator's maximum. */
function intervalOf(maximum: number | null): number {
  return Math.min(Number(setting('check')), maximum ?? Number.POSITIVE_INFINITY)
}

/** The choice of the interval. */
export class CheckChoice {
  readonly #select = h('select', { id: 'check-every' })
  readonly element = h('label.every', { for: 'check-every' }, `${strings().check.every} `, this.#select)

  constructor() {
    this.#select.addEventListener('change', () => choose('check', this.#select.value))
  }

  /** Offers the intervals below the operator's maximum, and the maximum. */
  show(maximum: number | null): void {
    const allowed = maximum === null ? choices : [...choices.filter((minutes) => minutes < maximum), maximum]
    const options = allowed.map((minutes) =>
      h('option', { value: minutes }, formatText(strings().check.minutes, String(minutes))),
    )
    this.#select.replaceChildren(...options)
    this.#select.value = String(intervalOf(maximum))
  }
}
