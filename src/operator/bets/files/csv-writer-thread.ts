/** Thread of a CSV writer: writes files by messages, in order. */
import { parentPort } from 'node:worker_threads'
import { isProblem } from '../../../kit/problem.ts'
import { CsvFile } from './csv-file.ts'
import type { Lines, PlainLines, WriterReply, WriterRequest } from './csv-writer.ts'
import { realDisk } from './disk.ts'

const files = new Map<number, CsvFile>()

async function handleRequest(request: WriterRequest): Promise<WriterReply> {
  if (request.kind === 'open') {
    const { csv, damage } = await CsvFile.open(realDisk, request.path, request.row)
    files.set(request.file, csv)
    return { place: csv.place, damage }
  }
  const file = files.get(request.file)
  if (!file) throw new Error('the file is not open')
  if (request.kind === 'settle') return { row: await file.settle() }
  if (request.kind === 'append') await file.append(linesOf(request.lines), request.lastPlace)
  else {
    files.delete(request.file)
    await file.close()
  }
  return { done: true }
}

function linesOf(lines: PlainLines): Lines {
  if ('bets' in lines) return { bets: () => lines.bets }
  return { bets: () => [], records: () => lines.records }
}

function refused(error: unknown): WriterReply {
  if (!isProblem(error)) return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  // Only code and message can be sent between threads.
  return { problem: { code: error.code, message: error.message, detail: JSON.parse(JSON.stringify(error.detail)) } }
}

let before: Promise<void> = Promise.resolve()
parentPort?.on('message', (request: WriterRequest) => {
  before = before.then(async () => parentPort?.postMessage(await handleRequest(request).catch(refused)))
})
