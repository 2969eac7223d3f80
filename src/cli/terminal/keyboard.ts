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

export function openKeyboard(input: Input, output: Output): Keyboard {
  const waiting: string[] = []
  let wake: (() => void) | undefined
  let isEnded = false
  const take = (text: string) => {
    waiting.push(...keysIn(text))
    wake?.()
  }
  const end = () => {
    isEnded = true
    wake?.()
  }
  input.setRawMode?.(true)
  input.setEncoding('utf8')
  input.on('data', take)
  input.on('end', end)
  stopSignal.addEventListener('abort', end)
  input.resume()

  async function next(withinMs?: number): Promise<string | undefined> {
    if (waiting.length === 0 && !isEnded) {
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs)
      await promise
      clearTimeout(timer)
      wake = undefined
    }
    const key = waiting.shift()
    if (key !== ctrlC) return key
    isEnded = true
    stopFromPrompt()
    return undefined
  }

  return {
    key: () => next(),
    async keyWithin(ms) {
      if ((await next(ms)) !== undefined) return 'key'
      return isEnded ? 'ended' : 'time'
    },
    async line(message) {
      output.write(`${message} `)
      let typed: string[] = []
      for (;;) {
        const key = await next()
        if (key === undefined || key === esc) {
          output.write('\n')
          return undefined
        }
        if (key === '\r' || key === '\n') {
          output.write('\n')
          return typed.join('').trim()
        }
        if (key === '\u007f' || key === '\b') {
          if (typed.length > 0) output.write('\b \b')
          typed = typed.slice(0, -1)
        } else if (!/^\p{Cc}/u.test(key)) {
          typed.push(key)
          output.write(key)
        }
      }
    },
    close() {
      input.off('data', take)
      input.off('end', end)
      stopSignal.removeEventListener('abort', end)
      input.setRawMode?.(false)
      input.pause()
    },
  }
}

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
