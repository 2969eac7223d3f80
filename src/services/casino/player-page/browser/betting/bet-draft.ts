import { unitsOf } from '../money.ts'
import type { TableInfo, TableView } from '../views.ts'
import { type Bets, isSame, total } from './bets.ts'

/**
 * The player's bets: a draft until they are placed, and changeable until betting closes. The draft is always everything
 * the player wants to have on the table.
 */
export class BetDraft {
  readonly #info: TableInfo
  #steps: Bets[] = []
  #last: Bets = {}
  #lastVariant = ''
  /** Placed bets when the draft began to differ from them. */
  #base: Bets = {}
  #round = ''
  #wasBetting = false
  variant: string
  bets: Bets = {}
  placed: Bets = {}

  constructor(info: TableInfo) {
    this.#info = info
    this.variant = info.variants[0] ?? 'standard'
  }

  get total(): bigint {
    return total(this.bets)
  }

  get isChanged(): boolean {
    return !isSame(this.bets, this.placed)
  }

  get canUndo(): boolean {
    return this.#steps.length > 0
  }

  /** True if the last bets can be laid: with bets on the table their variant stays. */
  get canRepeat(): boolean {
    const isOfVariant = this.#lastVariant === this.variant || Object.keys(this.placed).length === 0
    return total(this.#last) > 0n && this.total === 0n && isOfVariant
  }

  /** True if a zone has less than what is placed on it. */
  get isReduced(): boolean {
    return Object.entries(this.placed).some(([zone, amount]) => (this.bets[zone] ?? 0n) < amount)
  }

  /** Bets of the last round in which the player had some, and their variant. */
  get last(): { bets: Bets; variant: string } {
    return { bets: this.#last, variant: this.#lastVariant }
  }

  /** True if the draft is a change of what is placed now: nothing was placed elsewhere since it was begun. */
  get isCurrent(): boolean {
    return isSame(this.#base, this.placed)
  }

  put(next: Bets): void {
    if (!this.isChanged) this.#base = this.placed
    this.#steps = [...this.#steps, this.bets]
    this.bets = Object.fromEntries(Object.entries(next).filter(([, amount]) => amount > 0n))
  }

  undo(): void {
    this.bets = this.#steps.at(-1) ?? this.bets
    this.#steps = this.#steps.slice(0, -1)
  }

  /** Returns to the placed bets. */
  reset(): void {
    this.bets = this.placed
    this.#steps = []
  }

  /** The draft was placed, so its bets cannot be undone one by one. */
  forgetSteps(): void {
    this.#steps = []
  }

  /** Chooses another variant, which has other zones. With bets on the table it stays. */
  choose(variant: string): void {
    if (this.variant === variant || Object.keys(this.placed).length > 0) return
    this.variant = variant
    this.bets = {}
    this.#steps = []
  }

  /** Takes in what the table says. Returns whether betting closed on a draft that was not placed. */
  take({ round, mine }: TableView): boolean {
    const bets = this.#openingBets(mine)
    const isBetting = round?.phase === 'betting'
    const isClosing = this.#wasBetting && !isBetting
    const id = round?.roundId ?? ''
    let isLost = false
    if (id !== this.#round) {
      if (total(this.placed) > 0n) {
        this.#last = this.placed
        this.#lastVariant = this.variant
      }
      this.#round = id
      this.bets = bets
      this.#steps = []
    } else if (isClosing) {
      isLost = !isSame(this.bets, bets)
      this.bets = bets
    } else if (!this.isChanged || !isBetting) this.bets = bets
    this.placed = bets
    this.#wasBetting = isBetting
    if (mine) this.variant = mine.variant
    return isLost
  }

  /** The player's bets of those that are made before any card. */
  #openingBets(mine: TableView['mine']): Bets {
    const opening = this.#info.zones[mine?.variant ?? this.variant] ?? []
    return Object.fromEntries(
      Object.entries(mine?.bets ?? {})
        .filter(([zone]) => opening.includes(zone))
        .map(([zone, amount]) => [zone, unitsOf(amount)]),
    )
  }
}
