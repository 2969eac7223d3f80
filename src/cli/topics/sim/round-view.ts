import type { GameName } from '../../../domain/games/game.ts'
import type { Round } from '../../../services/casino/api/schemas/index.ts'
import type { Paint } from '../../terminal/color.ts'
import type { Glyphs } from '../../terminal/glyphs.ts'
import { padEnd, padStart, printable, widthOf } from '../../terminal/text.ts'

/** A round explained to people: the cards and the result. */
export interface RoundStory {
  readonly game: GameName | null
  /** Hands in the order of the game. */
  readonly hands: readonly Hand[]
  /** The result in sentences. */
  readonly sentences: readonly string[]
}

interface Hand {
  readonly name: string
  /** Card codes of the API. */
  readonly cards: readonly string[]
  /** Points, or rank of the hand. */
  readonly worth: string
  readonly won: boolean
}

type Fields = Readonly<Record<string, unknown>>

/** Explains a round of a game. A void round has no result. */
export function roundStory(round: Round, game: GameName | null): RoundStory {
  const explanation = game === null ? { hands: [], sentences: unreadable(round) } : describers[game](round)
  const came = round.status === 'void' ? [] : explanation.sentences
  return { game, hands: explanation.hands, sentences: [...came, ...statusSentences(round)] }
}

const describers: Readonly<Record<GameName, (round: Round) => Pick<RoundStory, 'hands' | 'sentences'>>> = {
  baccarat,
  dragontiger,
  holdem,
  niuniu,
}

/** Returns the game by the form of the round, because the API does not name it; `null` if several games have this form. */
export function gameOf({ code, cardInfo, result }: Round): GameName | null {
  if (result !== null) {
    if ('hands' in result || 'winners' in result) return 'niuniu'
    if ('dragon' in result) return 'dragontiger'
    if ('playerPair' in result) return 'baccarat'
  }
  if (code?.length === 5) return 'niuniu'
  if (cardInfo === null || cardInfo === '') return null
  const groups = cardInfo.split('|').length
  if (groups === 5) return 'niuniu'
  if (groups === 3 || cardInfo.includes(' ')) return 'holdem'
  return cardInfo.length === 12 ? 'baccarat' : cardInfo.length === 4 ? 'dragontiger' : null
}

function unreadable({ code }: Round): string[] {
  return code === null || code === '' ? ['The round has no result.'] : [`The source reported only the code ${code}.`]
}

/** Sentences about status, corrections and missing cards. */
function statusSentences({ status, rev, complete }: Round): string[] {
  const corrections = status === 'void' ? rev - 2 : rev - 1
  return [
    ...(status === 'void' ? ['The round is void: all stakes were returned.'] : []),
    ...(status === 'disputed'
      ? [
          'A correction or void was not allowed (too late, or a balance would become negative): result and amounts stay unchanged.',
        ]
      : []),
    ...(corrections > 0 ? [`The result was corrected ${corrections === 1 ? 'once' : `${corrections} times`}.`] : []),
    ...(complete === false ? ['Not all cards are known: the source reported the outcome only.'] : []),
  ]
}

function baccarat({ code, result }: Round) {
  const bits = code !== null && /^[0-9A-F]$/i.test(code) ? Number.parseInt(code, 16) : undefined
  const winner = bits === undefined ? result?.['winner'] : (['T', 'B', 'P', 'B'] as const)[bits & 3]
  const cards = fieldsIn(result, 'cards')
  const hand = (name: string, side: 'P' | 'B', points: unknown): Hand => ({
    name,
    cards: [1, 2, 3].flatMap((slot) => cardAt(cards, `${side}${slot}`)),
    worth: typeof points === 'number' ? String(points) : '',
    won: winner === side,
  })
  const withSix = bits !== undefined && (bits & 3) === 3
  const outcome =
    winner === 'B'
      ? `Banker wins${withSix ? ' with six: pays half at no-commission tables, and Super Six wins' : ''}.`
      : winner === 'P'
        ? 'Player wins.'
        : 'Tie: bets on banker and player are returned.'
  const pairs = [
    ...(result?.['playerPair'] === true || ((bits ?? 0) & 8) !== 0 ? ['Player pair'] : []),
    ...(result?.['bankerPair'] === true || ((bits ?? 0) & 4) !== 0 ? ['Banker pair'] : []),
  ]
  return {
    hands: dealt([hand('Player', 'P', result?.['player']), hand('Banker', 'B', result?.['banker'])]),
    sentences: [outcome, ...pairs.map((pair) => `${pair}.`)],
  }
}

