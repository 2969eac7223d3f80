/** What the player's page is told. Types alone, shared by the server that tells and the browser that shows; amounts are decimal text. */

export type Phase = 'idle' | 'betting' | 'deciding' | 'dealing' | 'result'
export type GameName = 'baccarat' | 'dragontiger' | 'holdem' | 'niuniu'
export type EndReason = 'SESSION_REPLACED' | 'LOGGED_OUT' | 'LOCKED' | 'IDLE' | 'EXPIRED' | 'KICKED'

/** Why a table is not shown for now: `limit` players are watching, or the player has watched for `limit` minutes. */
export interface ViewingView {
  readonly reason: 'full' | 'pause'
  readonly limit: number
}

/** Who is playing. */
export interface MeView {
  readonly session: string
  readonly name: string
  readonly balance: string
  readonly currency: string
  /** False for a player who may watch only. */
  readonly mayBet: boolean
  readonly language: string
  readonly device: 'pc' | 'mobile'
  /** On the free plan and in the sandbox: the page bears a watermark. */
  readonly isDemo: boolean
  /** Where the operator's own site is, if it said so. */
  readonly siteUrl: string | null
  /** The table the link led to. */
  readonly table: string | null
}

/** A question that Hold'em against the dealer asks, and the bet that says yes. */
export interface AskView {
  readonly moment: string
  readonly zone: string
  readonly timesAnte: number
}

/** What a table is: it changes seldom. */
export interface TableInfo {
  readonly tableId: string
  readonly game: GameName
  readonly variants: readonly string[]
  readonly name: string
  readonly betSeconds: number
  readonly currency: string
  /** The smallest and the largest bet on a zone; `null` where nobody set any. */
  readonly min: string | null
  readonly max: string | null
  /** What may be bet before any card, by variant. */
  readonly zones: Readonly<Record<string, readonly string[]>>
  readonly asks: readonly AskView[]
  /** Niu Niu: what a double bet holds on top, in amounts. */
  readonly holdFactor: number | null
  readonly specialHands: boolean
  /** Niu Niu: share of each win that the house keeps; `0` for none. */
  readonly commission: string
  /** No-limit. */
  readonly blinds: {
    readonly small: string
    readonly big: string
    readonly minBuyIn: string
    readonly maxBuyIn: string
  } | null
}

/** One past round of a table. */
export interface RoadItem {
  readonly round: number
  readonly code: string | null
  readonly cards: string | null
  readonly isVoid: boolean
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

/** What moved at a table of the lobby; the road comes with a result. */
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

/** What a poker hand comes to, weakest first. */
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

/** A seat of a Hold'em table. A card that is not shown to this player is `??`. */
export interface SeatView {
  readonly seat: number
  readonly name: string
  readonly isMe: boolean
  readonly isGuest: boolean
  readonly cards: readonly string[]
  /** What these cards and the board come to, once they are seen by this player and the flop lies. */
  readonly hand: HandName | null
  /** No-limit: what is left in front of the seat, what it put in on this street, and what it did last. */
  readonly stack: string | null
  readonly street: string | null
  readonly last: string | null
  readonly hasFolded: boolean
  readonly hasDecided: boolean
  readonly hasButton: boolean
}

/** What the player may do on their turn of a no-limit hand. */
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
  /** When the dealer moves on, and how long the wait is from its beginning. */
  readonly dueAt: number | null
  readonly totalMs: number
  readonly isVoid: boolean
  /** Against the dealer: the cards after which the players are asked now. */
  readonly moment: string | null
  /** Baccarat, dragon tiger and Niu Niu, once the cards are on the table. */
  readonly code: string | null
  readonly cards: Readonly<Record<string, string>>
  readonly totals: Readonly<Record<string, number>>
  readonly winners: readonly string[]
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
  /** Once the round is settled or voided. */
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

/** A table as it is at the moment. */
export interface TableView {
  readonly now: number
  readonly version: number
  readonly status: 'open' | 'maintenance'
  /** What the player has left, in their currency. */
  readonly balance: string
  readonly round: RoundView | null
  readonly mine: MineView | null
  /** Left out of a push when it has not changed. */
  readonly road?: readonly RoadItem[]
}

/** A table as it is entered. */
export interface TableEntry {
  readonly info: TableInfo
  readonly view: TableView
}

/** One of the player's slips. */
export interface SlipView {
  readonly slipId: string
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
