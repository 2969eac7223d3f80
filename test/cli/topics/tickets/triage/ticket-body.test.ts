import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bodyOf } from '../../../../../src/cli/topics/tickets/triage/ticket-body.ts'
import { readTicket } from '../../../../../src/operator/tickets/parse.ts'

function aTicket(description: string, comments: readonly string[], commentCount = comments.length) {
  const ticket = readTicket({
    ticketId: 't1',
    status: 'open',
    description,
    commentCount,
    comments: comments.map((content, i) => ({ content, visibility: 'internal', authorDisplayName: `Agent ${i + 1}` })),
  })
  if (!ticket) throw new Error('no ticket')
  return ticket
}

test('a ticket that fits is shown whole, without a mark', () => {
  expect(bodyOf(aTicket('one\ntwo', ['a', 'b\nc\nd']), false)).toEqual([
    '   one',
    '   two',
    '   internal comment by Agent 1: a',
    '   internal comment by Agent 2: b',
    '     c',
    '     d',
  ])
  expect(bodyOf(aTicket('', []), false)).toEqual([])
})

test('omitted parts are counted, with a hint to show them', () => {
  expect(
    bodyOf(aTicket(Array(14).fill('line').join('\n'), ['a', 'b', 'c', 'd', 'e', 'f\n1\n2\n3\n4\n5'], 9), false).slice(
      12,
    ),
  ).toEqual([
    '   … 2 more lines',
    '   … 3 comments not returned with the ticket',
    '   … 2 earlier comments',
    '   internal comment by Agent 3: c',
    '   internal comment by Agent 4: d',
    '   internal comment by Agent 5: e',
    '   internal comment by Agent 6: f',
    '     1',
    '     2',
    '     … 3 more lines',
    '   Press x for all.',
  ])
})

test('every line is shown or counted, and a ticket shown whole has all lines', () => {
  const lines = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(lines, fc.array(lines, { maxLength: 9 }), (description, comments) => {
      const ticket = aTicket(
        description.join('\n'),
        comments.map((each) => each.join('\n')),
      )
      const whole = bodyOf(ticket, true)
      expect(whole).toHaveLength(description.length + comments.flat().length)
      expect(whole.join('\n')).not.toContain('…')
      const cut = bodyOf(ticket, false)
      const counted = (what: RegExp) => cut.reduce((sum, line) => sum + Number(what.exec(line)?.[1] ?? 0), 0)
      const earlier = counted(/^ {3}… (\d+) earlier comment/)
      const visibleLines = cut.filter((line) => !/^ +(…|Press x)/.test(line)).length
      expect(visibleLines + counted(/… (\d+) more line/)).toBe(
        description.length + comments.slice(earlier).flat().length,
      )
      expect(cut.at(-1) === '   Press x for all.').toBe(cut.some((line) => line.includes('…')))
    }),
  )
})
