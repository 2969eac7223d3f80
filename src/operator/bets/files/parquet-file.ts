import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { BookExportRow, BookMonthRow } from '../../../db/schema/book.ts'
import type { BetTotals } from '../../../domain/bets/csv-bytes.ts'
import type { PulledBet } from '../../../domain/bets/record.ts'
import { count, totalsText, translated } from './csv-file.ts'
import type { Disk } from './disk.ts'
import { columnsOf, namedSchema, writtenSchema } from './parquet-columns.ts'

/** Rows per row group. Readers can skip a group by its statistics, and one group is in memory at once. */
const groupRows = 10_000

/** Returns the name of a month's Parquet file. */
export function parquetFile(month: string): string {
  return `bets-${month.slice(0, 4)}-${month.slice(4)}.parquet`
}

/** Bets in the order of the file, in batches. */
type Batches = AsyncIterable<{ readonly bets: readonly PulledBet[]; readonly lastPlace: number }>

/**
 * Writes a month's file under another name and renames it, so that a file under its own name is always whole. Returns its state to
 * save in the book.
 */
export async function writeParquetFile(
  disk: Disk,
  { folder, month, tool }: { readonly folder: string; readonly month: BookMonthRow; readonly tool: string },
  batches: Batches,
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
  const writeGroup = async (bets: readonly PulledBet[]) => {
    await writer.write({ columnData: columnsOf(bets), rowGroupSize: groupRows })
    await save()
  }
  try {
    await translated(draft, opened.cut(0))
    let group: PulledBet[] = []
    for await (const { bets, lastPlace } of batches) {
      for (const bet of bets) count(totals, bet)
      group.push(...bets)
      rows += bets.length
      place = lastPlace
      if (group.length < groupRows) continue
      await writeGroup(group.slice(0, groupRows))
      group = group.slice(groupRows)
    }
    if (group.length > 0) await writeGroup(group)
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
