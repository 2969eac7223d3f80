/**
 * How tickets are found by keyword, on any database: from a text we make the terms it is filed under, from a keyword
 * the questions to ask of them. Two kinds of writing need two kinds of terms. Words are filed whole, and a question
 * finds the words that contain it. Where words are not parted by spaces (Chinese, Japanese, Korean, Thai and others)
 * every sign is filed with the one after it, so that terms of one, two and more signs are found alike.
 */

const unparted =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]/u
const run = /[\p{L}\p{N}\p{M}]+/gu

/** A word longer than this is filed in overlapping pieces; a question longer than half of it asks for its beginning. */
const longestWord = 64
const longestQuestion = longestWord / 2

/** The text in which case, width and composition no longer differ. */
export function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('\0', ' ')
}

export interface Terms {
  readonly words: ReadonlySet<string>
  readonly grams: ReadonlySet<string>
}

/** What a text is filed under. */
export function termsOf(text: string): Terms {
  const words = new Set<string>()
  const grams = new Set<string>()
  for (const piece of runsOf(folded(text))) {
    if (unparted.test(piece)) for (const gram of gramsOf(piece)) grams.add(gram)
    else for (const word of piecesOf(piece)) words.add(word)
  }
  return { words, grams }
}

/** A run of letters that mixes both kinds of writing is parted where they touch. */
function* runsOf(text: string): Generator<string> {
  for (const [found] of text.matchAll(run)) {
    let piece = ''
    for (const sign of found) {
      if (piece !== '' && unparted.test(sign) !== unparted.test(piece)) {
        yield piece
        piece = ''
      }
      piece += sign
    }
    yield piece
  }
}

function gramsOf(text: string): string[] {
  const signs = [...text]
  return signs.map((sign, i) => sign + (signs[i + 1] ?? ''))
}

function piecesOf(word: string): string[] {
  const signs = [...word]
  if (signs.length <= longestWord) return [word]
  const pieces: string[] = []
  for (let i = 0; i < signs.length; i += longestQuestion) pieces.push(signs.slice(i, i + longestWord).join(''))
  return pieces
}

/** One question to the terms. */
export type Question =
  /** A term that is filed exactly so. */
  | { readonly kind: 'gram'; readonly gram: string }
  /** Any term that begins so. */
  | { readonly kind: 'prefix'; readonly prefix: string }
  /** Any word with this in it. */
  | { readonly kind: 'word'; readonly part: string }

/** What a keyword asks for: all of it must be found. */
export interface Search {
  readonly numbers: readonly number[]
  readonly questions: readonly Question[]
  /** Texts that must be there exactly so, because the questions alone do not prove it. */
  readonly exact: readonly string[]
}

const mostTerms = 10

/** Reads a keyword: terms are all asked for, `"…"` is a phrase, `#1042` the number of a ticket. `undefined` when it asks for nothing that can be found. */
export function readKeyword(keyword: string): Search | undefined {
  const numbers: number[] = []
  const questions = new Map<string, Question>()
  const exact = new Set<string>()
  const terms = [...keyword.matchAll(/"([^"]*)"|(\S+)/g)].slice(0, mostTerms)
  let isAnything = false
  for (const [, phrase, plain] of terms) {
    const number = /^#([0-9]{1,15})$/.exec(plain ?? '')?.[1]
    if (number !== undefined) {
      numbers.push(Number(number))
      isAnything = true
      continue
    }
    const text = folded(phrase ?? plain ?? '')
      .trim()
      .replace(/\s+/g, ' ')
    const runs = [...runsOf(text)]
    if (runs.length === 0) continue
    isAnything = true
    const isExact = runs.length > 1 || runs[0] !== text || !isProven(text)
    const asked = runs.flatMap(questionsFor)
    // Where the exact text is looked for anyway, beginnings of one or two letters only make the search longer.
    const telling = isExact ? asked.filter(({ kind }) => kind !== 'prefix') : []
    for (const question of telling.length > 0 ? telling : asked) questions.set(JSON.stringify(question), question)
    if (isExact) exact.add(text)
  }
  return isAnything ? { numbers, questions: [...questions.values()], exact: [...exact] } : undefined
}

function questionsFor(piece: string): Question[] {
  const signs = [...piece]
  if (!unparted.test(piece)) {
    const part = signs.slice(0, longestQuestion).join('')
    // In the middle of words, one or two letters are nearly everywhere: they ask for beginnings.
    return [signs.length <= 2 ? { kind: 'prefix', prefix: part } : { kind: 'word', part }]
  }
  if (signs.length === 1) return [{ kind: 'prefix', prefix: piece }]
  return signs.slice(0, -1).map((sign, i) => ({ kind: 'gram', gram: sign + (signs[i + 1] ?? '') }))
}

/** Whether the questions of a single run find it and nothing else. */
function isProven(text: string): boolean {
  const length = [...text].length
  return unparted.test(text) ? length <= 2 : length <= longestQuestion
}
