/**
 * Keyword search for tickets on any database: a text is indexed under terms, and a keyword becomes queries on these
 * terms. Words are indexed whole and found by any part of them. In scripts without spaces (Chinese, Japanese, Korean,
 * Thai and others) each character is indexed with the next one. Symbols (`%`, `€`, `😀`) are indexed one by one. A
 * ticket matches when one of its texts contains the keyword, ignoring case, width and white space; terms only avoid
 * reading every text.
 */

const unseparated =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]/u
const run = /[\p{L}\p{N}\p{M}]+/gu
const symbol = /[^\p{L}\p{N}\p{M}\p{Cc}\p{Cf}\p{Cs}\s]/gu

/** Longer words are indexed in overlapping pieces; a query longer than half of it matches the beginning only. */
const longestWord = 64
const longestQuestion = longestWord / 2

/** Returns the text with case, width and composition normalized. */
export function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('\0', ' ')
}

/** Joins the texts of a ticket for searching, one per line, so that no match spans two texts. */
export function searched(...texts: readonly string[]): string {
  return texts.map((text) => folded(text).trim().replace(/\s+/g, ' ')).join('\n')
}

export interface Terms {
  readonly words: ReadonlySet<string>
  /** Terms that are matched exactly or by prefix. */
  readonly otherTerms: ReadonlySet<string>
}

/** Returns the terms a text is indexed under. */
export function termsOf(text: string): Terms {
  const words = new Set<string>()
  const plain = folded(text)
  const otherTerms = new Set(symbolsOf(plain))
  for (const piece of runsOf(plain)) {
    if (unseparated.test(piece)) for (const gram of gramsOf(piece)) otherTerms.add(gram)
    else for (const word of piecesOf(piece)) words.add(word)
  }
  return { words, otherTerms }
}

/** Returns the symbols of a text that is only found by them. */
function symbolsOf(text: string): string[] {
  return text.match(symbol) ?? []
}

/** Splits a run of letters where two kinds of script meet. */
function* runsOf(text: string): Generator<string> {
  for (const [match] of text.matchAll(run)) {
    let piece = ''
    for (const each of match) {
      if (piece !== '' && unseparated.test(each) !== unseparated.test(piece)) {
        yield piece
        piece = ''
      }
      piece += each
    }
    yield piece
  }
}

function gramsOf(text: string): string[] {
  const characters = [...text]
  return characters.map((each, i) => each + (characters[i + 1] ?? ''))
}

function piecesOf(word: string): string[] {
  const characters = [...word]
  if (characters.length <= longestWord) return [word]
  const pieces: string[] = []
  for (let i = 0; i < characters.length; i += longestQuestion)
    pieces.push(characters.slice(i, i + longestWord).join(''))
  return pieces
}

/** A query on the terms. */
export type Question =
  /** A term that is indexed exactly so. */
  | { readonly kind: 'term'; readonly term: string }
  /** Any term with this prefix. */
  | { readonly kind: 'prefix'; readonly prefix: string }
  /** Any word that contains this. */
  | { readonly kind: 'word'; readonly part: string }

/** A parsed keyword: all parts must match. */
export interface Search {
  readonly numbers: readonly number[]
  /** Texts that must each occur in the ticket. */
  readonly texts: readonly string[]
  /** Queries on terms that a matching ticket satisfies. */
  readonly questions: readonly Question[]
  /** Texts that the queries alone do not prove. */
  readonly exact: readonly string[]
}

/** Maximum number of terms in a keyword. */
export const maxTerms = 10

/**
 * Parses a keyword: all terms must match, `"…"` is a phrase, `#1042` a ticket number. It may contain nothing to search
 * for, or too much.
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
  if (numbers.size + texts.size > maxTerms) return 'too much'
  const questions = new Map<string, Question>()
  for (const text of texts) for (const question of questionsFor(text)) questions.set(JSON.stringify(question), question)
  const exact = [...texts].filter((text) => !isProven(text))
  return { numbers: [...numbers], texts: [...texts], questions: [...questions.values()], exact }
}

/** Symbols in nearly every text. Combined with other symbols they hardly narrow the result. */
const defaultSymbols = new Set('.,:;-/()!?\'"。、')

/** Returns the queries for a text. Common terms are queried only when there is nothing rarer. */
function questionsFor(text: string): Question[] {
  const ofRuns = [...runsOf(text)].flatMap(questionsForRun)
  const selective = ofRuns.filter(({ kind }) => kind !== 'prefix')
  if (selective.length > 0) return selective
  const symbols = symbolsOf(text).filter((each) => each === text || !defaultSymbols.has(each))
  return [...ofRuns, ...symbols.map((term): Question => ({ kind: 'term', term }))]
}

function questionsForRun(piece: string): Question[] {
  const characters = [...piece]
  if (!unseparated.test(piece)) {
    // A single letter is in so many words that querying them takes longer than reading the texts.
    return characters.length === 1 ? [] : [{ kind: 'word', part: characters.slice(0, longestQuestion).join('') }]
  }
  if (characters.length === 1) return [{ kind: 'prefix', prefix: piece }]
  return characters.slice(0, -1).map((each, i) => ({ kind: 'term', term: each + (characters[i + 1] ?? '') }))
}

/** Returns whether the queries prove the match: the text is one symbol or one run, and short enough. */
function isProven(text: string): boolean {
  const length = [...text].length
  if (symbolsOf(text).length > 0) return length === 1
  const runs = [...runsOf(text)]
  if (runs.length !== 1 || runs[0] !== text) return false
  return unseparated.test(text) ? length <= 2 : length > 1 && length <= longestQuestion
}
