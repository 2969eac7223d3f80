/** Types of the page's data, shared by the server and the browser; amounts are decimal text. */

export type Phase = 'idle' | 'betting' | 'deciding' | 'dealing' | 'result'
export type GameName = 'baccarat' | 'dragontiger' | 'holdem' | 'niuniu'
export type EndReason = 'SESSION_REPLACED' | 'LOGGED_OUT' | 'LOCKED' | 'IDLE' | 'EXPIRED' | 'KICKED'

/** Reason why a table is not shown: `limit` players are watching, or the player has watched for `limit` minutes. */
export interface ViewingView {
  readonly reason: 'full' | 'pause'
  readonly limit: number
}

/** The player. */
export interface MeView {
  readonly session: string
  readonly name: string
  readonly balance: string
  readonly currency: string
  /** False for a player who can only watch. */
  readonly mayBet: boolean
  readonly language: string
  readonly device: 'pc' | 'mobile'
  /** On the free plan and in the sandbox: the page has a watermark. */
  readonly isDemo: boolean
  /** URL of the operator's own site, if set. */
  readonly siteUrl: string | null
  /** Longest interval of reality checks that the operator allows, in minutes. */
  readonly checkMinutes: number | null
  /** Beginning of the session. */
  readonly since: number
  /** Table of the launch link. */
  readonly table: string | null
}

/** A decision in Hold'em against the dealer, and its bet. */
export interface AskView {
  readonly moment: string
  readonly zone: string
  readonly timesAnte: number
}

/** Properties of a table that rarely change. */
export interface TableInfo {
  readonly tableId: string
  readonly game: GameName
  readonly variants: readonly string[]
  readonly name: string
  readonly betSeconds: number
  readonly currency: string
  /** Minimum and maximum bet on a zone; `null` for no limit. */
  readonly min: string | null
  readonly max: string | null
  /** Zones open before any card, by variant. */
  readonly zones: Readonly<Record<string, readonly string[]>>
  readonly asks: readonly AskView[]
  /** Niu Niu: hold of a double bet as a multiple of its amount. */
  readonly holdFactor: number | null
  /** No-limit. */
  readonly blinds: {
    readonly small: string
    readonly big: string
    readonly minBuyIn: string
    readonly maxBuyIn: string
  } | null
}

/** A win of a zone: its condition, if the zone has several, and the net win of a bet of one. */
export interface PayView {
  readonly zone: string
  readonly when: string | null
  readonly pays: string
}

/** Properties of a table that is entered: with its pay table for each variant. */
export interface OpenTableInfo extends TableInfo {
  readonly pays: Readonly<Record<string, readonly PayView[]>>
}

/** A past round of a table. */
export interface RoadItem {
  readonly round: number
  readonly code: string | null
  readonly isVoid: boolean
  /** Baccarat: a hand of eight or nine with two cards. */
  readonly isNatural?: boolean
}

/** A table in the lobby. */
export interface LobbyTable {
  readonly info: TableInfo
  readonly status: 'open' | 'maintenance'
  readonly phase: Phase
  readonly dueAt: number | null
  readonly road: readonly RoadItem[]
}

export interface LobbyView {
  readonly now: number
  readonly tables: readonly LobbyTable[]
}

/** Changes of a table in the lobby; the road comes with a result. */
export interface LobbyRow {
  readonly tableId: string
  readonly status: 'open' | 'maintenance'
  readonly phase: Phase
  readonly dueAt: number | null
  readonly road?: readonly RoadItem[]
}

export interface LobbyPush {
  readonly now: number
  readonly rows: readonly LobbyRow[]
}

/** Names of poker hands, weakest first. */
export type HandName =
  | 'high'
  | 'pair'
  | 'twoPair'
  | 'trips'
  | 'straight'
  | 'flush'
  | 'fullHouse'
  | 'quads'
  | 'straightFlush'
  | 'royal'

