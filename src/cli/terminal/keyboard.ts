import { stopFromPrompt, stopSignal } from '../outcome/signals.ts'

/** Single keys and short lines from a terminal, without Enter after each key. */
export interface Keyboard {
  /** Returns the next key, or undefined after the end of input or Ctrl-C. */
  key(): Promise<string | undefined>
  /** Returns a typed line, or undefined after Escape. */
  line(message: string): Promise<string | undefined>
  /** Waits for the first of: a key (consumed), the given time, the end of input. */
  keyWithin(ms: number): Promise<'key' | 'time' | 'ended'>
  close(): void
}

type Input = NodeJS.ReadStream
type Output = { write(text: string): unknown }

const ctrlC = '\u0003'
const esc = '\u001b'

export const openKeyboard = (input: Input, output: Output): Keyboard => new TerminalKeyboard(input, output)

/** Time for the rest of an escape sequence, which a slow connection may deliver in two parts. */
const splitMs = 50

class TerminalKeyboard implements Keyboard {
  readonly #input: Input
  readonly #output: Output
  readonly #waiting: string[] = []
  #wake: (() => void) | undefined
  #isEnded = false

  /** The beginning of an escape sequence, or the Escape key. */
  #begun = ''
  #split: NodeJS.Timeout | undefined

  readonly #take = (text: string): void => {
    clearTimeout(this.#split)
    const all = this.#begun + text
    const [begun = ''] = partial.exec(all) ?? []
    this.#begun = begun
    this.#push(all.slice(0, all.length - begun.length))
    if (begun !== '') this.#split = setTimeout(this.#flush, splitMs)
  }

  /** Passes on a beginning as it is: it was the Escape key. */
  readonly #flush = (): void => {
    const begun = this.#begun
    this.#begun = ''
    this.#push(begun)
  }

  #push(text: string): void {
    if (text === '') return
    this.#waiting.push(...keysIn(text))
    this.#wake?.()
  }

  readonly #end = (): void => {
    clearTimeout(this.#split)
    this.#flush()
    this.#isEnded = true
    this.#wake?.()
  }

  constructor(input: Input, output: Output) {
    this.#input = input
    this.#output = output
    input.setRawMode?.(true)
    input.setEncoding('utf8')
    input.on('data', this.#take)
    input.on('end', this.#end)
    stopSignal.addEventListener('abort', this.#end)
    input.resume()
  }

  key(): Promise<string | undefined> {
    return this.#next()
  }

  async keyWithin(ms: number): Promise<'key' | 'time' | 'ended'> {
    if ((await this.#next(ms)) !== undefined) return 'key'
    return this.#isEnded ? 'ended' : 'time'
  }

  async line(message: string): Promise<string | undefined> {
    this.#output.write(`${message} `)
    const typed: string[] = []
    for (;;) {
      const key = await this.#next()
      const isEnter = key === '\r' || key === '\n'
      if (key === undefined || key === esc || isEnter) {
        this.#output.write('\n')
        return isEnter ? typed.join('').trim() : undefined
      }
      this.#edit(typed, key)
    }
  }

  /** Adds a key to a line, or deletes its last one, and shows that. */
  #edit(typed: string[], key: string): void {
    if (key === '\u007f' || key === '\b') {
      if (typed.pop() !== undefined) this.#output.write('\b \b')
    } else if (!/^\p{Cc}/u.test(key)) {
      typed.push(key)
      this.#output.write(key)
    }
  }

  async #next(withinMs?: number): Promise<string | undefined> {
    if (this.#waiting.length === 0 && !this.#isEnded) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs)
      await promise
      clearTimeout(timer)
      this.#wake = undefined
    }
    const key = this.#waiting.shift()
    if (key !== ctrlC) return key
    this.#isEnded = true
    stopFromPrompt()
    return undefined
  }

  close(): void {
    clearTimeout(this.#split)
    this.#input.off('data', this.#take)
    this.#input.off('end', this.#end)
    stopSignal.removeEventListener('abort', this.#end)
    this.#input.setRawMode?.(false)
    this.#input.pause()
  }
}

/** Input that may continue as an escape sequence. */
const partial = new RegExp(`${esc}(?:\\[[0-9;]*|O)?$`)

/** Splits input into keys. An escape sequence, such as an arrow, is one key. */
function keysIn(text: string): string[] {
  const escaped = new RegExp(`${esc}(?:\\[[0-9;]*[A-Za-z~]|O[A-Z])`, 'gu')
  const keys: string[] = []
  let at = 0
  for (const match of text.matchAll(escaped)) {
    keys.push(...text.slice(at, match.index), match[0])
    at = match.index + match[0].length
  }
  return [...keys, ...text.slice(at)]
}
