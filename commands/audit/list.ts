import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags, listFlags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class AuditList extends CountroomCommand {
  static override summary = 'List changes made by commands, newest first'
  static override description =
    'Every command that changes something adds two entries to the book of its profile: "started" before the change, and the outcome after it. A run that was killed has no outcome. "book restore" and "book copy" add one entry, to the new book. Previews, read-only commands, "bets sync" and "listen" are not recorded.'
  static override examples = [
    'countroom audit list',
    {
      command: 'countroom audit list --command wallet --since 24h',
      description: "List yesterday's and today's transfers",
    },
    'countroom audit list --operator beth --csv',
  ]
  static override files = ['the book (COUNTROOM_BOOK), if it exists: read only']
  static override completes = { book: 'files' }
  static override flags = {
    operator: Flags.string({ summary: 'Entries of this person or user only', helpValue: 'NAME' }),
    command: Flags.string({ summary: 'Entries of this command or topic only', helpValue: 'COMMAND' }),
    since: Flags.string({
      summary: 'Entries at or after this time only, or since this long ago',
      helpValue: 'ISO|DURATION',
    }),
    limit: Flags.integer({ summary: 'Maximum number of results', default: 50, min: 1, max: 100_000, helpValue: 'N' }),
    ...bookFlag,
    ...listFlags,
  }
  static override data = ({ Type, audit }: Shapes) =>
    Type.Object({ entries: Type.Array(audit.AuditEntryShown), more: Type.Boolean(moreThere) })

  override async run() {
    const { flags } = await this.parse(AuditList)
    const { listAudit } = await import('../../src/cli/topics/audit/list-entries.ts')
    return listAudit(this, flags)
  }
}
