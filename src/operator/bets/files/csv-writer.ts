import { Worker } from 'node:worker_threads'
import type { BookExportRow } from '../../../db/schema/book.ts'
import type { PulledBet } from '../../../domain/bets/record.ts'
import { ownFile } from '../../../kit/module-path.ts'
import { Problem } from '../../../kit/problem.ts'
import { CsvFile } from './csv-file.ts'
import type { Disk } from './disk.ts'

/** Records on their way into a file: read when they are wanted, and where possible as the text they are read from. */
export interface Lines {
  bets(): Iterable<PulledBet>
  /** A page's text, and where in it each of these records begins. */
  readonly text?: { readonly body: string; readonly starts: Int32Array }
}

/** A month's file that is open for appending. */
export interface MonthFile {
  readonly path: string
  /** The place of the last row in it. */
  readonly place: number
  append(lines: Lines, lastPlace: number): Promise<void>
  settle(): Promise<BookExportRow>
  close(): Promise<void>
}

/** Where files are written. */
export interface CsvDesk {
  /** Opens a file where its record left it; says what is wrong with one that the record does not speak of, and is empty then. */
  open(path: string, row: BookExportRow): Promise<{ file: MonthFile; spoilt?: string }>
  close(): Promise<void>
}

/** A desk in this thread. */
export function deskHere(disk: Disk): CsvDesk {
  return {
    async open(path, row) {
      const { csv, spoilt } = await CsvFile.open(disk, path, row)
      return { file: csv, ...(spoilt === undefined ? {} : { spoilt }) }
    },
    close: async () => {},
  }
}

/** What is asked of a desk in another thread. */
export type DeskOrder =
  | { readonly order: 'open'; readonly file: number; readonly path: string; readonly row: BookExportRow }
  | { readonly order: 'append'; readonly file: number; readonly lines: PlainLines; readonly lastPlace: number }
  | { readonly order: 'settle' | 'close'; readonly file: number }

/** Lines as they travel: a text is copied fast, a thousand records are not. */
export type PlainLines =
  | { readonly body: string; readonly starts: Int32Array }
  | { readonly bets: readonly PulledBet[] }

/** How it answers, in the order it was asked. A refusal arrives as what it is made of, since its class does not travel. */
export type DeskAnswer =
  | { readonly place: number; readonly spoilt?: string | undefined }
  | { readonly row: BookExportRow }
  | { readonly done: true }
  | { readonly problem: { readonly code: string; readonly message: string; readonly detail: Record<string, unknown> } }
  | { readonly error: string }

/** The other thread holds one page at most. */
const memoryMb = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 48 }

/**
 * A desk in a thread of its own: making lines and writing them takes a third of the work on a page, and none of it needs
 * the book. What fails there fails here, with the order that brought it about.
 */
export function deskInThread(): CsvDesk {
  const worker = new Worker(ownFile('operator/bets/files/csv-writer-thread.ts'), {
    resourceLimits: memoryMb,
    // What this program was started with is not for threads, such as a test runner's own loaders.
    execArgv: [],
  })
  const waiting: PromiseWithResolvers<DeskAnswer>[] = []
  let failure: Error | undefined
  const fail = (error: Error) => {
    failure ??= error
    for (const { reject } of waiting.splice(0)) reject(failure)
  }
  worker.on('message', (answer: DeskAnswer) => waiting.shift()?.resolve(answer))
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread that writes the files has ended')))
  const ask = async (order: DeskOrder): Promise<DeskAnswer> => {
    if (failure) throw failure
    const answer = Promise.withResolvers<DeskAnswer>()
    waiting.push(answer)
    worker.postMessage(order)
    return refusedOr(await answer.promise)
  }
  let files = 0
  return {
    async open(path, row) {
      const file = ++files
      const opened = await ask({ order: 'open', file, path, row })
      if (!('place' in opened)) throw outOfTurn()
      return {
        file: remoteFile(ask, file, path, opened.place),
        ...(opened.spoilt === undefined ? {} : { spoilt: opened.spoilt }),
      }
    },
    async close() {
      worker.removeAllListeners('exit')
      await worker.terminate()
    },
  }
}

function remoteFile(
  ask: (order: DeskOrder) => Promise<DeskAnswer>,
  file: number,
  path: string,
  begins: number,
): MonthFile {
  let place = begins
  /** The lines before are on their way while the caller goes on; their failure comes out of the next call. */
  let writing: Promise<unknown> = Promise.resolve()
  return {
    path,
    get place() {
      return place
    },
    async append({ bets, text }, lastPlace) {
      await writing
      writing = ask({ order: 'append', file, lines: text ?? { bets: [...bets()] }, lastPlace })
      writing.catch(() => {})
      place = lastPlace
    },
    async settle() {
      await writing
      const settled = await ask({ order: 'settle', file })
      if (!('row' in settled)) throw outOfTurn()
      return settled.row
    },
    async close() {
      // What matters was settled before; a file that cannot be closed is let go with its thread.
      await writing.catch(() => {})
      await ask({ order: 'close', file }).catch(() => {})
    },
  }
}

function refusedOr(answer: DeskAnswer): DeskAnswer {
  if ('problem' in answer) throw new Problem(answer.problem.code, answer.problem.message, answer.problem.detail)
  if ('error' in answer) throw new Error(answer.error)
  return answer
}

const outOfTurn = () => new Error('the thread that writes the files answered out of turn')
