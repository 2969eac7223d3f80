import { describe, expect, test } from 'vitest'
import { distinctiveWords, duplicatesOf, similarity } from '../../../src/domain/tickets/duplicates.ts'
import type { TriageTicket } from '../../../src/domain/tickets/priority.ts'

const hour = 3_600_000
const now = 1_000 * hour

function aTicket(more: Partial<TriageTicket> = {}): TriageTicket {
  return {
    ticketId: `tkt_${more.ticketNumber ?? 9}_${more.title ?? ''}`,
    ticketNumber: 9,
    title: '',
    description: '',
    status: 'open',
    statusCategory: 'open',
    priority: 2,
    customerAccount: null,
    assigneeId: null,
    createdAt: now,
    updatedAt: now,
    firstResponseAt: null,
    lastPublicAuthorType: null,
    snoozedUntil: null,
    reopenCount: 0,
    ...more,
  }
}

describe('similarity', () => {
  // By hand: twice the trigrams that both have, divided by the trigrams of both. A word has one trigram for each
  // letter.
  test.each([
    ['a', 'a', 1],
    ['a', 'b', 0],
    ['', '', 0],
    ['', 'abc', 0],
    ['?!', 'abc', 0],
    ['abc', 'abd', 2 / 6],
    ['ab', 'abc', 2 / 5],
    ['abcde', 'abcdx', 6 / 10],
    ['abcd', 'abcdefgh', 6 / 12],
  ])('of %j and %j is %d', (a, b, expected) => {
    expect([similarity(a, b), similarity(b, a)]).toEqual([expected, expected])
  })
})

describe('an earlier ticket', () => {
  const duplicates = (ticket: Partial<TriageTicket>, others: readonly Partial<TriageTicket>[]) =>
    duplicatesOf(aTicket(ticket), others.map(aTicket)).map(({ ticket: other, reason: why }) => [
      other.ticketNumber,
      why,
    ])
  const similarTexts = [[expect.any(Number), 'similar texts']]
  const text = { title: 'deposit is missing' }

  test.each<[name: string, ticket: Partial<TriageTicket>, other: Partial<TriageTicket>, isEarlier: boolean]>([
    ['a lower number', { ticketNumber: 5 }, { ticketNumber: 4, createdAt: now + 1 }, true],
    ['a lower number than the second', { ticketNumber: 2 }, { ticketNumber: 1, createdAt: now + 1 }, true],
    ['a higher number', { ticketNumber: 5 }, { ticketNumber: 6, createdAt: now - 1 }, false],
    ['a higher number than the first', { ticketNumber: 1 }, { ticketNumber: 2, createdAt: now - 1 }, false],
    ['the same number of another instance', { ticketNumber: 5 }, { ticketId: 'x', ticketNumber: 5 }, false],
    ['no number, made before', { ticketNumber: 5 }, { ticketNumber: 0, createdAt: now - 1 }, true],
    ['no number, made after', { ticketNumber: 5 }, { ticketNumber: 0, createdAt: now + 1 }, false],
    ['a number, made before one without', { ticketNumber: 0 }, { ticketNumber: 5, createdAt: now - 1 }, true],
    ['a number, made after one without', { ticketNumber: 0 }, { ticketNumber: 5, createdAt: now + 1 }, false],
    ['made at the same time', { ticketNumber: 0 }, { ticketId: 'x', ticketNumber: 0 }, true],
    ['made at an unknown time', { ticketNumber: 0 }, { ticketId: 'x', ticketNumber: 0, createdAt: Number.NaN }, true],
    ['itself', { ticketId: 'x', ticketNumber: 5 }, { ticketId: 'x', ticketNumber: 4 }, false],
  ])('is one with %s: %#', (_, ticket, other, isEarlier) => {
    expect(duplicates({ ...text, ...ticket }, [{ ...text, ...other }])).toEqual(isEarlier ? similarTexts : [])
  })

  test.each<[name: string, account: string | null, age: number, isSame: boolean]>([
    ['72 hours before', 'ann', 72 * hour, true],
    ['a moment more', 'ann', 72 * hour + 1, false],
    ['72 hours after', 'ann', -72 * hour, true],
    ['a moment more after', 'ann', -72 * hour - 1, false],
    ['of another customer', 'bob', hour, false],
    ['of an unknown customer', null, hour, false],
  ])('of the same customer counts within 72 hours: %s', (_, account, age, isSame) => {
    const mine = { customerAccount: account === null ? null : 'ann', title: 'deposit' }
    expect(duplicates(mine, [{ ticketNumber: 3, customerAccount: account, createdAt: now - age }])).toEqual(
      isSame ? [[3, 'same customer within 72 hours']] : [],
    )
  })

  test('texts are similar from 0.6 on', () => {
    expect(duplicates({ title: 'abcde' }, [{ ticketNumber: 3, title: 'abcdx' }])).toEqual([[3, 'similar texts']])
    expect(duplicates({ title: 'abcde' }, [{ ticketNumber: 3, title: 'abcxy' }])).toEqual([])
    expect(duplicates({ title: 'abcd' }, [{ ticketNumber: 3, title: 'abcdefgh' }])).toEqual([])
  })

  test('the most similar come first, of equals the later', () => {
    const others = [
      { ticketNumber: 1, title: 'abcdx' },
      { ticketNumber: 2, title: 'abcde' },
      { ticketNumber: 3, title: 'abcdy' },
      { ticketNumber: 4, title: 'abcde fg' },
    ]
    const order = [2, 4, 3, 1]
    for (const list of [others, others.toReversed()]) {
      expect(duplicates({ title: 'abcde' }, list).map(([number]) => number)).toEqual(order)
    }
  })
})

