import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { momentFrom } from '../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { outFile, writeOut } from '../../src/cli/terminal/out-file.ts'
import { type Column, csvText } from '../../src/cli/terminal/table.ts'
import { ticketRow } from '../../src/cli/topics/tickets/view.ts'
import { Problem } from '../../src/kit/problem.ts'
import { type ChangesCursor, fromMoment } from '../../src/operator/tickets/changes.ts'

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

export default class TicketsExport extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Export tickets as CSV: all, or those changed since the last run'
  static override description =
    'Sorted by last change. With --since FILE each run continues where the last one ended and includes every changed ticket once, in its current state. FILE is written last, so an interrupted run is repeated. --since also takes a time. If an instance does not report when a ticket changed, all tickets are exported each time, with a warning.'
  static override examples = [
    'countroom tickets export --out tickets.csv',
    {
      command: 'countroom tickets export --since export.cursor --out changed.csv --force --quiet',
      description: 'Export changes from a cron job',
    },
    {
      command: 'countroom tickets export --since 2026-03-01 --status open --out open.csv',
      description: 'Export open tickets changed since March 1',
    },
  ]
  static override exits = ['permission', 'conflict', 'temporary'] as const
  static override completes = { out: 'files', since: 'files' }
  static override files = [
    '--out: written atomically; an existing file only with --force',
    '--since: position for the next run',
  ]
  static override flags = {
    out: Flags.string({ summary: 'CSV file to write', required: true, helpValue: 'FILE.csv' }),
    since: Flags.string({
      summary: 'Position file of the last run (created if missing), or a time',
      helpValue: 'FILE|ISO',
    }),
    status: Flags.string({ summary: 'Tickets in this status only', helpValue: 'CODE' }),
    form: Flags.string({ summary: 'Tickets of this form only', helpValue: 'CODE' }),
    account: Flags.string({ summary: 'Tickets of this customer only', helpValue: 'NAME' }),
    keyword: Flags.string({ summary: 'Search term', helpValue: 'TEXT' }),
    bom: Flags.boolean({ summary: 'Start the CSV with a UTF-8 byte order mark, for spreadsheets' }),
    force: Flags.boolean({ summary: 'Overwrite an existing --out file' }),
  }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      file: Type.String(),
      tickets: Type.Integer(),
      bytes: Type.Integer(),
      sha256: Type.String(),
      since: Type.Union([Type.String(), Type.Null()], { description: 'Start of the exported changes.' }),
      until: Type.Union([Type.String(), Type.Null()], { description: 'Time of the newest exported change.' }),
      cursorFile: text,
    })
  }

  override async run() {
    const { flags } = await this.parse(TicketsExport)
    const asksFor = JSON.stringify([flags.status, flags.form, flags.account, flags.keyword])
    const start = startFrom(flags.since, asksFor, flags.out)
    const file = outFile(flags.out, flags.force) ?? ''
    const ticketsApi = await this.services.tickets()
    const [{ changedTickets }, { writeWhole }] = await Promise.all([
      import('../../src/operator/tickets/changes.ts'),
      import('../../src/world/config/atomic-write.ts'),
    ])
    const query = {
      status: flags.status,
      formCode: flags.form,
      customerAccount: flags.account,
      keyword: flags.keyword,
    }
    const { tickets, next, haveTimes } = await changedTickets(ticketsApi, query, start.cursor)
    if (tickets.length === 0) {
      const { checkCodes } = await import('../../src/cli/topics/tickets/filter.ts')
      await checkCodes(ticketsApi, flags)
    }
    if (!haveTimes)
      this.warn('The instance does not report when its tickets changed; those without a time are exported in every run')
    const csv = await csvText(tickets.map(ticketRow), columns, true)
    const text = flags.bom ? `\u{FEFF}${csv}` : csv
    writeOut(file, text)
    if (start.file !== null)
      writeWhole(start.file, `${JSON.stringify({ kind: cursorKind, asksFor, ...next })}\n`, {
        file: 0o600,
        folder: 0o755,
      })
    this.log(`Wrote ${tickets.length} ${tickets.length === 1 ? 'ticket' : 'tickets'} to ${file}`)
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
}

const meantAsMoment =
  /^(?:[-+]?\d.*|now|noon|midnight|yesterday|today|tomorrow|((last|this|next)[ _-]?)?(hour|day|night|week|month|year|(mon|tues|wednes|thurs|fri|satur|sun)day))$/i

/** Returns a path with its links resolved. */
const whole = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

const cursorKind = 'countroom ticket export'

/** Returns the start: a time, or the position of the last run with the same filters. */
function startFrom(
  since: string | undefined,
  asksFor: string,
  out: string,
): { file: string | null; cursor?: ChangesCursor } {
  if (since === undefined) return { file: null }
  // As a file name, a mistyped day would export every ticket and create that file.
  if (meantAsMoment.test(since))
    return {
      file: null,
      cursor: fromMoment(momentFrom(since, 'the file of the last run (write ./NAME for a name like a time) or ')),
    }
  const file = resolve(since)
  if (whole(file) === whole(resolve(out)))
    throw new Problem('INVALID_USAGE', `--since and --out must name different files; both are ${file}`, { file })
  if (!existsSync(file)) return { file }
  const unfit = (why: string) => new Problem('INVALID_FILE', `${file}: ${why}`, { file })
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw unfit('not a position file of "tickets export"')
  }
  const kept = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  if (kept['kind'] !== cursorKind || typeof kept['since'] !== 'number' || typeof kept['seen'] !== 'object')
    throw unfit('not a position file of "tickets export"')
  if (kept['asksFor'] !== asksFor) throw unfit('belongs to an export with other filters')
  // Only this command writes files of this kind.
  return { file, cursor: { since: kept['since'], seen: (kept['seen'] ?? {}) as Record<string, string> } }
}
