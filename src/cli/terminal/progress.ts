import { widthOf } from './text.ts'

/** How far a long piece of work is, on stderr: results never share a stream with it. */
export interface Progress {
  /** So much is done; `note` says what is at hand. */
  update(done: number, note?: string): void
  /** The last word: what came of it. */
  end(summary?: string): void
}

/** A line that is drawn over itself. Whoever else writes to the same stream takes it away first and puts it back. */
export interface LiveLine {
  clear(): void
  draw(): void
}

export interface ProgressOptions {
  readonly label: string
  /** Where it is known: how much there is to do. */
  readonly total?: number | undefined
  /** `live` on a terminal, `plain` elsewhere, `silent` when nobody wants to know. */
  readonly mode: 'live' | 'plain' | 'silent'
  readonly write: (text: string) => void
  readonly width: () => number
  /** Milliseconds that only go forward. */
  readonly now: () => number
  readonly onLive?: (line: LiveLine | undefined) => void
}

/** Off a terminal a line is a line for ever, in somebody's log: one of them in this time is enough. */
const plainEveryMs = 10_000
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 100

export function openProgress(options: ProgressOptions): Progress {
  if (options.mode === 'silent') return { update: () => {}, end: () => {} }
  return options.mode === 'live' ? liveProgress(options) : plainProgress(options)
}

function plainProgress({ label, total, write, now }: ProgressOptions): Progress {
  let said = now()
  write(`${label}…\n`)
  return {
    update(done, note) {
      if (now() - said < plainEveryMs) return
      said = now()
      write(`${label}: ${counted(done, total)}${note ? `, ${note}` : ''}\n`)
    },
    end: (summary) => write(`${label}: ${summary ?? 'done'}\n`),
  }
}

function liveProgress({ label, total, write, width, now, onLive }: ProgressOptions): Progress {
  const begun = now()
  let text = label
  const line: LiveLine = {
    clear: () => write('\r\x1b[K'),
    draw() {
      const frame = frames[Math.floor((now() - begun) / frameMs) % frames.length]
      write(`\r\x1b[K${cut(`${frame} ${text}`, width() - 1)}`)
    },
  }
  const timer = setInterval(line.draw, frameMs)
  // A line that moves must not keep the process alive.
  timer.unref()
  onLive?.(line)
  line.draw()
  return {
    update(done, note) {
      text = [`${label}  ${bar(done, total)}${counted(done, total)}`, rate(done, now() - begun), note]
        .filter(Boolean)
        .join('  ')
    },
    end(summary) {
      clearInterval(timer)
      onLive?.(undefined)
      line.clear()
      write(`${label}: ${summary ?? 'done'}\n`)
    },
  }
}

const grouped = (count: number): string => count.toLocaleString('en-US')

function counted(done: number, total: number | undefined): string {
  if (total === undefined || total === 0) return grouped(done)
  return `${grouped(done)} of ${grouped(total)} (${Math.floor((done / total) * 100)}%)`
}

const cells = 20

function bar(done: number, total: number | undefined): string {
  if (total === undefined || total === 0) return ''
  const full = Math.min(cells, Math.floor((done / total) * cells))
  return `[${'='.repeat(full)}${' '.repeat(cells - full)}] `
}

/** Said after a second only: before that it is noise. */
const rate = (done: number, ms: number): string => (ms < 1000 ? '' : `${grouped(Math.round(done / (ms / 1000)))}/s`)

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let short = text
  while (short !== '' && widthOf(short) > width - 1) short = short.slice(0, -1)
  return `${short}…`
}
