import type { Api } from './api.ts'
import { chipFace, chipRack } from './chips.ts'
import { add, fill, h, onClick, set, setText } from './dom.ts'
import { say, words } from './messages.ts'
import { chipsFor, shown, sum, textOf, unitsOf } from './money.ts'
import type { TableInfo, TableView } from './views.ts'
import { fullZoneName, oddsOf, winningZones, zoneName } from './zones.ts'

/** What the parts of a table do through the page around them. */
export interface Hooks {
  readonly api: Api
  mayBet(): boolean
  /** Shows what an order of the player led to, or why it was refused. */
  after(order: Promise<TableView>): Promise<boolean>
  tell(text: string): void
}

export interface Betting {
  readonly zones: HTMLElement
  readonly dock: HTMLElement
  show(view: TableView): void
  key(event: KeyboardEvent): boolean
}

type Bets = Readonly<Record<string, bigint>>

const total = (bets: Bets) => Object.values(bets).reduce((all, amount) => all + amount, 0n)
const same = (a: Bets, b: Bets) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
const sorted = (bets: Bets) =>
  Object.entries(bets)
    .sort()
    .map(([zone, amount]) => [zone, String(amount)])
const texts = (bets: Bets) => Object.fromEntries(Object.entries(bets).map(([zone, amount]) => [zone, textOf(amount)]))

/**
 * The zones and the chips. What the player lays down is a draft until it is placed, and what is placed may be changed
 * until betting closes: the draft always is all that the player wants to have on the table.
 */
