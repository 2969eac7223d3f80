import type { Api } from '../api.ts'
import { serverNow } from '../clock.ts'
import { add, h, onClick, setText } from '../dom.ts'
import { formatText, strings } from '../messages.ts'
import { CheckChoice } from '../session/reality-check.ts'
import { play } from '../session/sound.ts'
import { choose, type Name, setting } from '../settings.ts'
import type { SlipView } from '../views.ts'
import { History } from './history.ts'

/** Functions and state of the page that the drawer uses. */
interface Page {
  readonly api: Api
  readonly names: ReadonlyMap<string, string>
  fail(error: unknown): Promise<void>
  /** Time when the session began. */
  since(): number
  /** Longest interval of reality checks, in minutes; null for none. */
  checkMinutes(): number | null
  /** Shows the latest slips at the table, too. */
  show(slips: readonly SlipView[]): void
}

/** The drawer with the player's bets and settings. */
export class BetsDrawer {
  readonly #page: Page
  readonly #time = h('p.play-time')
  readonly #choice = new CheckChoice()
  readonly #history: History
  readonly element: HTMLDialogElement
  #requests = 0
  #shown = 0

  constructor(page: Page) {
    const w = strings()
    this.#page = page
    this.#history = new History(page.api, page.names, page.fail)
    this.element = h('dialog.drawer', { 'aria-label': w.myBets })
    const close = onClick(h('button.plain', { type: 'button' }, w.close), () => this.element.close())
    add(
      this.element,
      h('header', {}, h('h2', {}, w.myBets), close),
      switchOf('confirm', 'auto-confirm', w.autoConfirm),
      switchOf('sound', 'sound', w.sound, () => play('won')),
      this.#choice.element,
      this.#time,
      this.#history.element,
    )
  }

  open(): void {
    const minutes = Math.floor((serverNow() - this.#page.since()) / 60_000)
    setText(this.#time, formatText(strings().sessionTime, String(minutes)))
    this.#choice.show(this.#page.checkMinutes())
    this.element.showModal()
    void this.refresh()
  }

  /** Reads the latest bets, and shows them here and at the table. */
  async refresh(): Promise<void> {
    const request = ++this.#requests
    try {
      const latest = await this.#page.api.slips()
      // An earlier answer must not replace a later one.
      if (request < this.#shown) return
      this.#shown = request
      this.#page.show(latest.slips)
      if (this.element.open) this.#history.show(latest)
    } catch (error) {
      await this.#page.fail(error)
    }
  }
}

/** Returns the checkbox of a setting. */
function switchOf(name: Name, id: string, label: string, changed = () => {}): HTMLElement {
  const box = h('input', { type: 'checkbox', id })
  box.checked = setting(name) === 'on'
  box.addEventListener('change', () => {
    choose(name, box.checked ? 'on' : 'off')
    changed()
  })
  return h('label.every', { for: id }, box, ` ${label}`)
}
