import { Worker } from 'node:worker_threads'
import type { BookExportRow } from '../../../db/schema/book.ts'
import type { PulledBet } from '../../../domain/bets/record.ts'
import { ownFile } from '../../../kit/module-path.ts'
import { Problem } from '../../../kit/problem.ts'
import { CsvFile } from './csv-file.ts'
import type { Disk } from './disk.ts'

/** Records to write. */
export interface Lines {
  bets(): Iterable<PulledBet>
  /** Returns their bytes in a new buffer, separated by commas, if all of them match the grammar of the fast parser. */
  records?(): Uint8Array<ArrayBuffer>
}

/** A month's file, opened for appending. */
export interface MonthFile {
  readonly path: string
  /** Place of the last row in the file. */
  readonly place: number
  append(lines: Lines, lastPlace: number): Promise<void>
  settle(): Promise<BookExportRow>
  close(): Promise<void>
}

/** Writes the files. */
export interface CsvWriter {
  /** Opens a file at the position of its record. Returns the reason if the file does not match and was emptied. */
  open(path: string, row: BookExportRow): Promise<{ file: MonthFile; damage?: string }>
  close(): Promise<void>
}

/** Creates a writer in this thread. */
export function csvWriterInProcess(disk: Disk): CsvWriter {
  return {
    async open(path, row) {
      const { csv, damage } = await CsvFile.open(disk, path, row)
      return { file: csv, ...(damage === undefined ? {} : { damage }) }
    },
    close: async () => {},
  }
}

/** Messages to a writer in another thread. */
export type WriterRequest =
  | { readonly kind: 'open'; readonly file: number; readonly path: string; readonly row: BookExportRow }
  | { readonly kind: 'append'; readonly file: number; readonly lines: PlainLines; readonly lastPlace: number }
  | { readonly kind: 'settle' | 'close'; readonly file: number }

/** Lines for the thread. Bytes are transferred, which copies nothing. */
export type PlainLines = { readonly records: Uint8Array<ArrayBuffer> } | { readonly bets: readonly PulledBet[] }

/** Responses in the order of the messages. A problem is sent as its parts, because its class cannot be. */
export type WriterReply =
  | { readonly place: number; readonly damage?: string | undefined }
  | { readonly row: BookExportRow }
  | { readonly done: true }
  | { readonly problem: { readonly code: string; readonly message: string; readonly detail: Record<string, unknown> } }
  | { readonly error: string }

/** A writer that takes over from the one in this process after a number of rows, because it costs time to start. */
export interface BulkWriter {
  readonly afterRows: number
  readonly open: () => CsvWriter
}

/** The thread starts with the lines of a full page, because more pages follow. For fewer lines its start costs more than it saves. */
export const csvThread: BulkWriter = { afterRows: 900, open: csvWriterInThread }

/** Memory limits of the thread, in MB. */
const memoryMb = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 48 }

/**
 * Creates a writer in its own thread, which formats and writes lines while the next page is read. An error in the thread
 * is thrown by the call that caused it, one of `append` by the next call.
 */
export function csvWriterInThread(): CsvWriter {
  const worker = new Worker(ownFile('operator/bets/files/csv-writer-thread.ts'), {
    resourceLimits: memoryMb,
    // Options of this process, such as the loaders of a test runner, do not apply to the thread.
    execArgv: [],
  })
  const waiting: PromiseWithResolvers<WriterReply>[] = []
  let failure: Error | undefined
  const fail = (error: Error) => {
    failure ??= error
    for (const { reject } of waiting.splice(0)) reject(failure)
  }
  worker.on('message', (answer: WriterReply) => waiting.shift()?.resolve(answer))
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread that writes the files has ended')))
  const ask = async (request: WriterRequest): Promise<WriterReply> => {
    if (failure) throw failure
    const answer = Promise.withResolvers<WriterReply>()
    waiting.push(answer)
    worker.postMessage(request, 'lines' in request && 'records' in request.lines ? [request.lines.records.buffer] : [])
    return refusedOr(await answer.promise)
  }
  let files = 0
  return {
    async open(path, row) {
      const file = ++files
      const opened = await ask({ kind: 'open', file, path, row })
      if (!('place' in opened)) throw outOfTurn()
      return {
        file: remoteFile(ask, file, path, opened.place),
        ...(opened.damage === undefined ? {} : { damage: opened.damage }),
      }
    },
    async close() {
      worker.removeAllListeners('exit')
      await worker.terminate()
    },
  }
}

function remoteFile(
  ask: (order: WriterRequest) => Promise<WriterReply>,
  file: number,
  path: string,
  begins: number,
): MonthFile {
  let place = begins
  /** Lines are written in the background; an error is thrown by the next call. */
  let writing: Promise<unknown> = Promise.resolve()
  return {
    path,
    get place() {
      return place
    },
    async append({ bets, records }, lastPlace) {
      await writing
      const lines = records ? { records: records() } : { bets: [...bets()] }
      writing = ask({ kind: 'append', file, lines, lastPlace })
      writing.catch(() => {})
      place = lastPlace
    },
    async settle() {
      await writing
      const settled = await ask({ kind: 'settle', file })
      if (!('row' in settled)) throw outOfTurn()
      return settled.row
    },
    async close() {
      // All data is already durable; a file that cannot be closed ends with its thread.
      await writing.catch(() => {})
      await ask({ kind: 'close', file }).catch(() => {})
    },
  }
}

function refusedOr(answer: WriterReply): WriterReply {
  if ('problem' in answer) throw new Problem(answer.problem.code, answer.problem.message, answer.problem.detail)
  if ('error' in answer) throw new Error(answer.error)
  return answer
}

const outOfTurn = () => new Error('the CSV writer thread responded out of order')
