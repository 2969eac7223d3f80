/**
 * How tickets are found by keyword, on any database: from a text we make the terms it is filed under, from a keyword
 * the questions to ask of them. Two kinds of writing need two kinds of terms. Words are filed whole, and a question
 * finds the words that contain it. Where words are not parted by spaces (Chinese, Japanese, Korean, Thai and others)
 * every sign is filed with the one after it, so that terms of one, two and more signs are found alike. Signs that belong
 * to no word (`%`, `€`, `😀`) are filed one by one.
 *
 * What a keyword means does not hang on any of this: a ticket has it when one of its texts holds it as it is written,
 * but for case, width and white space. Terms are the way to find that out without reading every text.
 */

const unparted =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]/u
const run = /[\p{L}\p{N}\p{M}]+/gu
const sign = /[^\p{L}\p{N}\p{M}\p{Cc}\p{Cf}\p{Cs}\s]/gu

/** A word longer than this is filed in overlapping pieces; a question longer than half of it asks for its beginning. */
const longestWord = 64
const longestQuestion = longestWord / 2

/** The text in which case, width and composition no longer differ. */
export function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('\0', ' ')
}

/** The texts of a ticket as they are looked into: each on a line of its own, so that nothing is found that begins in one and ends in the next. */
export function searched(...texts: readonly string[]): string {
  return texts.map((text) => folded(text).trim().replace(/\s+/g, ' ')).join('\n')
}

export interface Terms {
  readonly words: ReadonlySet<string>
  /** Terms that are asked for as they are, or by their beginning. */
  readonly others: ReadonlySet<string>
}

/** What a text is filed under. */
export function termsOf(text: string): Terms {
  const words = new Set<string>()
  const plain = folded(text)
  const others = new Set(signsOf(plain))
  for (const piece of runsOf(plain)) {
    if (unparted.test(piece)) for (const gram of gramsOf(piece)) others.add(gram)
    else for (const word of piecesOf(piece)) words.add(word)
  }
  return { words, others }
}

/** The signs of a text that belong to no word, with which a text has nothing else to be found by. */
function signsOf(text: string): string[] {
  return text.match(sign) ?? []
}

/** A run of letters that mixes both kinds of writing is parted where they touch. */
function* runsOf(text: string): Generator<string> {
  for (const [found] of text.matchAll(run)) {
    let piece = ''
    for (const each of found) {
      if (piece !== '' && unparted.test(each) !== unparted.test(piece)) {
        yield piece
        piece = ''
      }
      piece += each
    }
    yield piece
  }
}

function gramsOf(text: string): string[] {
  const signs = [...text]
  return signs.map((each, i) => each + (signs[i + 1] ?? ''))
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
  | { readonly kind: 'term'; readonly term: string }
  /** Any term that begins so. */
  | { readonly kind: 'prefix'; readonly prefix: string }
  /** Any word with this in it. */
  | { readonly kind: 'word'; readonly part: string }

/** What a keyword asks for: all of it must be found. */
export interface Search {
  readonly numbers: readonly number[]
  /** Every one of these must be in some text of the ticket. */
  readonly texts: readonly string[]
  /** What must be so of the ticket's terms if it has the texts. */
  readonly questions: readonly Question[]
  /** Those of the texts that the questions alone do not prove. */
  readonly exact: readonly string[]
}

/** Terms that one keyword may have. */
export const mostTerms = 10

/**
 * Reads a keyword: terms are all asked for, `"…"` is a phrase, `#1042` the number of a ticket. A keyword may ask for nothing
 * that a text could hold, or for too much at once.
 */
export function readKeyword(keyword: string): Search | 'nothing' | 'too much' {
  const numbers = new Set<number>()
  const texts = new Set<string>()
  for (const [, phrase, plain] of keyword.matchAll(/"([^"]*)"|(\S+)/g)) {
    const number = /^#([0-9]{1,15})$/.exec(plain ?? '')?.[1]
    const text = searched(phrase ?? plain ?? '')
    if (number !== undefined) numbers.add(Number(number))
    else if (text !== '') texts.add(text)
  }
  if (numbers.size + texts.size === 0) return 'nothing'
  if (numbers.size + texts.size > mostTerms) return 'too much'
  const questions = new Map<string, Question>()
  for (const text of texts) for (const question of questionsFor(text)) questions.set(JSON.stringify(question), question)
  const exact = [...texts].filter((text) => !isProven(text))
  return { numbers: [...numbers], texts: [...texts], questions: [...questions.values()], exact }
}

/** Signs that are in nearly every text: beside others they tell tickets from each other no better than a letter does. */
const usualSigns = new Set('.,:;-/()!?\'"。、')

/** What the terms of a ticket that holds a text must answer: the fewer tickets it names the better, so what is in many is asked only alone. */
function questionsFor(text: string): Question[] {
  const ofRuns = [...runsOf(text)].flatMap(questionsForRun)
  const telling = ofRuns.filter(({ kind }) => kind !== 'prefix')
  if (telling.length > 0) return telling
  const signs = signsOf(text).filter((each) => each === text || !usualSigns.has(each))
  return [...ofRuns, ...signs.map((term): Question => ({ kind: 'term', term }))]
}

function questionsForRun(piece: string): Question[] {
  const signs = [...piece]
  if (!unparted.test(piece)) {
    // A single letter is in so many words that asking for them takes longer than reading the texts.
    return signs.length === 1 ? [] : [{ kind: 'word', part: signs.slice(0, longestQuestion).join('') }]
  }
  if (signs.length === 1) return [{ kind: 'prefix', prefix: piece }]
  return signs.slice(0, -1).map((each, i) => ({ kind: 'term', term: each + (signs[i + 1] ?? '') }))
}

/** Whether the questions find a text and nothing else: it is one sign or one run, and short enough. */
function isProven(text: string): boolean {
  const length = [...text].length
  if (signsOf(text).length > 0) return length === 1
  const runs = [...runsOf(text)]
  if (runs.length !== 1 || runs[0] !== text) return false
  return unparted.test(text) ? length <= 2 : length > 1 && length <= longestQuestion
}
