import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

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
  static override completes = { out: 'files', since: 'files', status: 'statuses' }
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
    const { exportTickets } = await import('../../src/cli/topics/tickets/export-tickets.ts')
    return exportTickets(this, flags)
  }
}
