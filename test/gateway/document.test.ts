import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { paymentMoves } from '../../src/domain/payment.ts'
import { subscriptionStatuses } from '../../src/domain/payment-subscription.ts'
import { payoutMoves } from '../../src/domain/payout.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/gateway.md'), 'utf8')

/** The moves of a drawing, `from --> to`, without its beginnings and ends. */
function drawn(title: string): string[] {
  const [, drawing = ''] = new RegExp(`### ${title}\\n[\\s\\S]*?\`\`\`mermaid\\n([\\s\\S]*?)\`\`\``).exec(text) ?? []
  return drawing.split('\n').flatMap((line) => (/^ {2}\w+ --> \w+$/.test(line) ? [line.trim()] : []))
}

const tabled = (moves: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(moves).flatMap(([from, ends]) => ends.map((to) => `${from} --> ${to}`))

test('the drawn life of a payment is the one in the code', () => {
  expect(drawn('A payment').sort()).toEqual(tabled(paymentMoves).sort())
})

test('the drawn life of a payout is the one in the code', () => {
  expect(drawn('A payout').sort()).toEqual(tabled(payoutMoves).sort())
})

test('the drawn life of a subscription has every status and no other', () => {
  const named = drawn('A subscription').flatMap((move) => move.split(' --> '))
  expect([...new Set(named)].sort()).toEqual([...subscriptionStatuses].sort())
})
