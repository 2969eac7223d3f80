import type { Ora } from 'ora'
import { grouped } from '../../kit/text/count-text.ts'
import { widthOf } from './text.ts'

/** The progress of long work, on stderr: results never share a stream with it. */
export interface Progress {
  /** Sets how many items are done. `note` names the current step. */
  update(done: number, note?: string): void
  /** Ends the progress with its last line, for example "2,500 rows". */
  end(summary?: string): void
  /** Ends it without a last line. */
  stop(): void
}

export interface ProgressOptions {
  readonly label: string
  /** Number of items to do, where it is known. */
  readonly total?: number | undefined
  /** `live` on a terminal, `plain` elsewhere, `silent` with `--quiet`. */
  readonly mode: 'live' | 'plain' | 'silent'
  readonly stream: NodeJS.WriteStream
  /** Hides secrets. */
  readonly mask: (text: string) => string
  readonly hasColor: boolean
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

/** Waits for work and ends its progress: with the summary of the result if it succeeds, as stopped if it fails. */
export async function endedAfter<T>(
  progress: Progress,
  work: Promise<T>,
  summary: (result: T) => string = () => 'done',
): Promise<T> {
  try {
    const result = await work
    progress.end(summary(result))
    return result
  } catch (error) {
    progress.end('stopped')
    throw error
  }
}

/** Number of rows that take a moment to read: people get their counts first. */
export const manyRows = 1000

/** Without a terminal every line stays in a log: one in this time is enough. */
const plainEveryMs = 10_000
/** The columns that the spinner and the space after it take. */
const spinnerWidth = 2
const defaultWidth = 80

export function openProgress(options: ProgressOptions): Progress {
  if (options.mode === 'silent') return { update: () => {}, end: () => {}, stop: () => {} }
  return options.mode === 'live' ? liveProgress(options) : plainProgress(options)
}

function plainProgress({ label, total, stream, mask, now }: ProgressOptions): Progress {
  const write = (text: string) => void stream.write(mask(`${text}\n`))
  let writtenAt = now()
  write(`${label}…`)
  return {
    update(done, note) {
      if (now() - writtenAt < plainEveryMs) return
      writtenAt = now()
      write(`${label}: ${[counted(done, total), note].filter(Boolean).join(', ')}`)
    },
    end: (summary) => write(`${label}: ${summary ?? 'done'}`),
    stop: () => {},
  }
}

/** One line with a spinner. Ora takes it away while others write to stdout or stderr, and puts it back below. */
function liveProgress({ label, total, stream, mask, hasColor, now }: ProgressOptions): Progress {
  const begunAt = now()
  let text = label
  let isOver = false
  let spinner: Ora | undefined
  const show = () => {
    if (spinner) spinner.text = cut(mask(text), (stream.columns ?? defaultWidth) - spinnerWidth - 1)
  }
  void import('ora').then(({ default: ora }) => {
    if (isOver) return
    spinner = ora({ stream, isEnabled: true, discardStdin: false, hideCursor: false, color: hasColor && 'cyan' })
    show()
    spinner.start()
  })
  const stop = () => {
    isOver = true
    spinner?.stop()
  }
  return {
    stop,
    update(done, note) {
      text = [label, `${bar(done, total)}${counted(done, total)}`, rate(done, now() - begunAt), note]
        .filter(Boolean)
        .join('  ')
      show()
    },
    end(summary) {
      stop()
      stream.write(mask(`${label}: ${summary ?? 'done'}\n`))
    },
  }
}

/** Formats the count. Nothing is counted yet at 0 of an unknown total, or the steps have no count. */
function counted(done: number, total: number | undefined): string {
  if (total === undefined || total === 0) return done === 0 ? '' : grouped(done)
  return `${grouped(done)} of ${grouped(total)} (${Math.floor((done / total) * 100)}%)`
}

const cells = 20

function bar(done: number, total: number | undefined): string {
  if (total === undefined || total === 0) return ''
  const full = Math.min(cells, Math.floor((done / total) * cells))
  return `[${'='.repeat(full)}${' '.repeat(cells - full)}] `
}

/** Shown after the first second only: before that it is noise. */
const rate = (done: number, ms: number): string =>
  ms < 1000 || done === 0 ? '' : `${grouped(Math.round(done / (ms / 1000)))}/s`

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let short = text
  while (short !== '' && widthOf(short) > width - 1) short = short.slice(0, -1)
  return `${short}…`
}
