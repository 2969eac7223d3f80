import type { TriageTicket } from './priority.ts'
import { folded } from './search-terms.ts'

/** Detects tickets about the same problem. */

const windowMs = 72 * 3_600_000
/** Minimum similarity of two duplicates. */
export const likeEnough = 0.6

/** Returns the trigrams of a text with single spaces between words; shorter texts are one trigram. */
function trigramsOf(text: string): ReadonlySet<string> {
  const characters = [
    ...` ${folded(text)
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()} `,
  ]
  if (characters.length < 3) return new Set()
  return new Set(characters.slice(2).map((character, i) => `${characters[i]}${characters[i + 1]}${character}`))
}

/** Returns the similarity of two texts from 0 to 1: the share of common trigrams (Dice). */
export const similarity = (a: string, b: string): number => similarityOf(trigramsOf(a), trigramsOf(b))

function similarityOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 || right.size === 0) return 0
  let both = 0
  const [few, many] = left.size < right.size ? [left, right] : [right, left]
  for (const gram of few) if (many.has(gram)) both++
  return (2 * both) / (left.size + right.size)
}

const known = new WeakMap<object, ReadonlySet<string>>()

/** Returns a ticket's trigrams, cached: in a queue each ticket is compared with all others. */
function gramsOf<T extends TriageTicket>(ticket: T): ReadonlySet<string> {
  const grams = known.get(ticket) ?? trigramsOf(`${ticket.title} ${ticket.description}`)
  known.set(ticket, grams)
  return grams
}

export interface Suspicion<T extends TriageTicket> {
  readonly ticket: T
  readonly reason: 'same customer within 72 hours' | 'similar texts'
  readonly likeness: number
}

/**
 * Compares by number if both have one, else by creation time. If neither is known, any other ticket may be the earlier
 * one.
 */
function isEarlier(other: TriageTicket, ticket: TriageTicket): boolean {
  if (other.ticketId === ticket.ticketId) return false
  if (other.ticketNumber > 0 && ticket.ticketNumber > 0) return other.ticketNumber < ticket.ticketNumber
  return !(other.createdAt > ticket.createdAt)
}

/**
 * Returns earlier tickets that this one may duplicate, most similar first. A ticket never duplicates itself or a later
 * one.
 */
export function duplicatesOf<T extends TriageTicket>(ticket: T, candidates: readonly T[]): Suspicion<T>[] {
  return candidates
    .filter((other) => isEarlier(other, ticket))
    .flatMap((other): Suspicion<T>[] => {
      const score = similarityOf(gramsOf(ticket), gramsOf(other))
      const isSameCustomer =
        ticket.customerAccount !== null &&
        ticket.customerAccount === other.customerAccount &&
        Math.abs(ticket.createdAt - other.createdAt) <= windowMs
      if (score >= likeEnough) return [{ ticket: other, reason: 'similar texts', likeness: score }]
      return isSameCustomer ? [{ ticket: other, reason: 'same customer within 72 hours', likeness: score }] : []
    })
    .sort((a, b) => b.likeness - a.likeness || b.ticket.ticketNumber - a.ticket.ticketNumber)
}

/** Maximum number of search words. */
const maxWords = 3
const unseparated = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** Characters taken as one word in scripts without spaces. */
const charactersOfWord = 3

/**
 * Returns the best words to search for similar tickets: the rarest ones, longest first. Taken from the title, or from
 * the description if the title has none.
 */
export function distinctiveWords(ticket: TriageTicket, corpus: readonly TriageTicket[]): string[] {
  const texts = corpus
    .filter(({ ticketId }) => ticketId !== ticket.ticketId)
    .map(({ title, description }) => folded(`${title} ${description}`))
  const words = wordsIn(ticket.title)
  const rare = (words.length > 0 ? words : wordsIn(ticket.description.slice(0, 500))).map((word) => ({
    word,
    many: texts.filter((text) => text.includes(word)).length,
  }))
  return rare
    .sort((a, b) => a.many - b.many || b.word.length - a.word.length)
    .slice(0, maxWords)
    .map(({ word }) => word)
}

/** Returns distinct words of at least three characters; shorter ones if there are no others. */
function wordsIn(text: string): string[] {
  const pieces = [...folded(text).matchAll(/[\p{L}\p{N}\p{M}]+/gu)].flatMap(([run]) => {
    const parts = run.split(
      /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])(?=[a-z0-9])|(?<=[a-z0-9])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])/u,
    )
    return parts.flatMap((part) => (unseparated.test(part) ? windows([...part]) : [part.slice(0, 32)]))
  })
  const all = [...new Set(pieces)]
  const long = all.filter((word) => [...word].length >= charactersOfWord)
  return long.length > 0 ? long : all
}

function windows(characters: readonly string[]): string[] {
  if (characters.length <= charactersOfWord) return [characters.join('')]
  return characters.slice(charactersOfWord - 1).map((_, i) => characters.slice(i, i + charactersOfWord).join(''))
}
