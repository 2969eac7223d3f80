/** Texts of the page. Every language has all of them: a missing one does not compile. */
export interface Strings {
  readonly lobby: string
  readonly balance: string
  readonly noTables: string
  readonly maintenance: string
  readonly placeBets: string
  /** Text for viewers who have not bet. */
  readonly bettingOpen: string
  readonly seatsOpen: string
  readonly noMoreBets: string
  readonly waiting: string
  readonly round: string
  readonly shoe: string
  readonly session: string
  readonly limits: string
  readonly road: string
  readonly myBets: string
  readonly rules: string
  readonly autoConfirm: string
  readonly sessionTime: string
  readonly sound: string
  /** Reality check: its interval, its title, and the button to continue. */
  readonly check: Readonly<Record<'every' | 'minutes' | 'title' | 'resume', string>>
  readonly noBetsYet: string
  readonly confirm: string
  readonly undo: string
  readonly clear: string
  readonly repeat: string
  readonly double: string
  readonly auto: string
  readonly autoOn: string
  readonly autoOff: string
  readonly autoNeedsBets: string
  readonly confirmSoon: string
  readonly ownAmount: string
  readonly more: string
  readonly details: string
  readonly returned: string
  readonly slip: string
  readonly stake: string
  readonly won: string
  readonly lost: string
  readonly pushed: string
  readonly voided: string
  readonly placed: string
  readonly held: string
  readonly watchOnly: string
  readonly site: string
  readonly leave: string
  readonly close: string
  readonly reconnecting: string
  readonly unconfirmed: string
  readonly wins: string
  readonly pays: string
  readonly classic: string
  readonly nocomm: string
  readonly zones: Readonly<Record<string, string>>
  /** A letter for each side, short enough for a bead of the road; unique within a road. */
  readonly marks: Readonly<Record<'banker' | 'player' | 'dragon' | 'tiger' | 'tie', string>>
  /** Names of the roads, and their marks as text. */
  readonly roads: Readonly<
    Record<
      'bead' | 'big' | 'bigEye' | 'small' | 'cockroach' | 'next' | 'rounds' | 'naturals' | 'red' | 'blue' | 'none',
      string
    >
  >
  readonly hands: Readonly<Record<string, string>>
  readonly niu: string
  readonly niuRanks: readonly [none: string, niuNiu: string, fiveFace: string, bomb: string, fiveSmall: string]
  readonly firstCard: string
  readonly board: string
  readonly dealer: string
  readonly you: string
  readonly guest: string
  readonly pot: string
  readonly call: string
  readonly fold: string
  readonly checkTurn: string
  readonly bet: string
  readonly raiseTo: string
  readonly allIn: string
  readonly betFor: string
  readonly yourTurn: string
  readonly takeSeat: string
  readonly leaveSeat: string
  readonly everyHand: string
  readonly chips: string
  readonly decided: string
  readonly folded: string
  readonly codes: Readonly<Record<string, string>>
  readonly ended: Readonly<Record<string, string>>
  readonly endedTitle: string
  readonly tableClosed: string
  /** Reason why a demo does not show a table at the moment, and the retry button. */
  readonly viewing: Readonly<Record<'full' | 'pause' | 'again', string>>
  readonly refusals: Readonly<Record<string, string>>
}

let current: Strings

export function useStrings(strings: Strings): void {
  current = strings
}

export function strings(): Strings {
  return current
}

/** Fills in the placeholders `{0}`, `{1}` of a text. */
export function formatText(sentence: string, ...parts: readonly string[]): string {
  return sentence.replace(/\{(\d)\}/g, (_, index) => parts[Number(index)] ?? '')
}

/** Returns the name of a poker hand. */
export function handName(hand: string | null | undefined): string | undefined {
  return hand === null || hand === undefined ? undefined : current.hands[hand]
}

/** Returns the name of a Niu Niu hand. */
export function niuName(rank: number): string {
  const { niu, niuRanks } = strings()
  if (rank === 0) return niuRanks[0]
  return rank < 10 ? formatText(niu, String(rank)) : (niuRanks[rank - 9] ?? '')
}