/** A seat of a Hold'em table. A card that is hidden from this player is `??`. */
export interface SeatView {
  readonly seat: number
  readonly name: string
  readonly isMe: boolean
  readonly isGuest: boolean
  readonly cards: readonly string[]
  /** Name of the hand with the board, once this player sees the cards and the flop is dealt. */
  readonly hand: HandName | null
  /** No-limit: the remaining stack, the amount put in on this street, and the last action. */
  readonly stack: string | null
  readonly street: string | null
  readonly last: string | null
  readonly hasFolded: boolean
  readonly hasDecided: boolean
  readonly hasButton: boolean
}

/** Actions available on the player's turn in a no-limit hand. */
export interface ChoicesView {
  readonly canCheck: boolean
  readonly call: string | null
  readonly raiseFrom: string | null
  readonly raiseTo: string | null
  readonly pot: string
}

export interface RoundView {
  readonly roundId: string
  readonly shoe: string
  readonly no: number
  readonly phase: Phase
  /** Time of the dealer's next step, and the length of the wait. */
  readonly dueAt: number | null
  readonly totalMs: number
  readonly isVoid: boolean
  /** Against the dealer: the cards after which players decide now. */
  readonly moment: string | null
  /** Baccarat, dragon tiger and Niu Niu, once the cards are dealt. */
  readonly code: string | null
  readonly cards: Readonly<Record<string, string>>
  readonly totals: Readonly<Record<string, number>>
  readonly winners: readonly string[]
  /** Niu Niu: indexes of the three cards that make ten, by hand. */
  readonly tens: Readonly<Record<string, readonly number[]>>
  /** Hold'em. */
  readonly board: readonly string[]
  readonly dealer: readonly string[]
  readonly dealerHand: HandName | null
  readonly seats: readonly SeatView[]
  readonly pot: string | null
  readonly turn: number | null
  readonly actions: number
  readonly choices: ChoicesView | null
}

/** The player's own part in the round. */
export interface MineView {
  readonly variant: string
  readonly bets: Readonly<Record<string, string>>
  readonly stake: string
  readonly hold: string
  readonly hasDecided: boolean
  readonly hasFolded: boolean
  /** Set once the round is settled or voided. */
  readonly result: ResultView | null
}

export interface ResultView {
  readonly status: string
  readonly code: string
  readonly stake: string
  readonly hold: string
  readonly payout: string
  readonly winLoss: string
  readonly returns: Readonly<Record<string, string>>
}

/** Current state of a table. */
export interface TableView {
  readonly now: number
  readonly version: number
  readonly status: 'open' | 'maintenance'
  /** The player's balance, in their currency. */
  readonly balance: string
  readonly round: RoundView | null
  readonly mine: MineView | null
  /** Omitted from an event when unchanged. */
  readonly road?: readonly RoadItem[]
}

/** A table with its properties and state. */
export interface TableEntry {
  readonly info: OpenTableInfo
  readonly view: TableView
}

/** Rules of a table: the net win of a bet of one by zone and condition, for each variant. */
export interface RulesView {
  readonly pays: OpenTableInfo['pays']
  /** Baccarat: the player's third cards on which the banker draws, by the banker's points. */
  readonly draws: readonly { readonly points: number; readonly on: readonly number[] }[]
}

/** A bet of a slip and what it returned; `null` if that is not known by itself. */
export interface LegView {
  readonly zone: string
  readonly amount: string
  readonly returned: string | null
}

/** Stakes and result of the session, without open and void slips. */
export interface SessionView {
  readonly now: number
  /** Beginning of the session. */
  readonly since: number
  readonly staked: string
  readonly winLoss: string
}

/** A slip of the player. */
export interface SlipView {
  readonly slipId: string
  readonly roundId: string
  readonly shoe: string
  readonly legs: readonly LegView[]
  readonly tableId: string
  readonly game: GameName
  readonly variant: string
  readonly round: number
  readonly placedAt: number
  readonly status: string
  readonly bets: Readonly<Record<string, string>>
  readonly stake: string
  readonly payout: string
  readonly winLoss: string
  readonly code: string
  readonly cards: string
}
