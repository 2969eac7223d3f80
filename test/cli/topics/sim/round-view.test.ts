import { expect, test } from 'vitest'
import { glyphsFor } from '../../../../src/cli/terminal/glyphs.ts'
import { gameOf, roundStory, roundText } from '../../../../src/cli/topics/sim/round-view.ts'
import { isNo } from '../../../../src/domain/games/game.ts'
import { games } from '../../../../src/domain/games/index.ts'
import type { Round } from '../../../../src/services/casino/api/schemas/index.ts'

const screen = glyphsFor({ isTTY: true }, { LANG: 'en_US.UTF-8', TERM: 'xterm' })
const plain = glyphsFor({ isTTY: false }, { LANG: 'en_US.UTF-8' })
const noPaint = (_style: unknown, text: string) => text

const aRound = (parts: Partial<Round>): Round => ({
  roundId: '01JQ7Z6Y3V8T2M9K4H5N0B1C2D',
  tableId: 'X-01',
  shoe: '1',
  round: 1,
  status: 'settled',
  code: null,
  cardInfo: null,
  result: null,
  complete: true,
  rev: 1,
  openedAt: null,
  settledAt: null,
  ...parts,
})

/** A round in the platform's format, computed by the game's rules. */
function dealt(name: 'baccarat' | 'dragontiger', cardInfo: string, parts: Partial<Round> = {}): Round {
  const outcome = games[name].read(
    { cardInfo },
    { variant: name === 'baccarat' ? 'classic' : 'standard', settings: {} },
  )
  if (!outcome || isNo(outcome)) throw new Error(`${cardInfo} is no ${name}`)
  const { code, result } = outcome
  return aRound({ code, cardInfo, result: result as Round['result'], ...parts })
}

const render = (round: Round, glyphs = plain) => {
  const story = roundStory(round, gameOf(round))
  return { game: story.game, text: roundText(story, glyphs, noPaint) }
}

test('baccarat: cards, points, winner, pairs and the six', () => {
  expect(render(dealt('baccarat', 'QD3D4C3SAH--'))).toEqual({
    game: 'baccarat',
    text: [
      '  Player  QD 4C AH  5',
      '  Banker  3D 3S     6  wins',
      '',
      'Banker wins with six: pays half at no-commission tables, and Super Six wins.',
      'Banker pair.',
    ].join('\n'),
  })
  expect(render(dealt('baccarat', '4H4D4S4C----')).text).toBe(
    ['  Player  4H 4S  8', '  Banker  4D 4C  8', '']
      .join('\n')
      .concat('\nTie: bets on banker and player are returned.\nPlayer pair.\nBanker pair.'),
  )
})

test('suits are symbols if the terminal supports them, red with color, and spelled elsewhere', () => {
  const round = dealt('dragontiger', 'THTS')
  expect(render(round, screen).text).toContain('  Dragon  10♥  10\n  Tiger   10♠  10')
  expect(render(round, plain).text).toContain('  Dragon  TH  10')
  const story = roundStory(round, 'dragontiger')
  expect(roundText(story, screen, (style, text) => `<${String(style)}>${text}</>`)).toContain('<red>10♥</>')
  for (const [stream, env] of [
    [{ isTTY: true }, { LANG: 'C' }],
    [{ isTTY: true }, {}],
    [{ isTTY: true }, { LANG: 'C.UTF-8', TERM: 'dumb' }],
    [{ isTTY: true }, { LANG: 'C.UTF-8', LC_ALL: 'POSIX' }],
    [{}, { LANG: 'C.UTF-8' }],
  ] as const) {
    expect(glyphsFor(stream, env).card('AS')).toBe('AS')
  }
})

test('dragon tiger: both cards, the winner, ties', () => {
  expect(render(dealt('dragontiger', 'QD3D')).text).toContain(
    '  Dragon  QD  12  wins\n  Tiger   3D   3\n\nDragon wins.',
  )
  expect(render(dealt('dragontiger', '3DQD')).text).toContain('Tiger wins.')
  expect(render(dealt('dragontiger', 'QDQD')).text).toContain('Suited tie: half of each bet')
  expect(render(dealt('dragontiger', 'QDQS')).text).toContain('Tie: half of each bet')
})

