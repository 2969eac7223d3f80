import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { type AuditEntry, emptyHead, headText } from '../../../domain/audit/chain.ts'
import { Problem } from '../../../kit/problem.ts'
import { quoted } from '../../../kit/shell-quote.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { allEntries } from '../../../operator/audit/audit.ts'
import type { CommandContext } from '../../context/context.ts'
import { outFile, writeOut } from '../../terminal/out-file.ts'
import { csvText } from '../../terminal/table.ts'
import { entryColumns } from './list-entries.ts'

/** Writes the audit trail to a file, oldest entry first: CSV, or JSON if the file ends in .json. */
export async function exportAudit(context: CommandContext, flags: { readonly out: string; readonly force: boolean }) {
  const format = extname(flags.out).toLowerCase()
  if (format !== '.csv' && format !== '.json')
    throw new Problem('INVALID_USAGE', `--out must end in .csv or .json, not "${flags.out.slice(0, 200)}"`)
  const file = outFile(flags.out, flags.force) ?? ''
  const { book } = await context.services.book()
  const entries: AuditEntry[] = []
  for await (const batch of allEntries(book)) entries.push(...batch)
  const text = format === '.csv' ? await csvText(entries, entryColumns, true) : `${JSON.stringify(entries, null, 1)}\n`
  writeOut(file, text)
  const count = entries.length
  const head = headText(entries.at(-1) ?? emptyHead)
  context.log(`Wrote ${countText(count, 'entry', 'entries')} to ${file}\nHead: ${head}`)
  context.footnote(`To check the file: countroom audit verify --file ${quoted(file)} --head ${head}`)
  return {
    ...{ file, entries: count, bytes: Buffer.byteLength(text) },
    sha256: createHash('sha256').update(text).digest('hex'),
    head,
  }
}
