import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { momentFrom } from '../../src/cli/arguments/moments.ts'
import { Flags } from '../../src/cli/framework/flags.ts'
import { outFile, writeOut } from '../../src/cli/terminal/out-file.ts'
import { type Column, csvText } from '../../src/cli/terminal/table.ts'
import { ChatCommand } from '../../src/cli/topics/chat/command.ts'
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

export default class TicketsExport extends ChatCommand {
  static override summary = 'Write the tickets as CSV: all of them, or those that changed since the last time'
  static override description =
    'In the order of their last change. With --since FILE the next run begins where this one ended: every ticket that changed meanwhile is in it once, as it is then. The file is written last, so a run that is cut off is repeated and not passed over. --since also takes a moment. Where an instance does not tell when a ticket changed, all are written each time, and that is said.'
  static override examples = [
    'countroom tickets export --out tickets.csv',
    {
      command: 'countroom tickets export --since export.cursor --out changed.csv --force --quiet',
      description: 'In a crontab',
    },
    {
      command: 'countroom tickets export --since 2026-03-01 --status open --out open.csv',
      description: 'Changed since the first of March',
    },
  ]
  static override exits = ['permission', 'conflict', 'temporary'] as const
  static override completes = { out: 'files', since: 'files' }
  static override files = [
    '--out: written whole or not at all, over a file that is there only with --force',
    '--since: where the next run goes on',
  ]
  static override flags = {
    out: Flags.string({ summary: 'Where to write', required: true, helpValue: 'FILE.csv' }),
    since: Flags.string({ summary: 'The file of the last run, which need not be there yet, or a moment' }),
    status: Flags.string({ summary: 'Only those in this status', helpValue: 'CODE' }),
    form: Flags.string({ summary: 'Only those of this form', helpValue: 'CODE' }),
    account: Flags.string({ summary: 'Only those of this customer', helpValue: 'NAME' }),
    keyword: Flags.string({ summary: 'Only those that have these words', helpValue: 'WORDS' }),
    bom: Flags.boolean({ summary: 'Begin with the mark by which some spreadsheets know UTF-8' }),
    force: Flags.boolean({ summary: 'Overwrite the file of --out' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const text = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      file: Type.String(),
      tickets: Type.Integer(),
      bytes: Type.Integer(),
      sha256: Type.String(),
      since: Type.Union([Type.String(), Type.Null()], { description: 'From when on changes were asked for' }),
      until: Type.Union([Type.String(), Type.Null()], { description: 'The latest change in it' }),
      cursorFile: text,
    })
  }

  override async run() {
    const { flags } = await this.parse(TicketsExport)
    const asksFor = JSON.stringify([flags.status, flags.form, flags.account, flags.keyword])
    const start = startFrom(flags.since, asksFor, flags.out)
    const file = outFile(flags.out, flags.force) ?? ''
    const desk = await this.desk()
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
    const { tickets, next, isTold } = await changedTickets(desk, query, start.cursor)
    if (tickets.length === 0) {
      const { checkCodes } = await import('../../src/cli/topics/tickets/filter.ts')
      await checkCodes(desk, flags)
    }
    if (!isTold) this.warn('The instance does not tell when its tickets changed: all of those are written each time')
    const csv = await csvText(tickets.map(ticketRow), columns, true)
    const text = flags.bom ? `\u{FEFF}${csv}` : csv
    writeOut(file, text)
    if (start.file !== null)
      writeWhole(start.file, `${JSON.stringify({ kind: cursorKind, asksFor, ...next })}\n`, {
        file: 0o600,
        folder: 0o755,
      })
    this.log(`${tickets.length} ${tickets.length === 1 ? 'ticket' : 'tickets'} in ${file}`)
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

/** A path as it is when links are followed. */
const whole = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

const cursorKind = 'countroom ticket export'

/** Where to begin: at a moment, or where the last run of the same filters ended. */
function startFrom(
  since: string | undefined,
  asksFor: string,
  out: string,
): { file: string | null; cursor?: ChangesCursor } {
  if (since === undefined) return { file: null }
  // Taken for the name of a file, a day in words would have all of the tickets written and that file be made.
  if (meantAsMoment.test(since))
    return {
      file: null,
      cursor: fromMoment(momentFrom(since, 'the file of the last run (./NAME for such a name) or ')),
    }
  const file = resolve(since)
  if (whole(file) === whole(resolve(out)))
    throw new Problem('INVALID_USAGE', `--since and --out are the same file: ${file}`, { file })
  if (!existsSync(file)) return { file }
  const unfit = (why: string) => new Problem('INVALID_FILE', `${file}: ${why}`, { file })
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw unfit('it is no file of an earlier export')
  }
  const kept = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  if (kept['kind'] !== cursorKind || typeof kept['since'] !== 'number' || typeof kept['seen'] !== 'object')
    throw unfit('it is no file of an earlier export')
  if (kept['asksFor'] !== asksFor) throw unfit('it belongs to an export with other filters')
  // Written by this command alone: it bears its mark.
  return { file, cursor: { since: kept['since'], seen: (kept['seen'] ?? {}) as Record<string, string> } }
}
