import { describe, expect, test } from 'vitest'
import { monthsOfPage, type PageSpan } from '../../../src/domain/bets/months.ts'

/** A record by its number and the month of its settlement; the day within the month has no effect. */
const of = (recSeq: number, month: string, day = '15') => ({
  recSeq,
  settledAt: `${month.slice(0, 4)}-${month.slice(4)}-${day}T12:00:00.000Z`,
})
/** A page of records written `number@month`, or `number` for March 2026. */
function aPage(from: string, to: string, records: string, last?: string): PageSpan {
  const [month = '', seq = ''] = to.split('.')
  const read = (text: string) => {
    const [recSeq = '', at = '202603'] = text.split('@')
    return of(Number(recSeq), at)
  }
  const [lastMonth = '', lastSeq = ''] = last?.split('.') ?? []
  return {
    from,
    to: { month, seq: BigInt(seq) },
    last: last === undefined ? undefined : { month: lastMonth, recSeq: Number(lastSeq) },
    records: records === '' ? [] : records.split(' ').map(read),
  }
}
const months = (page: PageSpan) => monthsOfPage(page).months.join(' ')
const steps = (page: PageSpan) =>
  monthsOfPage(page).outOfOrder.map(
    ({ index, month, recSeq, before }) => `${index}: ${recSeq} after ${before} in ${month}`,
  )

describe('a page within one month', () => {
  test('is of that month, with any settlement time in the records', () => {
    expect(months(aPage('202603', '202603.3', '1 2@202604 3@202602'))).toBe('202603 202603 202603')
    expect(monthsOfPage(aPage('202603', '202603.0', ''))).toEqual({ months: [], outOfOrder: [] })
  })

  test('with a lower number is reported, by the record before it', () => {
    expect(steps(aPage('202603', '202603.9', '5 6 6 7 3'))).toEqual([
      '2: 6 after 6 in 202603',
      '4: 3 after 7 in 202603',
    ])
    expect(steps(aPage('202603', '202603.9', '5 6 7'))).toEqual([])
  })

  test.each([
    ['202603.4', []],
    ['202603.5', ['0: 5 after 5 in 202603']],
    ['202603.6', ['0: 5 after 6 in 202603']],
    ['202602.6', []],
  ])('after the record %s steps back: %j', (last, expected) => {
    expect(steps(aPage('202603', '202603.9', '5 6', last))).toEqual(expected)
  })

  test('is accepted with a cursor before the first record of the next month, or after the page', () => {
    expect(months(aPage('202603', '202604.0', '8 9@202604'))).toBe('202603 202603')
    expect(months(aPage('202603', '202602.5', '8 9@202604'))).toBe('202603 202603')
  })
})

describe('a page over two months', () => {
  test('changes the month where the numbers begin again', () => {
    expect(months(aPage('202603', '202604.2', '8 9 1@202604 2@202604'))).toBe('202603 202603 202604 202604')
    expect(steps(aPage('202603', '202604.2', '8 9 1@202604 2@202604'))).toEqual([])
    // The number counts, not a clock that was behind.
    expect(months(aPage('202603', '202604.2', '8 9 1@202603 2@202604'))).toBe('202603 202603 202604 202604')
  })

  test('changes the month by the time of the records if the numbers continue', () => {
    expect(months(aPage('202603', '202604.11', '8 9 10@202604 11@202604'))).toBe('202603 202603 202604 202604')
  })

  test('is all of the later month if the cursor ends at its last record and no step separates it', () => {
    expect(months(aPage('202603', '202604.2', '1@202604 2@202604'))).toBe('202604 202604')
    expect(months(aPage('202603', '202604.2', '1@202603 2@202603'))).toBe('202604 202604')
  })

  test('is of its own time if the cursor ends elsewhere', () => {
    expect(months(aPage('202603', '202604.7', '1@202603 2@202603'))).toBe('202603 202603')
    expect(months(aPage('202603', '202604.7', '1@202604 2@202604'))).toBe('202604 202604')
    expect(months(aPage('202603', '202604.7', '1@202602 2@202602'))).toBe('202603 202603')
    expect(months(aPage('202603', '202604.7', '1@202605 2@202605'))).toBe('202604 202604')
  })

  test.each([
    ['202603.9', '202604 202604'],
    ['202603.1', '202604 202604'],
    ['202603.0', '202603 202603'],
    ['202602.9', '202603 202603'],
  ])('begins in the later one if its first number is not above that of the record before it, %s', (last, expected) => {
    expect(months(aPage('202603', '202604.7', '1@202603 2@202603', last))).toBe(expected)
  })

  test('reports a lower number without a month left for it', () => {
    const twice = aPage('202603', '202604.9', '8 9 1@202604 2@202604 1@202604 9@202604')
    expect(months(twice)).toBe('202603 202603 202604 202604 202604 202604')
    expect(steps(twice)).toEqual(['4: 1 after 2 in 202604'])
    const begun = aPage('202603', '202604.9', '3@202604 1@202604 9@202604', '202603.5')
    expect(months(begun)).toBe('202604 202604 202604')
    expect(steps(begun)).toEqual(['1: 1 after 3 in 202604'])
  })
})

describe('a page over several months', () => {
  test('skips those without records, by the time of the rest', () => {
    expect(months(aPage('202601', '202604.2', '8@202601 9@202601 1@202603 2@202603 1@202604 2@202604'))).toBe(
      '202601 202601 202603 202603 202604 202604',
    )
    expect(months(aPage('202601', '202604.9', '8@202601 1@202603 1@202604'))).toBe('202601 202603 202604')
  })

  test('keeps a month for each later lower number', () => {
    expect(months(aPage('202601', '202603.1', '8@202603 1@202603 1@202603'))).toBe('202601 202602 202603')
    expect(months(aPage('202601', '202603.9', '8@202601 1@202601 1@202601'))).toBe('202601 202602 202603')
  })

  test('is in order if a month is separated by its time after one separated by its numbers', () => {
    const page = aPage('202601', '202603.9', '8@202601 9@202602 1@202603')
    expect([months(page), steps(page)]).toEqual(['202601 202602 202603', []])
  })

  test('of one record or of none', () => {
    expect(months(aPage('202603', '202604.1', '1@202604'))).toBe('202604')
    expect(monthsOfPage(aPage('202603', '202604.5', ''))).toEqual({ months: [], outOfOrder: [] })
    expect(months(aPage('202603', '202603.0', '1 2'))).toBe('202603 202603')
  })

  test('goes over the end of a year', () => {
    expect(months(aPage('202612', '202701.1', '8@202612 1@202701'))).toBe('202612 202701')
  })

  test('separates runs by their time at most once per month', () => {
    expect(months(aPage('202602', '202604.4', '1@202602 2@202603 3@202604 4@202605'))).toBe(
      '202602 202603 202604 202604',
    )
    expect(months(aPage('202602', '202603.9', '1@202602 2@202603 3@202604'))).toBe('202602 202603 202603')
    expect(steps(aPage('202602', '202604.4', '1@202602 2@202603 3@202604 4@202605'))).toEqual([])
    expect(steps(aPage('202602', '202603.9', '1@202602 2@202603 3@202604'))).toEqual([])
    // Records that began in a later month have one month fewer to be separated into.
    const begun = aPage('202602', '202604.9', '1@202603 2@202604 3@202605', '202602.5')
    expect([months(begun), steps(begun)]).toEqual(['202603 202604 202604', []])
    // A record whose clock was behind begins no month.
    expect(months(aPage('202602', '202604.9', '1@202602 2@202603 3@202602 4@202604'))).toBe(
      '202602 202603 202603 202604',
    )
  })
})
