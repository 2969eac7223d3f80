import { formatText, handName, niuName, strings } from './messages.ts'
import { shown, unitsOf } from './money.ts'
import type { RoundView, TableInfo, TableView } from './views.ts'

/** Status texts of a table. */
export class TableStatusText {
  readonly #info: TableInfo
  readonly #mayBet: () => boolean

  constructor(info: TableInfo, mayBet: () => boolean) {
    this.#info = info
    this.#mayBet = mayBet
  }

  /** Returns the round's number, and the blinds where they are posted. */
  metaOf(round: RoundView | null): string {
    if (!round) return ''
    const w = strings()
    const { game, blinds } = this.#info
    const run = round.shoe === '' ? '' : formatText(game === 'niuniu' ? w.session : w.shoe, round.shoe)
    const posted = blinds ? `${shown(blinds.small)} / ${shown(blinds.big)}` : ''
    return [posted, run, formatText(w.round, String(round.no))].filter(Boolean).join(' · ')
  }

  statusOf({ round, status, mine }: TableView): string {
    const w = strings()
    if (!round || round.phase === 'idle') return status === 'maintenance' ? w.maintenance : w.waiting
    if (round.phase === 'betting') return this.#bettingText(mine !== null)
    if (round.phase === 'deciding' && (round.choices || this.#isAsked(mine))) return w.yourTurn
    if (round.phase === 'result')
      return round.isVoid ? voidedText(mine !== null) : (this.#resultOf(round, mine) ?? w.waiting)
    return w.noMoreBets
  }

  /** Returns the announcement for screen readers. */
  newsOf(view: TableView): string {
    const result = view.round?.phase === 'result' ? view.mine?.result : null
    const outcome = result ? outcomeText(result.winLoss, view.round?.isVoid ?? false) : ''
    return [this.statusOf(view), outcome].filter(Boolean).join('. ')
  }

  /** Hold'em against the dealer asks each player; at tables with blinds the seats take turns. */
  #isAsked(mine: TableView['mine']): boolean {
    const { game, blinds } = this.#info
    return game === 'holdem' && !blinds && mine !== null && !mine.hasDecided && !mine.hasFolded
  }

  /** Returns the text before the cards: bet, or take a seat; a seated player waits for the hand. */
  #bettingText(isIn: boolean): string {
    const w = strings()
    if (!this.#mayBet()) return w.bettingOpen
    if (!this.#info.blinds) return w.placeBets
    return isIn ? w.waiting : w.seatsOpen
  }

  /** Returns the result as a sentence. */
  #resultOf(round: RoundView, mine: TableView['mine']): string | null {
    const w = strings()
    const { winners, totals } = round
    if (this.#info.game === 'holdem') return this.#info.blinds ? potOf(round, mine) : dealerOf(round)
    const [winner] = winners
    const rank = totals['B']
    if (this.#info.game === 'niuniu') return rank === undefined ? null : `${w.zones['B']}: ${niuName(rank)}`
    if (winner === undefined) return null
    const points = this.#info.game === 'baccarat' ? ` ${totals['P']} : ${totals['B']}` : ''
    return winner === 'T' ? `${w.zones['T']}${points}` : `${formatText(w.wins, w.zones[winner] ?? '')}${points}`
  }
}

/** Hold'em against the dealer: the dealer's hand. */
function dealerOf({ dealerHand }: RoundView): string | null {
  const name = handName(dealerHand)
  return name === undefined ? null : `${strings().dealer}: ${name}`
}

/** No-limit: the player's own result, or the seat that is left. */
function potOf({ seats, pot }: RoundView, mine: TableView['mine']): string {
  const w = strings()
  const own = mine?.result ? w.codes[mine.result.code] : undefined
  const left = seats.filter(({ hasFolded }) => !hasFolded)
  const [only] = left.length === 1 ? left : []
  const name = only && (only.isGuest ? formatText(w.guest, String(only.seat)) : only.name)
  return own ?? (name === undefined ? formatText(w.pot, shown(pot ?? '0')) : formatText(w.wins, name))
}

/** A player with bets also reads that the stakes were returned. */
function voidedText(isIn: boolean): string {
  const w = strings()
  return isIn ? (w.codes['void'] ?? w.voided) : w.voided
}

/** Shows the player's win or loss. */
export function outcomeText(winLoss: string, isVoid: boolean): string {
  const w = strings()
  if (isVoid) return w.voided
  if (unitsOf(winLoss) === 0n) return w.pushed
  return winLoss.startsWith('-') ? formatText(w.lost, shown(winLoss.slice(1))) : formatText(w.won, shown(winLoss))
}
