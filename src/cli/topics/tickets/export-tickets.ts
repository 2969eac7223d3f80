import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import {
  type ChangesCursor,
  changedTickets,
  fromMoment,
  positionFrom,
  positionText,
} from '../../../operator/tickets/changes.ts'
import { checkCodes } from '../../../operator/tickets/statuses.ts'
import { writeWhole } from '../../../world/config/atomic-write.ts'
import { momentFrom } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { outFile, writeOut } from '../../terminal/out-file.ts'
import type { Progress } from '../../terminal/progress.ts'
import { type Column, csvText } from '../../terminal/table.ts'
import { ticketRow } from './view.ts'

interface ExportFlags {
  readonly out: string
  readonly since?: string | undefined
  readonly status?: string | undefined
  readonly form?: string | undefined
  readonly account?: string | undefined
  readonly keyword?: string | undefined
  readonly bom?: boolean
  readonly force: boolean
}

const columns: readonly Column[] = [
  { key: 'ticketNumber', kind: 'count' },
  { key: 'ticketId' },
  { key: 'formCode' },
  { key: 'status' },
  { key: 'statusCategory' },
  { key: 'priority', kind: 'count' },
  { key: 'title' },
  { key: 'description' },
  { key: 'customerAccount' },
  { key: 'customerDisplayName' },
  { key: 'customerLanguage' },
  { key: 'assignee.displayName' },
  { key: 'fieldValues' },
  { key: 'commentCount', kind: 'count' },
  { key: 'lastPublicAuthorType' },
  { key: 'reopenCount', kind: 'count' },
  { key: 'version', kind: 'count' },
  { key: 'createdAt' },
  { key: 'updatedAt' },
  { key: 'firstResponseAt' },
  { key: 'snoozedUntil' },
]

/** Exports tickets as CSV: all, or those changed since the last run. */
export async function exportTickets(context: CommandContext, flags: ExportFlags) {
  const filterKey = JSON.stringify([flags.status, flags.form, flags.account, flags.keyword])
  const start = startFrom(flags.since, filterKey, flags.out)
  const file = outFile(flags.out, flags.force) ?? ''
  const ticketsApi = await context.services.tickets()
  const query = {
    status: flags.status,
    formCode: flags.form,
    customerAccount: flags.account,
    keyword: flags.keyword,
  }
  let progress: Progress | undefined
  const { tickets, next, haveTimes } = await changedTickets(ticketsApi, query, start.cursor, (read, total) => {
    progress ??= context.progress(
      `Reading ${total === null ? 'tickets' : countText(total, 'ticket')}`,
      total ?? undefined,
    )
    progress.update(read)
  }).finally(() => progress?.stop())
  if (tickets.length === 0) await checkCodes(ticketsApi, flags)
  if (!haveTimes)
    context.warn(
      'The instance does not report when its tickets changed; those without a time are exported in every run',
    )
  const csv = await csvText(tickets.map(ticketRow), columns, true)
  const text = flags.bom ? `\u{FEFF}${csv}` : csv
  writeOut(file, text)
  if (start.file !== null) writeWhole(start.file, positionText(filterKey, next), { file: 0o600, folder: 0o755 })
  context.log(`Wrote ${countText(tickets.length, 'ticket')} to ${file}`)
  return {
    file,
    tickets: tickets.length,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    since: start.cursor === undefined ? null : new Date(start.cursor.since).toISOString(),
    until: next.since === 0 ? null : new Date(next.since).toISOString(),
    cursorFile: start.file,
  }
}

const momentPattern =
  /^(?:[-+]?\d.*|now|noon|midnight|yesterday|today|tomorrow|((last|this|next)[ _-]?)?(hour|day|night|week|month|year|(mon|tues|wednes|thurs|fri|satur|sun)day))$/i

/** Returns a path with its links resolved. */
const whole = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

/** Returns the start: a time, or the position of the last run with the same filters. */
function startFrom(
  since: string | undefined,
  filterKey: string,
  out: string,
): { file: string | null; cursor?: ChangesCursor } {
  if (since === undefined) return { file: null }
  // As a file name, a mistyped day would export every ticket and create that file.
  if (momentPattern.test(since))
    return {
      file: null,
      cursor: fromMoment(momentFrom(since, 'the file of the last run (write ./NAME for a name like a time) or ')),
    }
  const file = resolve(since)
  if (whole(file) === whole(resolve(out)))
    throw new Problem('INVALID_USAGE', `--since and --out must name different files; both are ${file}`, { file })
  if (!existsSync(file)) return { file }
  return { file, cursor: positionFrom(readFileSync(file, 'utf8'), filterKey, file) }
}
