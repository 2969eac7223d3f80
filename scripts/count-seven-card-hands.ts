/**
 * Ranks every one of the 133,784,560 hands of seven cards and compares the counts with the published ones. Too long for the
 * tests, which count all hands of five; run it after a change to the ranking: `node scripts/count-seven-card-hands.ts`.
 */
import { categories, strengthOfMasks } from '../src/domain/games/holdem/hands.ts'

const published: Readonly<Record<string, number>> = {
  'royal flush': 4_324,
  'straight flush': 37_260,
  'four of a kind': 224_848,
  'full house': 3_473_184,
  flush: 4_047_644,
  straight: 6_180_020,
  'three of a kind': 6_461_620,
  'two pair': 31_433_400,
  'one pair': 58_627_800,
  'high card': 23_294_460,
}

const counts = new Int32Array(categories.length)

/** Takes `left` more cards from `next` on: 0 to 12 the first suit's deuce to ace, 13 to 25 the second's, and so forth. */
function count(next: number, left: number, s: number, h: number, d: number, c: number): void {
  if (left === 0) {
    const category = strengthOfMasks(s, h, d, c) >> 20
    counts[category] = (counts[category] ?? 0) + 1
    return
  }
  for (let card = next; card <= 52 - left; card++) {
    const bit = 1 << (card % 13)
    if (card < 13) count(card + 1, left - 1, s | bit, h, d, c)
    else if (card < 26) count(card + 1, left - 1, s, h | bit, d, c)
    else if (card < 39) count(card + 1, left - 1, s, h, d | bit, c)
    else count(card + 1, left - 1, s, h, d, c | bit)
  }
}

const start = performance.now()
count(0, 7, 0, 0, 0, 0)
const seconds = ((performance.now() - start) / 1000).toFixed(1)

let isRight = true
for (const [index, category] of categories.entries()) {
  const total = counts[index] ?? 0
  if (total !== published[category]) isRight = false
  process.stdout.write(`${category.padEnd(16)}${String(total).padStart(11)}  published ${published[category]}\n`)
}
process.stdout.write(`${isRight ? 'All as published' : 'NOT as published'}, in ${seconds} s\n`)
process.exitCode = isRight ? 0 : 1
