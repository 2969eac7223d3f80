/**
 * A bet record on its way from the platform into the book and the files. It holds texts: those that become cells, and
 * whole parts as the JSON they came as, since nothing on that way looks into them.
 */
import { amountPattern } from './money.ts'

export interface PulledBet {
  readonly recSeq: number
  readonly slipId: string
  readonly rev: number
  readonly status: 'settled' | 'recalculated' | 'void'
  readonly username: string
  readonly currency: string
  readonly tableId: string
  readonly game: string
  readonly variant: string
  readonly roundId: string
  readonly shoe: string
  readonly round: number
  readonly stake: string
  readonly hold: string | undefined
  readonly validStake: string
  readonly rolling: string
  readonly payout: string
  readonly winLoss: string
  readonly delta: string
  readonly rake: string | undefined
  readonly onsite: boolean | undefined
  readonly resultCode: string
  readonly cardInfo: string
  readonly placedAt: string
  readonly settledAt: string
  /** Compact JSON. */
  readonly bets: string
  readonly result: string
  /** Compact JSON of all of it. */
  readonly record: string
}

/** A record as the contract gives it. */
export interface BetInParts
  extends Omit<PulledBet, 'hold' | 'rake' | 'onsite' | 'resultCode' | 'cardInfo' | 'bets' | 'result' | 'record'> {
  readonly hold?: string
  readonly rake?: string
  readonly onsite?: boolean
  readonly bets: readonly { readonly amount: string; readonly return: string; readonly hold?: string }[]
  readonly result: { readonly code: string; readonly cardInfo: string }
}

export function pulledBet(bet: BetInParts): PulledBet {
  const { hold, rake, onsite, result } = bet
  return {
    recSeq: bet.recSeq,
    slipId: bet.slipId,
    rev: bet.rev,
    status: bet.status,
    username: bet.username,
    currency: bet.currency,
    tableId: bet.tableId,
    game: bet.game,
    variant: bet.variant,
    roundId: bet.roundId,
    shoe: bet.shoe,
    round: bet.round,
    stake: bet.stake,
    hold,
    validStake: bet.validStake,
    rolling: bet.rolling,
    payout: bet.payout,
    winLoss: bet.winLoss,
    delta: bet.delta,
    rake,
    onsite,
    resultCode: result.code,
    cardInfo: result.cardInfo,
    placedAt: bet.placedAt,
    settledAt: bet.settledAt,
    bets: JSON.stringify(bet.bets),
    result: JSON.stringify(result),
    record: JSON.stringify(bet),
  }
}

const amounts = ['stake', 'validStake', 'rolling', 'payout', 'winLoss', 'delta'] as const

/**
 * The name of the first field that cannot be what it says, or `null` when all can. The shape is the contract's; but a text
 * that must be an amount and is none would be found weeks later, by whoever adds the column up.
 */
export function faultOfBet(bet: BetInParts): string | null {
  if (!Number.isSafeInteger(bet.recSeq) || bet.recSeq < 0) return 'recSeq'
  if (bet.slipId === '') return 'slipId'
  if (!Number.isSafeInteger(bet.rev) || bet.rev < 1) return 'rev'
  if (!Number.isSafeInteger(bet.round)) return 'round'
  for (const name of amounts) if (!amountPattern.test(bet[name])) return name
  if (bet.hold !== undefined && !amountPattern.test(bet.hold)) return 'hold'
  if (bet.rake !== undefined && !amountPattern.test(bet.rake)) return 'rake'
  for (const leg of bet.bets) {
    const isFit = amountPattern.test(leg.amount) && amountPattern.test(leg.return)
    if (!isFit || (leg.hold !== undefined && !amountPattern.test(leg.hold))) return 'bets'
  }
  if (!isMoment(bet.placedAt)) return 'placedAt'
  return isMoment(bet.settledAt) ? null : 'settledAt'
}

/** UTC and ISO 8601, as the document promises: the cell of a file needs no quotes, and no machine's zone is asked. */
const momentForm = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,9})?Z$/

function isMoment(text: string): boolean {
  return momentForm.test(text) && !Number.isNaN(Date.parse(text))
}

// ── The quick way ──