export function betting(info: TableInfo, hooks: Hooks): Betting {
  const w = words()
  let view: TableView | null = null
  let variant = info.variants[0] ?? 'standard'
  let draft: Bets = {}
  let steps: Bets[] = []
  let placed: Bets = {}
  let last: Bets = {}
  let round = ''
  let isSending = false
  const rackChips = chipsFor(info.min, info.max)
  let chip = rackChips[0] ?? '1'

  const isOpen = () => view?.round?.phase === 'betting' && view.status === 'open' && hooks.mayBet()
  const put = (next: Bets) => {
    if (!isOpen() || isSending) return
    steps = [...steps, draft]
    draft = Object.fromEntries(Object.entries(next).filter(([, amount]) => amount > 0n))
    refresh()
  }
  const putChip = (zone: string) => put({ ...draft, [zone]: (draft[zone] ?? 0n) + unitsOf(chip) })

  const zones = h('div.zones', { 'data-game': info.game })
  const buttons = new Map<string, HTMLElement>()
  const rack = chipRack(rackChips, w.chips, (amount) => {
    chip = amount
  })
  rack.choose(Math.min(1, rackChips.length - 1))
  const action = (name: string, label: string, work: () => void) =>
    onClick(h('button.action', { type: 'button', 'data-action': name }, h('span', {}, label)), work)
  const actions = {
    undo: action('undo', w.undo, () => {
      const before = steps.at(-1)
      if (!before || !isOpen()) return
      steps = steps.slice(0, -1)
      draft = before
      refresh()
    }),
    clear: action('clear', w.clear, () => put({})),
    repeat: action('repeat', w.repeat, () => put(last)),
    double: action('double', w.double, () =>
      put(Object.fromEntries(Object.entries(draft).map(([zone, amount]) => [zone, 2n * amount]))),
    ),
    confirm: action('confirm', w.confirm, () => void send()),
  }
  const stake = h('output.stake')
  const note = h('span.amount')
  add(actions.confirm, note)
  const dock = h(
    'div.dock',
    {},
    rack.element,
    h('div.actions', {}, stake, actions.undo, actions.clear, actions.repeat, actions.double, actions.confirm),
  )

  async function send(): Promise<void> {
    if (!view?.round || !isOpen() || isSending || same(draft, placed)) return
    isSending = true
    refresh()
    const order = { roundId: view.round.roundId, variant, bets: texts(draft) }
    const isDone = await hooks.after(hooks.api.bet(info.tableId, order))
    isSending = false
    if (isDone) {
      steps = []
      if (Object.keys(order.bets).length > 0) hooks.tell(say(w.placed, shown(sum(Object.values(order.bets)))))
    }
    refresh()
  }

  /** The zones of a variant: built once, and again when the player changes the variant. */
  function build(): void {
    fill(zones, variant, () => {
      buttons.clear()
      return info.game === 'niuniu' ? niuZones() : plainZones()
    })
  }

  function plainZones(): HTMLElement[] {
    return (info.zones[variant] ?? []).map((zone) => zoneButton(zone))
  }

  function niuZones(): HTMLElement[] {
    return ['P1', 'P2', 'P3'].map((hand) =>
      h('div.hand-zones', {}, h('b', {}, w.zones[hand] ?? hand), zoneButton(`${hand}E`), zoneButton(`${hand}D`)),
    )
  }

  function zoneButton(zone: string): HTMLElement {
    const button = h(
      'button.zone',
      { type: 'button', 'data-zone': zone },
      // Where a zone stands in a group, its name alone says too little to who does not see the group.
      h(
        info.game === 'dragontiger' ? 'span.group' : 'span.hidden',
        {},
        fullZoneName(info.game, zone).slice(0, -zoneName(info.game, zone).length),
      ),
      h('span.name', {}, zoneName(info.game, zone)),
      h('span.odds', {}, oddsOf(info, variant, zone)),
      h('span.on'),
    )
    onClick(button, () => putChip(zone))
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'Backspace' && event.key !== 'Delete') return
      event.preventDefault()
      put({ ...draft, [zone]: 0n })
    })
    buttons.set(zone, button)
    return button
  }

  const switcher =
    info.variants.length > 1
      ? h(
          'div.variants',
          { role: 'group' },
          ...info.variants.map((each) =>
            onClick(
              h('button', { type: 'button', 'data-variant': each }, each === 'nocomm' ? w.nocomm : w.classic),
              () => {
                if (variant === each || Object.keys(placed).length > 0) return
                variant = each
                draft = {}
                steps = []
                refresh()
              },
            ),
          ),
        )
      : null

  function refresh(): void {
    build()
    const open = isOpen()
    const isChanged = !same(draft, placed)
    const won = view?.round?.phase === 'result' ? winningZones(info.game, view.round) : new Set<string>()
    const returns = view?.mine?.result?.returns ?? {}
    for (const [zone, button] of buttons) {
      const amount = draft[zone] ?? 0n
      const isPlaced = amount > 0n && placed[zone] === amount
      set(button, {
        'aria-disabled': open ? null : 'true',
        'data-won': won.has(zone) ? '' : null,
        'data-placed': amount === 0n ? null : isPlaced ? 'yes' : 'draft',
      })
      const on = button.querySelector<HTMLElement>('.on')
      if (on)
        fill(on, `${amount}/${isPlaced}/${returns[zone] ?? ''}`, () => [
          amount > 0n && chipFace(textOf(amount), rackChips),
          amount > 0n && h('span.hidden', {}, shown(textOf(amount))),
          returns[zone] !== undefined && cameTo(zone, unitsOf(returns[zone]) - amount - holdOf({ [zone]: amount })),
        ])
    }
    if (switcher)
      for (const each of switcher.querySelectorAll('button'))
        set(each, {
          'aria-pressed': String(each.dataset['variant'] === variant),
          'aria-disabled': open && Object.keys(placed).length === 0 ? null : 'true',
        })
    const hold = holdOf(draft)
    const all = open ? total(draft) : unitsOf(view?.mine?.stake ?? '0')
    const staked = all > 0n ? say(w.stake, shown(textOf(all))) : ''
    setText(stake, hold > 0n ? `${staked} · ${say(w.held, shown(textOf(hold)))}` : staked)
    setText(note, isChanged && total(draft) > 0n ? shown(textOf(total(draft))) : '')
    set(actions.confirm, { disabled: !open || !isChanged || isSending, 'data-ready': isChanged && open ? '' : null })
    set(actions.undo, { disabled: !open || steps.length === 0 })
    set(actions.clear, { disabled: !open || total(draft) === 0n })
    set(actions.repeat, { disabled: !open || total(last) === 0n || total(draft) > 0n })
    set(actions.double, { disabled: !open || total(draft) === 0n })
    set(dock, { 'data-open': open ? '' : null })
  }

  /** What a settled bet has won; of a double bet also what it has lost, which is seldom its stake. */
  function cameTo(zone: string, net: bigint): HTMLElement | null {
    if (net > 0n) return h('span.returned', {}, `+${shown(textOf(net))}`)
    return net < 0n && holdOf({ [zone]: 1n }) > 0n ? h('span.returned', { 'data-lost': '' }, shown(textOf(net))) : null
  }

  /** Niu Niu: a double bet holds more than its stake. */
  function holdOf(bets: Bets): bigint {
    const factor = BigInt(info.holdFactor ?? 0)
    return Object.entries(bets).reduce(
      (all, [zone, amount]) => all + (zone.endsWith('D') && factor > 0n ? amount * factor : 0n),
      0n,
    )
  }

  if (switcher) zones.before(switcher)
  const zonesBox = h('div.zones-box', {}, switcher, zones)

  return {
    zones: zonesBox,
    dock,
    show(next) {
      const before = view
      view = next
      const id = next.round?.roundId ?? ''
      const opening = info.zones[next.mine?.variant ?? variant] ?? []
      const bets: Bets = Object.fromEntries(
        Object.entries(next.mine?.bets ?? {})
          .filter(([zone]) => opening.includes(zone))
          .map(([zone, amount]) => [zone, unitsOf(amount)]),
      )
      if (id !== round) {
        if (total(placed) > 0n) last = placed
        round = id
        draft = bets
        steps = []
      } else if (before?.round?.phase === 'betting' && next.round?.phase !== 'betting') {
        if (!same(draft, bets)) hooks.tell(w.unconfirmed)
        draft = bets
      } else if (same(draft, placed) || next.round?.phase !== 'betting') draft = bets
      placed = bets
      if (next.mine) variant = next.mine.variant
      refresh()
    },
    key(event) {
      const place = Number(event.key) - 1
      if (place >= 0 && place < rackChips.length) rack.choose(place)
      else return false
      return true
    },
  }
}
