import { chipFace } from '../chips.ts'
import { fill, h, onClick, set } from '../dom.ts'
import { strings } from '../messages.ts'
import { shown, textOf, unitsOf } from '../money.ts'
import type { OpenTableInfo, TableView } from '../views.ts'
import { fullZoneName, oddsOf, winningZones, zoneName } from '../zones.ts'
import type { BetDraft } from './bet-draft.ts'
import { holdOf } from './bets.ts'

/** Actions of a player on the zones. */
export interface ZoneActions {
  lay(zone: string): void
  clear(zone: string): void
  choose(variant: string): void
}

/** The zones of a table, and the choice between its variants where it has two. */
export class ZoneBoard {
  readonly #info: OpenTableInfo
  readonly #rack: readonly string[]
  readonly #actions: ZoneActions
  readonly #zones: HTMLElement
  readonly #buttons = new Map<string, HTMLElement>()
  readonly #switcher: HTMLElement | null
  readonly element: HTMLElement

  constructor(info: OpenTableInfo, rack: readonly string[], actions: ZoneActions) {
    this.#info = info
    this.#rack = rack
    this.#actions = actions
    this.#zones = h('div.zones', { 'data-game': info.game })
    this.#switcher = info.variants.length > 1 ? this.#variantButtons() : null
    this.element = h('div.zones-box', {}, this.#switcher, this.#zones)
  }

  refresh(draft: BetDraft, view: TableView | null, isOpen: boolean): void {
    // Built once, and again when the player changes the variant.
    fill(this.#zones, draft.variant, () => this.#build(draft.variant))
    const won = view?.round?.phase === 'result' ? winningZones(this.#info.game, view.round) : new Set<string>()
    const returns = view?.mine?.result?.returns ?? {}
    for (const [zone, button] of this.#buttons) {
      const amount = draft.bets[zone] ?? 0n
      const isPlaced = amount > 0n && draft.placed[zone] === amount
      set(button, {
        'aria-disabled': isOpen ? null : 'true',
        'data-won': won.has(zone) ? '' : null,
        'data-placed': amount === 0n ? null : isPlaced ? 'yes' : 'draft',
      })
      const on = button.querySelector<HTMLElement>('.on')
      if (on) fill(on, `${amount}/${isPlaced}/${returns[zone] ?? ''}`, () => this.#stack(zone, amount, returns[zone]))
    }
    for (const each of this.#switcher?.querySelectorAll('button') ?? [])
      set(each, {
        'aria-pressed': String(each.dataset['variant'] === draft.variant),
        'aria-disabled': isOpen && Object.keys(draft.placed).length === 0 ? null : 'true',
      })
  }

  #build(variant: string): HTMLElement[] {
    this.#buttons.clear()
    if (this.#info.game !== 'niuniu')
      return (this.#info.zones[variant] ?? []).map((zone) => this.#button(zone, variant))
    return ['P1', 'P2', 'P3'].map((hand) =>
      h(
        'div.hand-zones',
        {},
        h('b', {}, strings().zones[hand] ?? hand),
        this.#button(`${hand}E`, variant),
        this.#button(`${hand}D`, variant),
      ),
    )
  }

  #button(zone: string, variant: string): HTMLElement {
    const { game } = this.#info
    const name = zoneName(game, zone)
    const button = h(
      'button.zone',
      { type: 'button', 'data-zone': zone },
      // The name of a zone in a group is insufficient for a player who does not see the group.
      h(game === 'dragontiger' ? 'span.group' : 'span.hidden', {}, fullZoneName(game, zone).slice(0, -name.length)),
      h('span.name', {}, name),
      h('span.odds', {}, oddsOf(this.#info, variant, zone)),
      h('span.on'),
    )
    onClick(button, () => this.#actions.lay(zone))
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'Backspace' && event.key !== 'Delete') return
      event.preventDefault()
      this.#actions.clear(zone)
    })
    this.#buttons.set(zone, button)
    return button
  }

  #variantButtons(): HTMLElement {
    const w = strings()
    const buttons = this.#info.variants.map((each) =>
      onClick(h('button', { type: 'button', 'data-variant': each }, each === 'nocomm' ? w.nocomm : w.classic), () =>
        this.#actions.choose(each),
      ),
    )
    return h('div.variants', { role: 'group' }, ...buttons)
  }

  /** The chips on a zone, and their result. */
  #stack(zone: string, amount: bigint, returned: string | undefined) {
    const hold = holdOf(this.#info, { [zone]: amount })
    return [
      amount > 0n && chipFace(textOf(amount), this.#rack),
      amount > 0n && h('span.hidden', {}, shown(textOf(amount))),
      returned !== undefined && this.#outcome(zone, unitsOf(returned) - amount - hold),
    ]
  }

  /** Returns the win of a settled bet; for a double bet also the loss, which rarely equals its stake. */
  #outcome(zone: string, net: bigint): HTMLElement | null {
    if (net > 0n) return h('span.returned', {}, `+${shown(textOf(net))}`)
    const canLoseMore = holdOf(this.#info, { [zone]: 1n }) > 0n
    return net < 0n && canLoseMore ? h('span.returned', { 'data-lost': '' }, shown(textOf(net))) : null
  }
}