const niuniu = aRound({
  code: '5A470',
  cardInfo: 'KS|TH JD QS KC TC|2C 2D TS JS TD|7C 7D 6S JC QC|AS 2S 3H 5C 9D',
  result: {
    cards: Object.fromEntries([
      ['F', 'KS'],
      ...['TH JD QS KC TC', '2C 2D TS JS TD', '7C 7D 6S JC QC', 'AS 2S 3H 5C 9D'].flatMap((cards, hand) =>
        cards.split(' ').map((card, i) => [`${['B', 'P1', 'P2', 'P3'][hand]}-${i + 1}`, card]),
      ),
    ]),
    hands: { B: 10, P1: 4, P2: 7, P3: 0 },
    winners: { P1: 'P', P2: 'B', P3: 'P' },
  },
})

test('Niu Niu: the first card, four hands by name, and the hands that beat the banker', () => {
  expect(render(niuniu)).toEqual({
    game: 'niuniu',
    text: [
      '  First     KS',
      '  Banker    TH JD QS KC TC  Niu Niu',
      '  Player 1  2C 2D TS JS TD  bull 4   wins',
      '  Player 2  7C 7D 6S JC QC  bull 7',
      '  Player 3  AS 2S 3H 5C 9D  no bull  wins',
      '',
      'Player 1 and Player 3 beat the banker.',
    ].join('\n'),
  })
})

test('Niu Niu with a known code and no cards', () => {
  const { game, text } = render(aRound({ code: '2D-C-', complete: false }))
  expect(game).toBe('niuniu')
  expect(text).toMatch(/Banker +Five Small Bull\n +Player 1 +unknown\n +Player 2 +Bomb +wins\n +Player 3 +unknown/)
  expect(text).toContain('Player 2 beats the banker.\nNot all cards are known')
  expect(render(aRound({ code: '00000' })).text).toContain('The banker beats all three.')
})

test("Hold'em: board and dealer; each player's own cards are on the slip", () => {
  const casino = render(aRound({ cardInfo: 'AS KD 7H 7C 2S||QD QC' }))
  expect(casino.game).toBe('holdem')
  expect(casino.text).toMatch(/Board {3}AS KD 7H 7C 2S\n {2}Dealer {2}QD QC/)
  expect(render(aRound({ cardInfo: 'AS KD 7H 7C 2S' })).text).not.toContain('Dealer')
})

test('a round without enough data is named by the game of its table, or only by its code', () => {
  const round = aRound({ code: '7', complete: false })
  expect(gameOf(round)).toBe(null)
  expect(roundStory(round, 'baccarat')).toMatchObject({
    hands: [],
    sentences: [/Banker wins with six/, 'Banker pair.', /Not all/].map((each) =>
      typeof each === 'string' ? each : expect.stringMatching(each),
    ),
  })
  expect(roundStory(round, null).sentences[0]).toBe('The source reported only the code 7.')
})

test('void, disputed and corrected rounds have a note, and a void one names no winner', () => {
  const won = 'QD3D4C3SAH--'
  expect(render(dealt('baccarat', won, { status: 'void', rev: 2 })).text).toMatch(
    /AH +5\n.*\n\nThe round is void: all stakes were returned/,
  )
  expect(roundStory(aRound({ status: 'void', rev: 1 }), null).sentences).toHaveLength(1)
  expect(render(dealt('baccarat', won, { status: 'disputed' })).text).toContain('stay unchanged')
  expect(render(dealt('baccarat', won, { rev: 2 })).text).toContain('was corrected once.')
  expect(render(dealt('baccarat', won, { rev: 4 })).text).toContain('was corrected 3 times.')
  expect(render(dealt('baccarat', won, { status: 'void', rev: 3 })).text).toContain('was corrected once.')
})

test('control characters in a card do not reach the terminal', () => {
  const odd = aRound({
    result: { cards: { D: '\u001b[2J', TG: 'AS' }, dragon: 1, tiger: 1, winner: 'T', suitedTie: false },
  })
  expect(render(odd).text).not.toContain('\u001b')
})
