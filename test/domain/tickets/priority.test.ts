import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BulkAction, type CurrentTicket, keyOf, nextStep, tally } from '../../../src/domain/tickets/bulk-action.ts'
import { duplicatesOf, similarity } from '../../../src/domain/tickets/duplicates.ts'
import { fillMacro, type Macro, partsOf, type Variable, variablesOf } from '../../../src/domain/tickets/macro.ts'
import {
  matchesFilter,
  needsReply,
  queueOf,
  type TriageTicket,
  urgencyOf,
} from '../../../src/domain/tickets/priority.ts'

const hour = 3_600_000
const now = 1_000 * hour

function aTicket(more: Partial<TriageTicket> = {}): TriageTicket {
  return {
    ticketId: `tkt_${more.ticketNumber ?? 1}`,
    ticketNumber: 1,
    title: 'Deposit missing',
    description: '',
    status: 'open',
    statusCategory: 'open',
    priority: 2,
    customerAccount: 'a',
    assigneeId: null,
    createdAt: now - hour,
    updatedAt: now - hour,
    firstResponseAt: now - hour,
    lastPublicAuthorType: 'agent',
    snoozedUntil: null,
    reopenCount: 0,
    ...more,
  }
}

describe('the queue', () => {
  test('every point of a score has its reason', () => {
    const { score, reasons } = urgencyOf(
      aTicket({ priority: 4, createdAt: now - 3 * hour, lastPublicAuthorType: 'customer', reopenCount: 2 }),
      now,
    )
    expect(reasons.map(({ kind, points }) => [kind, points])).toEqual([
      ['overdue', 70],
      ['priority', 45],
      ['needs-reply', 30],
      ['reopened', 20],
      ['waiting', 3],
    ])
    expect(score).toBe(168)
    expect(reasons[0]?.text).toBe('1 h over the target of 2 h')
  })

  test('a new low ticket with an answer has no points', () => {
    expect(urgencyOf(aTicket({ priority: 1, createdAt: now }), now)).toEqual({ score: 0, reasons: [] })
  })

  test('the score never decreases with age, and increases with the priority', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 0, max: 500 }),
        (priority, age, more) => {
          const ticket = aTicket({ priority, createdAt: now - age * hour })
          expect(urgencyOf(ticket, now + more * hour).score).toBeGreaterThanOrEqual(urgencyOf(ticket, now).score)
          if (priority < 4)
            expect(urgencyOf({ ...ticket, priority: priority + 1 }, now).score).toBeGreaterThanOrEqual(
              urgencyOf(ticket, now).score,
            )
        },
      ),
    )
  })

  test('a reply is due when the customer wrote last or there is no answer yet, unless the ticket is done', () => {
    expect(needsReply(aTicket())).toBe(false)
    expect(needsReply(aTicket({ lastPublicAuthorType: 'customer' }))).toBe(true)
    expect(needsReply(aTicket({ lastPublicAuthorType: null, firstResponseAt: null }))).toBe(true)
    expect(needsReply(aTicket({ lastPublicAuthorType: 'customer', statusCategory: 'closed' }))).toBe(false)
  })

  test('has one order, for any order of its input', () => {
    const tickets = [1, 2, 3, 4, 5].map((ticketNumber) => aTicket({ ticketNumber, priority: (ticketNumber % 3) + 1 }))
    const order = (list: readonly TriageTicket[]) => queueOf(list, {}, now).map(({ ticket }) => ticket.ticketNumber)
    expect(order(tickets)).toEqual([2, 5, 1, 4, 3])
    fc.assert(
      fc.property(fc.shuffledSubarray(tickets, { minLength: 5 }), (shuffled) => {
        expect(order(shuffled)).toEqual([2, 5, 1, 4, 3])
      }),
    )
  })

  test('includes snoozed tickets only on request, until the snooze ends', () => {
    const snoozed = aTicket({ snoozedUntil: now + 1 })
    expect([
      matchesFilter(snoozed, {}, now),
      matchesFilter(snoozed, { snoozed: true }, now),
      matchesFilter(snoozed, {}, now + 1),
    ]).toEqual([false, true, true])
    expect(matchesFilter(aTicket(), { staleMs: 2 * hour }, now)).toBe(false)
    expect(matchesFilter(aTicket(), { staleMs: hour }, now)).toBe(true)
    expect(matchesFilter(aTicket({ assigneeId: 'x' }), { unassigned: true }, now)).toBe(false)
    expect(matchesFilter(aTicket({ assigneeId: 'x' }), { assigneeId: 'x' }, now)).toBe(true)
    expect(matchesFilter(aTicket(), { reopened: true }, now)).toBe(false)
  })
})

