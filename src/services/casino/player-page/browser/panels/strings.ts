import type { GameName } from '../views.ts'

/** Texts of the rules. They are loaded when the rules are opened. */
export interface RuleStrings {
  readonly payTable: string
  readonly zone: string
  readonly pays: string
  /** Baccarat: the banker's total, and the player's third cards on which the banker draws. */
  readonly bankerTotal: string
  readonly bankerDraws: string
  readonly texts: Readonly<Record<Exclude<GameName, 'holdem'> | 'casino' | 'thbp' | 'nlhe', string>>
}
