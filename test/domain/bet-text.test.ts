import { describe, expect, test } from 'vitest'
import { betColumns, betFile, betHeader, betLine, monthOfFile } from '../../src/domain/bets/csv.ts'
import { type BetTotals, maxLineBytes, RecordLines } from '../../src/domain/bets/csv-bytes.ts'
import { betAt, betOf, outlineAt } from '../../src/domain/bets/fast-parser.ts'
import { type BetInParts, faultOfBet, pulledBet } from '../../src/domain/bets/record.ts'
import { parseAmount } from '../../src/domain/money.ts'

/** A record of each game with the fields of the document, in its order; all of its values differ. */
const niuniu = {
  recSeq: 17,
  slipId: 's-1',
  rev: 2,
  status: 'recalculated',
  username: 'amy',
  currency: 'USD',
  tableId: 'NN-01',
  game: 'niuniu',
  variant: 'standard',
  roundId: '01K7Q2M3V4W5X6Y7Z8A9B0C1D2',
  shoe: '31',
  round: 60,
  bets: [
    { zone: 'P1E', amount: '1', return: '2' },
    { zone: 'P2D', amount: '4', return: '12', hold: '8', mult: 10 },
  ],
  stake: '5',
  hold: '8.5',
  validStake: '6',
  rolling: '7',
  payout: '14',
  winLoss: '-1.2345',
  delta: '-3',
  result: {
    code: '3A21-',
    cardInfo: '4H|AS 2S 3S 4S 5S||',
    hands: { B: 10, P1: 2 },
    winners: { P1: 'P', P2: 'B' },
  },
  placedAt: '2026-03-10T12:00:00.000Z',
  settledAt: '2026-03-10T12:00:30.125Z',
} as const
const { hold: _, result: __, placedAt, settledAt, ...shared } = niuniu
const holdem = {
  ...shared,
  status: 'settled',
  game: 'holdem',
  variant: 'nlhe',
  shoe: '',
  result: { code: 'win', cardInfo: '|AS KD' },
  rake: '0.5',
  onsite: true,
  hand: { handId: '01K7Q2M3V4W5X6Y7Z8A9B0C1D2', no: 60, outcome: 'win', cards: '|AS KD' },
  placedAt,
  settledAt,
} as const
const { rake: ___, ...withoutRake } = holdem
const { onsite: ____, ...withoutSeat } = holdem
const records = [
  niuniu,
  holdem,
  { ...holdem, status: 'void', onsite: false, game: 'baccarat' },
  { ...holdem, game: 'dragontiger' },
  withoutRake,
  withoutSeat,
]

describe('a record parsed from its text', () => {
  test.each(records)('equals the record parsed by the contract: $game $status', (record) => {
    const json = `[${JSON.stringify(record)}]`
    expect(betAt(json, 1)).toEqual(pulledBet(record as unknown as BetInParts))
    expect(betOf(JSON.stringify(record))).toEqual(pulledBet(record as unknown as BetInParts))
    expect(outlineAt(json, 1)).toEqual({
      ...{ recSeq: 17, slipId: 's-1', rev: 2, username: 'amy' },
      ...{ settledAt: '2026-03-10T12:00:30.125Z', record: json.slice(1, -1) },
    })
    expect([betAt(json, 0), outlineAt(json, 0)]).toEqual([undefined, undefined])
  })

  test('with a space, an escape or an additional field is left to the contract', () => {
    const json = JSON.stringify(niuniu)
    for (const text of [json.replace(':17', ': 17'), json.replace('amy', 'a\\u006dy'), json.replace('}', ',"x":1}')]) {
      expect(betAt(text, 0)).toBeUndefined()
      expect(outlineAt(text, 0)).toBeUndefined()
    }
    const escaped = json.replace('amy', 'a\\u006dy')
    expect(betOf(escaped).username).toBe('amy')
    expect(betOf(`${json} `)).toEqual(pulledBet(niuniu as unknown as BetInParts))
  })

  test.each([
    ['2026-02-28', true],
    ['2026-02-29', false],
    ['2028-02-29', true],
    ['2026-04-30', true],
    ['2026-04-31', false],
    ['2026-03-31', true],
    ['2026-02-19', true],
    ['2026-03-00', false],
    ['2026-13-01', false],
  ])('of %s is read: %s', (day, isRead) => {
    for (const field of ['placedAt', 'settledAt']) {
      const json = JSON.stringify({ ...niuniu, [field]: `${day}T12:00:00Z` })
      expect([betAt(json, 0) !== undefined, outlineAt(json, 0) !== undefined]).toEqual([isRead, isRead])
    }
  })

  test.each([
    ['"recSeq":0', true],
    ['"recSeq":999999999999999', true],
    ['"recSeq":1000000000000000', false],
    ['"recSeq":01', false],
    ['"recSeq":-1', false],
  ])('with %s is read: %s', (field, isRead) => {
    expect(betAt(JSON.stringify(niuniu).replace('"recSeq":17', field), 0) !== undefined).toBe(isRead)
  })

  test.each([
    ['"rev":1', true],
    ['"rev":0', false],
  ])('with %s is read: %s', (field, isRead) => {
    expect(betAt(JSON.stringify(niuniu).replace('"rev":2', field), 0) !== undefined).toBe(isRead)
  })
})