/**
 * A record by its grammar: every field in the contract's order, compact, texts without an escape, amounts that are amounts.
 * What fits has at once been parsed, checked and cut into its parts. That takes an eighth of the time of doing it in steps,
 * and a month's bets are a million records. What does not fit says nothing: it is read in steps, by the contract.
 */
const plain = '[^"\\\\\\u0000-\\u001f]'
const text = `"${plain}*"`
const whole = '(?:0|[1-9][0-9]{0,14})'
const amount = '"-?[0-9]{1,15}(?:[.][0-9]{1,4})?"'
const moment =
  '"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?Z"'
const key = '"[A-Z][A-Z0-9]*"'
const listOf = (item: string) => `(?:${item}(?:,${item})*)?`
const leg = `[{]"zone":${text},"amount":${amount},"return":${amount}(?:,"hold":${amount})?(?:,"mult":[0-9]{1,9})?[}]`
const hands = `[{]${listOf(`${key}:-?${whole}`)}[}]`
const winners = `[{]${listOf(`${key}:${text}`)}[}]`
const hand = `[{]"handId":${text},"no":${whole},"outcome":${text},"cards":${text}[}]`

/** The text of a field that is taken out of the record, without its quotes. */
const taken = (form: string) => `"(${form.slice(1, -1)})"`

const grammar = new RegExp(
  [
    `[{]"recSeq":(${whole})`,
    `"slipId":"(${plain}+)"`,
    '"rev":([1-9][0-9]{0,14})',
    '"status":"(settled|recalculated|void)"',
    `"username":${taken(text)}`,
    `"currency":${taken(text)}`,
    `"tableId":${taken(text)}`,
    '"game":"(baccarat|dragontiger|holdem|niuniu)"',
    `"variant":${taken(text)}`,
    `"roundId":${taken(text)}`,
    `"shoe":${taken(text)}`,
    `"round":(${whole})`,
    `"bets":(\\[${listOf(leg)}\\])`,
    `"stake":${taken(amount)}(?:,"hold":${taken(amount)})?`,
    `"validStake":${taken(amount)}`,
    `"rolling":${taken(amount)}`,
    `"payout":${taken(amount)}`,
    `"winLoss":${taken(amount)}`,
    `"delta":${taken(amount)}`,
    `"result":([{]"code":${taken(text)},"cardInfo":${taken(text)}(?:,"hands":${hands})?(?:,"winners":${winners})?[}])` +
      `(?:,"rake":${taken(amount)})?(?:,"onsite":(true|false))?(?:,"hand":${hand})?`,
    `"placedAt":${taken(moment)}`,
    `"settledAt":${taken(moment)}[}]`,
  ].join(','),
  'y',
)

/** The record that begins at a position of a JSON text; nothing when it is not written by the grammar. */
export function betAt(json: string, at: number): PulledBet | undefined {
  grammar.lastIndex = at
  const parts: readonly (string | undefined)[] | null = grammar.exec(json)
  if (!parts) return undefined
  // A group that the grammar demands is there when the whole is.
  const part = (group: number) => parts[group] ?? ''
  const placedAt = part(26)
  const settledAt = part(27)
  if (!isRealDay(placedAt) || !isRealDay(settledAt)) return undefined
  return {
    record: part(0),
    recSeq: Number(parts[1]),
    slipId: part(2),
    rev: Number(parts[3]),
    status: part(4) as PulledBet['status'],
    username: part(5),
    currency: part(6),
    tableId: part(7),
    game: part(8),
    variant: part(9),
    roundId: part(10),
    shoe: part(11),
    round: Number(parts[12]),
    bets: part(13),
    stake: part(14),
    hold: parts[15],
    validStake: part(16),
    rolling: part(17),
    payout: part(18),
    winLoss: part(19),
    delta: part(20),
    result: part(21),
    resultCode: part(22),
    cardInfo: part(23),
    rake: parts[24],
    onsite: parts[25] === undefined ? undefined : parts[25] === 'true',
    placedAt,
    settledAt,
  }
}

/** The grammar lets a 31st into every month. */
function isRealDay(moment: string): boolean {
  return moment.slice(8, 10) <= '28' || !Number.isNaN(Date.parse(moment))
}

/** A record that was kept as text. */
export function betOf(record: string): PulledBet {
  const bet = betAt(record, 0)
  return bet?.record.length === record.length ? bet : pulledBet(JSON.parse(record))
}