describe('duplicates', () => {
  test('a text is fully similar to itself and not to another, in any script', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(similarity(a, b)).toBe(similarity(b, a))
        expect(similarity(a, b)).toBeGreaterThanOrEqual(0)
        expect(similarity(a, b)).toBeLessThanOrEqual(1)
      }),
    )
    expect(similarity('存款沒有到帳', '存款沒有到帳！')).toBe(1)
    expect(similarity('My deposit is missing', 'my deposit  is MISSING!')).toBe(1)
    expect(similarity('Deposit missing', '提款問題')).toBe(0)
  })

  test('are earlier tickets with similar texts, or of the same customer within 72 hours', () => {
    const one = aTicket({
      ticketNumber: 1,
      customerAccount: 'b',
      title: 'My deposit has not arrived',
      createdAt: now - 200 * hour,
    })
    const two = aTicket({ ticketNumber: 2, title: 'Password', createdAt: now - 70 * hour })
    const three = aTicket({ ticketNumber: 3, title: 'Birthday bonus', createdAt: now - 80 * hour })
    const mine = aTicket({ ticketNumber: 4, title: 'my deposit has not arrived yet', createdAt: now })
    expect(
      duplicatesOf(mine, [one, two, three, mine, { ...one, ticketNumber: 5 }]).map(({ ticket, reason: why }) => [
        ticket.ticketNumber,
        why,
      ]),
    ).toEqual([
      [1, 'similar texts'],
      [2, 'same customer within 72 hours'],
    ])
  })
})

describe('a macro', () => {
  const aMacro = (texts: Readonly<Record<string, string>>): Macro => ({
    name: 'found',
    texts: Object.fromEntries(
      Object.entries(texts).map(([tag, text], i) => {
        const { parts, faults } = partsOf(text, () => i + 1)
        expect(faults).toEqual([])
        return [tag, parts]
      }),
    ),
  })
  const text = (value: unknown): Variable => ({ type: 'text', value })
  const macro = aMacro({
    en: 'Hello {{ customerName }}, {{txn}} is here.',
    'zh-Hant': '{{customerName}} 您好，{{txn}} 已到帳。',
    default: '{{txn}}',
  })

  test('uses the customer’s language, or the nearest one', () => {
    const variables = { customerName: text('Ann'), txn: text('T-9') }
    expect(fillMacro(macro, 'zh-hant-TW', variables)).toEqual({ text: 'Ann 您好，T-9 已到帳。', language: 'zh-hant' })
    expect(fillMacro(macro, 'en-GB', variables)).toEqual({ text: 'Hello Ann, T-9 is here.', language: 'en' })
    expect(fillMacro(macro, 'de', variables)).toEqual({ text: 'T-9', language: 'default' })
    expect(fillMacro(aMacro({ en: 'x' }), 'de', {})).toEqual({ untranslated: 'de' })
  })

  test('with an empty variable is rejected with the line, and its values are inserted as text', () => {
    expect(fillMacro(macro, 'en', { customerName: text(' '), txn: text(null) })).toMatchObject({
      faults: [
        { variable: 'customerName', line: 1, why: 'missing' },
        { variable: 'txn', line: 1, why: 'missing' },
      ],
    })
    expect(fillMacro(macro, 'en', { customerName: text('{{txn}}$&'), txn: text('T') })).toMatchObject({
      text: 'Hello {{txn}}$&, T is here.',
    })
    expect(fillMacro(macro, 'en', Object.create({ customerName: text('x'), txn: text('y') }))).toHaveProperty('faults')
    expect(variablesOf(macro)).toEqual(['customerName', 'txn'])
  })

  const written = (want: string, variable: Variable) => {
    const filled = fillMacro(aMacro({ default: `{{v | ${want}}}` }), null, { v: variable })
    return 'text' in filled ? filled.text : 'faults' in filled ? filled.faults[0]?.why : 'untranslated'
  }

  test.each<[want: string, type: Variable['type'], value: unknown, written: string]>([
    ['decimal(2)', 'decimal', '5', '5.00'],
    ['decimal(2)', 'decimal', '-0.5', '-0.50'],
    ['decimal(2)', 'decimal', '12345678901234567890.10000', '12345678901234567890.10'],
    ['decimal(2)', 'decimal', '1.005', 'wrong-type'],
    ['decimal(0)', 'integer', 7, '7'],
    ['decimal', 'decimal', '1.2345', '1.2345'],
    ['decimal', 'text', '1.2', 'wrong-type'],
    ['decimal', 'any', '1.2', '1.2'],
    ['decimal', 'any', 'soon', 'wrong-type'],
    ['integer', 'decimal', '1.0', 'wrong-type'],
    ['integer', 'any', '12', '12'],
    ['date(DD.MM.YYYY)', 'date', '2026-03-01', '01.03.2026'],
    ['date', 'datetime', '2026-03-01T23:30:00-05:00', '2026-03-02'],
    ['date', 'any', '2026-02-30', 'wrong-type'],
    ['datetime(YYYY/MM/DD HH:mm)', 'datetime', '2026-03-01T05:06:07Z', '2026/03/01 05:06'],
    ['datetime(YYYYMMDDTHH:mm:ssZ)', 'datetime', '2026-03-01T05:06:07Z', '20260301T05:06:07Z'],
    ['date(YYYY年MM月DD日)', 'date', '2026-03-01', '2026年03月01日'],
    ['decimal(18)', 'decimal', '0.5', '0.500000000000000000'],
    ['datetime', 'date', '2026-03-01', 'wrong-type'],
    ['boolean(ja/nein)', 'boolean', false, 'nein'],
    ['boolean', 'text', 'true', 'wrong-type'],
    ['list( / )', 'list', ['a', 'b'], 'a / b'],
    ['list', 'any', 'a', 'wrong-type'],
    ['text', 'list', ['a', 'b'], 'a, b'],
    ['text', 'integer', 7, '7'],
    ['text', 'list', [], 'missing'],
  ])('formats as %s the %s %j: %s', (want, type, value, expected) => {
    expect(written(want, { type, value })).toBe(expected)
  })

  test('formats a choice by its label, and rejects one that no longer exists', () => {
    expect(written('label', { type: 'text', value: 'card', label: 'Card' })).toBe('Card')
    expect(written('label', { type: 'text', value: 'cash', label: null })).toBe('wrong-type')
  })

  test('a decimal is never formatted as another amount, with any number of places', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.nat(8), fc.nat(8), (units, scale, places) => {
        const digits = units.toString().padStart(scale + 1, '0')
        const value = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
        const out = written(`decimal(${places})`, { type: 'decimal', value })
        if (out === 'wrong-type') return
        const [whole = '', part = ''] = (out ?? '').split('.')
        expect(part).toHaveLength(places)
        expect(BigInt(whole + part.padEnd(8, '0'))).toBe(units * 10n ** BigInt(8 - scale))
      }),
    )
  })

  test.each([
    ['{{customer name}}', 'is not a valid variable'],
    ['{{}}', 'is not a valid variable'],
    ['{{x | money}}', 'unknown type "money"'],
    ['{{x | decimal(two)}}', 'number of places'],
    ['{{x | decimal(19)}}', 'from 0 to 18'],
    ['{{x | date(soon)}}', 'a pattern'],
    ['{{x | date(.)}}', 'a pattern'],
    ['{{x | date(dd MMM)}}', '"dd" is not part'],
    ['{{x | date(DD MMM YYYY)}}', '"MMM" is not part'],
    ['{{x | date(DD.MMMM)}}', '"MMMM" is not part'],
    ['{{x | date(DD.MM.YYYY HH:mm)}}', '"HH" is not part'],
    ['{{x | datetime(DD.MM.YYYY hh:mm)}}', '"hh" is not part'],
    ['{{x | boolean(yes)}}', 'two words'],
    ['{{x | text(5)}}', 'takes no format'],
  ])('%s is an error of the macro', (placeholder, why) => {
    expect(partsOf(`a ${placeholder} b`, () => 1).faults).toMatchObject([
      { index: 2, text: expect.stringContaining(why) },
    ])
  })
})