describe('an inconsistent record', () => {
  test('has no fault as the document shows it', () => {
    for (const record of records) expect(faultOfBet(record as unknown as BetInParts)).toBeNull()
    expect(faultOfBet({ ...niuniu, recSeq: 0, rev: 1, bets: [] } as unknown as BetInParts)).toBeNull()
  })

  const amounts = ['stake', 'validStake', 'rolling', 'payout', 'winLoss', 'delta', 'hold', 'rake']
  test.each<readonly [string, string | number]>([
    ['recSeq', -1],
    ['recSeq', 1.5],
    ['recSeq', 2 ** 53],
    ['slipId', ''],
    ['rev', 0],
    ['rev', 1.5],
    ['round', 0.5],
    ...amounts.map((name) => [name, '1.00001'] as const),
    ...amounts.map((name) => [name, '1,5'] as const),
    ['placedAt', '2026-03-10T12:00:00'],
    ['placedAt', '2026-13-10T12:00:00Z'],
    ['placedAt', '2026-02-30T12:00:00Z'],
    ['settledAt', '2026-02-29T12:00:00Z'],
    ['settledAt', '2026-03-10T12:00:00+00:00'],
    ['settledAt', '2026-03-10T25:00:00Z'],
  ])('names its %s of %s', (name, value) => {
    expect(faultOfBet({ ...niuniu, [name]: value } as unknown as BetInParts)).toBe(name)
  })

  test('names the first of several faulty amounts, in the order of the record', () => {
    const names = ['stake', 'validStake', 'rolling', 'payout', 'winLoss', 'delta']
    for (const [i, name] of names.entries()) {
      const faulty = Object.fromEntries(names.slice(i).map((each) => [each, 'x']))
      expect(faultOfBet({ ...niuniu, ...faulty } as unknown as BetInParts)).toBe(name)
    }
  })

  test.each([
    { amount: 'x', return: '1' },
    { amount: '1', return: 'x' },
    { amount: '1', return: '1', hold: 'x' },
  ])('names its bets with %j', (leg) => {
    expect(faultOfBet({ ...niuniu, bets: [leg] } as unknown as BetInParts)).toBe('bets')
    expect(faultOfBet({ ...niuniu, bets: [{ amount: '1', return: '1' }] } as unknown as BetInParts)).toBeNull()
  })
})