function dragontiger({ code, result }: Round) {
  const cards = fieldsIn(result, 'cards')
  const winner = result?.['winner'] ?? { 1: 'D', 2: 'TG', 4: 'T', C: 'T' }[code ?? '']
  const hand = (name: string, side: 'D' | 'TG', rank: unknown): Hand => ({
    name,
    cards: cardAt(cards, side),
    worth: typeof rank === 'number' ? String(rank) : '',
    won: winner === side,
  })
  const isSuited = result?.['suitedTie'] === true || code === 'C'
  const outcome =
    winner === 'D'
      ? 'Dragon wins.'
      : winner === 'TG'
        ? 'Tiger wins.'
        : `${isSuited ? 'Suited tie' : 'Tie'}: half of each bet on dragon and tiger is returned.`
  return {
    hands: dealt([hand('Dragon', 'D', result?.['dragon']), hand('Tiger', 'TG', result?.['tiger'])]),
    sentences: [outcome],
  }
}

function holdem({ cardInfo }: Round) {
  const [board = '', , dealer = ''] = (cardInfo ?? '').split('|')
  const cardsIn = (text: string) => (text === '' ? [] : text.split(' '))
  const hands: Hand[] = [
    { name: 'Board', cards: cardsIn(board), worth: '', won: false },
    ...(dealer === '' ? [] : [{ name: 'Dealer', cards: cardsIn(dealer), worth: '', won: false }]),
  ]
  return { hands, sentences: ['The cards and the result of each player are on the slip of the player.'] }
}

/** Names of the ranks by their numbers. */
const bulls = [
  'no bull',
  ...Array.from({ length: 9 }, (_, i) => `bull ${i + 1}`),
  'Niu Niu',
  'Five Face Bull',
  'Bomb',
  'Five Small Bull',
]

function niuniu({ code, result }: Round) {
  const cards = fieldsIn(result, 'cards')
  const ranks = fieldsIn(result, 'hands')
  const winners = fieldsIn(result, 'winners')
  const mask = code !== null && /^[0-7]/.test(code) ? Number(code.charAt(0)) : undefined
  const wins = (hand: string, i: number) =>
    winners[hand] === undefined ? mask !== undefined && (mask & (1 << i)) !== 0 : winners[hand] === 'P'
  const rankOf = (hand: string, i: number) => {
    const known = ranks[hand] ?? '0123456789ABCD'.indexOf(code?.charAt(i + 1) ?? '-')
    return typeof known === 'number' && known >= 0 ? (bulls[known] ?? '') : 'unknown'
  }
  const names = { B: 'Banker', P1: 'Player 1', P2: 'Player 2', P3: 'Player 3' }
  const hands = Object.entries(names).map(
    ([hand, name], i): Hand => ({
      name,
      cards: [1, 2, 3, 4, 5].flatMap((slot) => cardAt(cards, `${hand}-${slot}`)),
      worth: rankOf(hand, i),
      won: hand !== 'B' && wins(hand, i - 1),
    }),
  )
  const winning = hands.filter(({ won }) => won).map(({ name }) => name)
  const outcome =
    winning.length === 0
      ? 'The banker beats all three.'
      : `${listed(winning)} ${winning.length === 1 ? 'beats' : 'beat'} the banker.`
  const first = cardAt(cards, 'F')
  return {
    hands: [...(first.length > 0 ? [{ name: 'First', cards: first, worth: '', won: false }] : []), ...hands],
    sentences: [outcome],
  }
}

/** Returns the hands with any known card; a source may report the outcome only. */
function dealt(hands: readonly Hand[]): Hand[] {
  return hands.some(({ cards, worth }) => cards.length > 0 || worth !== '') ? [...hands] : []
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function fieldsIn(result: Fields | null, name: string): Fields {
  const part = result?.[name]
  return part !== null && typeof part === 'object' ? (part as Fields) : {}
}

function cardAt(cards: Fields, slot: string): string[] {
  const card = cards[slot]
  return typeof card === 'string' ? [card] : []
}

/** Formats the explanation: hands in columns, then the result. */
export function roundText({ hands, sentences }: RoundStory, glyphs: Glyphs, paint: Paint): string {
  const nameWidth = Math.max(0, ...hands.map(({ name }) => widthOf(name)))
  const shown = hands.map((hand) => ({ ...hand, drawn: hand.cards.map((card) => printable(glyphs.card(card))) }))
  const cardWidth = Math.max(0, ...shown.flatMap(({ drawn }) => drawn.map(widthOf)))
  const rows = Math.max(0, ...shown.map(({ drawn }) => drawn.length))
  const worthWidth = Math.max(0, ...hands.map(({ worth }) => widthOf(worth)))
  const lines = shown.map(({ name, cards, drawn, worth, won }) => {
    const row = Array.from({ length: rows }, (_, i) => {
      const cell = padStart(drawn[i] ?? '', cardWidth)
      return /[HD]$/.test(cards[i] ?? '') ? paint('red', cell) : cell
    })
    const end = won ? `  ${paint('green', 'wins')}` : ''
    return `  ${padEnd(name, nameWidth)}  ${row.join(' ')}  ${(/^\d*$/.test(worth) ? padStart : padEnd)(printable(worth), worthWidth)}${end}`.trimEnd()
  })
  return [...(lines.length > 0 ? [...lines, ''] : []), ...sentences].join('\n')
}
