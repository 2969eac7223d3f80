import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class AuditExport extends CountroomCommand {
  static override summary = 'Export the audit trail as CSV or JSON, oldest entry first'
  static override description =
    'The file contains every field of every entry, so that other tools can verify the hashes: SHA-256 over the JSON list of seq, at, operator, osUser, host, profile, command, subject, run, outcome and previous.'
  static override examples = [
    'countroom audit export --out audit.csv',
    'countroom audit export --out audit.json --force',
  ]
  static override exits = ['not-found', 'conflict', 'temporary'] as const
  static override files = [
    'the book (COUNTROOM_BOOK): read only',
    '--out: written atomically; an existing file only with --force',
  ]
  static override completes = { out: 'files', book: 'files' }
  static override flags = {
    out: Flags.string({ summary: 'File to write', required: true, helpValue: 'FILE.csv|FILE.json' }),
    force: Flags.boolean({ summary: 'Overwrite an existing file' }),
    ...bookFlag,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      file: Type.String(),
      entries: Type.Integer(),
      bytes: Type.Integer(),
      sha256: Type.String(),
      head: Type.String({
        description: 'Position and hash of the last entry, for "audit verify --file FILE --head HEAD".',
      }),
    })

  override async run() {
    const { flags } = await this.parse(AuditExport)
    const { exportAudit } = await import('../../src/cli/topics/audit/export-entries.ts')
    return exportAudit(this, flags)
  }
}