describe('lines made from the bytes of records', () => {
  const texts = [
    '',
    'a',
    'a,b',
    ',',
    "o'neil",
    '=1',
    '+1,2',
    '-x',
    '@a,',
    '＝1',
    '＋',
    '－,',
    '＠',
    '＃',
    '＝'.slice(0, 1),
    'ünï,çø',
    '牌🂡',
  ]
  const fields = ['slipId', 'username', 'currency', 'tableId', 'variant', 'roundId', 'shoe'] as const
  const written = texts.flatMap((text) => [
    ...fields.filter((field) => text !== '' || field !== 'slipId').map((field) => ({ ...niuniu, [field]: text })),
    { ...niuniu, result: { ...niuniu.result, code: text, cardInfo: text } },
    { ...niuniu, bets: [{ zone: `${text}]}[{`, amount: '1', return: '2' }] },
    { ...holdem, hand: { ...holdem.hand, cards: `${text}}{` } },
  ])
  const deltas = [
    '0',
    '-0',
    '1',
    '-1.5',
    '0.0001',
    '-99999999.9999',
    '100000000',
    '-999999999999999.9999',
    '12345678901.23',
  ]
  const all = [
    ...records,
    ...written,
    { ...niuniu, bets: [] },
    ...deltas.map((delta, i) => ({ ...niuniu, delta, currency: i % 3 === 0 ? 'EUR' : 'USD' })),
    ...Array.from({ length: 1_100 }, () => ({ ...niuniu, delta: '99999999.9999' })),
  ]

  function linesOf(some: readonly object[], before = 0): { text: string; rows: number; totals: BetTotals } {
    const bytes = new TextEncoder().encode(some.map((record) => JSON.stringify(record)).join(','))
    const target = new Uint8Array(before + maxLineBytes(bytes.length))
    const totals: BetTotals = new Map()
    const lines = new RecordLines(bytes, target, before)
    const end = lines.write(totals)
    return { text: new TextDecoder().decode(target.subarray(before, end)), rows: lines.rows, totals }
  }

  test('equal those made from the texts, byte for byte', () => {
    const bets = all.map((record) => betOf(JSON.stringify(record)))
    for (const record of all) expect(betAt(JSON.stringify(record), 0)).toBeDefined()
    expect(linesOf(all, 7)).toMatchObject({ text: bets.map(betLine).join(''), rows: all.length })
    expect(linesOf([])).toEqual({ text: '', rows: 0, totals: new Map() })
  })

  test('have the sums of all rows by currency', () => {
    const sums: BetTotals = new Map()
    for (const { currency, delta } of all) {
      const { rows, delta: sum } = sums.get(currency) ?? { rows: 0, delta: 0n }
      sums.set(currency, { rows: rows + 1, delta: sum + parseAmount(delta) })
    }
    expect(linesOf(all).totals).toEqual(sums)
  })

  test('of currencies that begin or end alike are summed separately, in any order', () => {
    const currencies = [
      'USD',
      'XSD',
      'USD',
      'AUD',
      'USD',
      'USDT',
      'UST',
      'USX',
      'usd',
      'D',
      '',
      'AUD',
      'AUD',
      'SAUD',
      'USD',
    ]
    const mixed = currencies.map((currency, i) => ({ ...niuniu, currency, delta: `${10 ** (i % 9)}` }))
    const sums = new Map<string, { rows: number; delta: bigint }>()
    for (const { currency, delta } of mixed) {
      const { rows, delta: sum } = sums.get(currency) ?? { rows: 0, delta: 0n }
      sums.set(currency, { rows: rows + 1, delta: sum + parseAmount(delta) })
    }
    expect(linesOf(mixed).totals).toEqual(sums)
  })

  test('fit into the reserved space, with any number of quotes in a record', () => {
    const leg = { zone: '', amount: '', return: '', '': '' }
    for (const count of [0, 1, 10, 200]) {
      const record = { ...niuniu, hold: '0', bets: Array.from({ length: count }, () => leg) }
      const { text } = linesOf([record, record])
      expect(text.endsWith(`"${JSON.stringify(niuniu.result).replaceAll('"', '""')}"\n`)).toBe(true)
      expect(text.split('\n')).toHaveLength(3)
    }
  })

  test('are refused for a record in another format', () => {
    expect(() => linesOf([{ ...niuniu, settledAt: undefined }])).toThrow('cannot be written')
    expect(() => linesOf([{ ...niuniu, more: '1' }])).toThrow('cannot be written')
  })
})

describe('the line of a record in a file', () => {
  test('has the documented columns in their order', () => {
    const names =
      'recSeq slipId rev status username currency tableId game variant roundId shoe round stake hold validStake rolling ' +
      'payout winLoss delta rake onsite resultCode cardInfo placedAt settledAt bets result'
    expect(betColumns).toEqual(names.split(' '))
    expect(betHeader).toBe(`${names.replaceAll(' ', ',')}\n`)
  })

  test('has a cell for each column, empty if the record has no value', () => {
    expect(betLine({ ...betOf(JSON.stringify(holdem)), bets: '[]', result: '{}' })).toBe(
      '17,s-1,2,settled,amy,USD,NN-01,holdem,nlhe,01K7Q2M3V4W5X6Y7Z8A9B0C1D2,,60,5,,6,7,14,-1.2345,-3,0.5,true,win,' +
        '|AS KD,2026-03-10T12:00:00.000Z,2026-03-10T12:00:30.125Z,[],{}\n',
    )
    expect(betLine({ ...betOf(JSON.stringify(niuniu)), bets: '[]', result: '{"a":"b"}' })).toBe(
      '17,s-1,2,recalculated,amy,USD,NN-01,niuniu,standard,01K7Q2M3V4W5X6Y7Z8A9B0C1D2,31,60,5,8.5,6,7,14,-1.2345,-3,,,' +
        '3A21-,4H|AS 2S 3S 4S 5S||,2026-03-10T12:00:00.000Z,2026-03-10T12:00:30.125Z,[],"{""a"":""b""}"\n',
    )
  })

  test.each([
    ['202603', 'bets-2026-03.csv'],
    ['000112', 'bets-0001-12.csv'],
  ])('of month %s goes into %s', (month, file) => {
    expect(betFile(month)).toBe(file)
    expect(monthOfFile(file)).toBe(month)
  })

  test.each(['bets-2026-00.csv', 'bets-2026-13.csv', 'bets-202603.csv', 'bets-2026-03.csv.part', 'xbets-2026-03.csv'])(
    '%s is no such file',
    (file) => {
      expect(monthOfFile(file)).toBeNull()
    },
  )
})
