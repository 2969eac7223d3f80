import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { BookExportRow, BookMonthRow } from '../../../db/schema/book.ts'
import type { BetTotals } from '../../../domain/bets/csv-bytes.ts'
import type { PulledBet } from '../../../domain/bets/record.ts'
import { count, totalsText, translated } from './csv-file.ts'
import type { Disk } from './disk.ts'
import { type GroupColumns, namedSchema, startGroup, writtenSchema } from './parquet-columns.ts'

/** Rows per row group. Readers can skip a group by its statistics, and one group is in memory at once. */
const groupRows = 10_000

/** Returns the name of a month's Parquet file. */
export function parquetFile(month: string): string {
  return `bets-${month.slice(0, 4)}-${month.slice(4)}.parquet`
}

/** Bets in the order of the file. */
interface Batch {
  readonly bets: readonly PulledBet[]
  readonly lastPlace: number
}

/**
 * Writes a month's file under another name and renames it, so that a file under its own name is always whole. Returns its state to
 * save in the book.
 */
export async function writeParquetFile(
  disk: Disk,
  { folder, month, tool }: { readonly folder: string; readonly month: BookMonthRow; readonly tool: string },
  batches: AsyncIterable<Batch>,
): Promise<BookExportRow> {
  const file = parquetFile(month.month)
  const path = join(folder, file)
  const draft = join(dirname(path), `.${basename(path)}.draft`)
  const opened = await translated(draft, disk.open(draft))
  const hash = createHash('sha256')
  let written = 0
  let [rows, place] = [0, 0]
  const totals: BetTotals = new Map()
  const buffer = new ByteWriter()
  const save = async () => {
    const bytes = buffer.getBytes()
    hash.update(bytes)
    await translated(draft, opened.write(bytes, written))
    written += bytes.length
    // The next bytes overwrite these; the offset counts all of the file.
    buffer.index = 0
  }
  const writer = new ParquetWriter({ writer: buffer, schema: writtenSchema, createdBy: tool })
  const read = ({ bets, lastPlace }: Batch) => {
    for (const bet of bets) count(totals, bet)
    rows += bets.length
    place = lastPlace
  }
  try {
    await translated(draft, opened.cut(0))
    for await (const group of groupsOf(batches, read)) {
      await writer.write({ columnData: group.sources(), rowGroupSize: groupRows })
      await save()
    }
    writer.schema = namedSchema
    await writer.finish()
    await save()
    await translated(draft, opened.sync())
    await translated(path, disk.replace(draft, path))
  } catch (error) {
    await disk.remove(draft)
    throw error
  } finally {
    await opened.close()
  }
  const look = await translated(path, disk.look(path))
  return {
    ...{ folder, file, month: month.month, rows, place, bytes: written, sha256: hash.digest('hex') },
    modified_at: look?.modifiedAt ?? 0,
    totals: totalsText(totals),
  }
}

/** Yields the row groups of a file, and reports each batch that was read. */
async function* groupsOf(batches: AsyncIterable<Batch>, onRead: (batch: Batch) => void): AsyncGenerator<GroupColumns> {
  let group = startGroup()
  for await (const batch of batches) {
    onRead(batch)
    for (let added = 0; added < batch.bets.length; ) {
      const some = batch.bets.slice(added, added + groupRows - group.rows)
      group.add(some)
      added += some.length
      if (group.rows < groupRows) continue
      yield group
      group = startGroup()
    }
  }
  if (group.rows > 0) yield group
}
