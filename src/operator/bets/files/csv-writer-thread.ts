/** Thread of a CSV writer: writes files by messages, in order. */
import { parentPort } from 'node:worker_threads'
import { isProblem } from '../../../kit/problem.ts'
import { CsvFile } from './csv-file.ts'
import type { Lines, PlainLines, WriterReply, WriterRequest } from './csv-writer.ts'
import { realDisk } from './disk.ts'

const files = new Map<number, CsvFile>()

async function handleRequest(order: WriterRequest): Promise<WriterReply> {
  if (order.order === 'open') {
    const { csv, damage } = await CsvFile.open(realDisk, order.path, order.row)
    files.set(order.file, csv)
    return { place: csv.place, damage }
  }
  const file = files.get(order.file)
  if (!file) throw new Error('the file is not open')
  if (order.order === 'settle') return { row: await file.settle() }
  if (order.order === 'append') await file.append(linesOf(order.lines), order.lastPlace)
  else {
    files.delete(order.file)
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
parentPort?.on('message', (order: WriterRequest) => {
  before = before.then(async () => parentPort?.postMessage(await handleRequest(order).catch(refused)))
})