describe('a bulk action', () => {
  const plan: BulkAction = {
    planId: 'p1',
    madeAt: now,
    items: [
      {
        ticketId: 't',
        ticketNumber: 1,
        version: 3,
        status: 'open',
        actions: [
          { kind: 'comment', content: 'x', visibility: 'internal' },
          { kind: 'status', status: 'resolved' },
        ],
      },
    ],
  }
  const [item] = plan.items
  if (!item) throw new Error('no item')
  const ticket: CurrentTicket = {
    ticketId: 't',
    version: 3,
    status: 'open',
    priority: 2,
    assigneeId: null,
    snoozedUntil: null,
  }

  test('is applied as created, each change with its own key', () => {
    const step = nextStep(plan, item, ticket, new Set())
    expect(step).toMatchObject({ step: 'do', actions: [{ key: 'p1:t:0' }, { key: 'p1:t:1' }] })
  })

  test('is not applied to a ticket that changed in the meantime or is gone', () => {
    expect(nextStep(plan, item, { ...ticket, version: 4 }, new Set())).toEqual({
      step: 'conflict',
      planned: 'open (version 3)',
      now: 'open (version 4)',
    })
    expect(
      nextStep(plan, { ...item, version: null }, { ...ticket, version: null, status: 'closed' }, new Set()).step,
    ).toBe('conflict')
    expect(nextStep(plan, item, undefined, new Set())).toEqual({ step: 'gone' })
  })

  test('continues after a crash, and never writes a comment twice', () => {
    const commented = new Set([keyOf(plan, item, 0)])
    expect(nextStep(plan, item, { ...ticket, version: 4 }, commented)).toMatchObject({
      step: 'do',
      actions: [{ action: { kind: 'status' }, key: 'p1:t:1' }],
    })
    // The status was set, and the crash preceded the journal entry.
    expect(nextStep(plan, item, { ...ticket, version: 5, status: 'resolved' }, commented)).toEqual({ step: 'no-op' })
  })

  test('counts its outcomes', () => {
    expect(tally(['applied', 'applied', 'no-op'])).toMatchObject({ applied: 2, 'no-op': 1, isComplete: true })
    expect(tally(['applied', 'conflict']).isComplete).toBe(false)
  })
})