describe('the search words', () => {
  const words = (mine: Partial<TriageTicket>, others: readonly string[] = []) =>
    distinctiveWords(
      aTicket({ ticketId: 'mine', ...mine }),
      others.map((title) => aTicket({ title })),
    )

  test('are the three rarest, of equals the longest', () => {
    const title = 'deposit of usdt by wallet missing'
    expect(words({ title })).toEqual(['deposit', 'missing', 'wallet'])
    expect(words({ title }, ['deposit', 'deposit missing', 'missing wallet'])).toEqual(['usdt', 'wallet', 'deposit'])
  })

  test('the ticket itself does not make its words common', () => {
    const mine = aTicket({ ticketId: 'mine', title: 'deposit usdt' })
    const others = [mine, mine, aTicket({ title: 'usdt' })]
    expect(distinctiveWords(mine, others)).toEqual(['deposit', 'usdt'])
    expect(distinctiveWords(mine, [aTicket({ title: 'deposit' })])).toEqual(['usdt', 'deposit'])
  })

  test.each<[Partial<TriageTicket>, string[]]>([
    [{ title: 'ab abc' }, ['abc']],
    [{ title: 'abcd abc' }, ['abcd', 'abc']],
    [{ title: 'ab c' }, ['ab', 'c']],
    [{ title: 'one one', description: 'another' }, ['one']],
    [{ title: '?!', description: 'payout late' }, ['payout', 'late']],
    [{ title: '' }, []],
    [{ title: 'abcdefgh'.repeat(5) }, ['abcdefgh'.repeat(4)]],
    [{ title: '', description: `${'.'.repeat(496)}wxyzq` }, ['wxyz']],
    [{ title: '存款' }, ['存款']],
    [{ title: '存款沒' }, ['存款沒']],
    [{ title: '存款沒有' }, ['存款沒', '款沒有']],
    [{ title: '存款沒有到' }, ['存款沒', '款沒有', '沒有到']],
    [{ title: 'usdt存款沒' }, ['usdt', '存款沒']],
  ])('%j: %j', (mine, expected) => {
    expect(words(mine)).toEqual(expected)
  })
})
