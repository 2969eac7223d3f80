import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class AuditVerify extends CountroomCommand {
  static override summary = 'Verify that no entry of the audit trail was changed, removed or inserted'
  static override description = [
    'Recomputes the hash of every entry, names the first bad one, and exits with 9 if there is one.',
    'Entries removed at the end are detected by comparison with two stored positions: one in the book, and one that each user keeps in the state folder. A person who can write to both can hide a removal. To detect that too, keep the head that this command prints in another place, and pass it to --head next time.',
    '--file verifies a file of "audit export" and needs no book.',
  ].join('\n\n')
  static override examples = [
    'countroom audit verify',
    {
      command: 'countroom audit verify --head 412:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      description: 'Compare with the head of an earlier check',
    },
    { command: 'countroom audit verify --file audit.csv', description: 'Check an exported trail' },
  ]
  static override exits = ['not-found', 'differences'] as const
  static override audits = 'changes' as const
  static override files = [
    'the book (COUNTROOM_BOOK): read only, except with --accept',
    'audit-heads/ in the state folder: the end of each trail, kept by the runs of this user',
  ]
  static override completes = { book: 'files', file: 'files' }
  static override flags = {
    head: Flags.string({
      summary: 'Head of an earlier check, which must still be in the chain',
      helpValue: 'SEQ:HASH',
    }),
    file: Flags.string({
      summary: 'File of "audit export" to check instead of the book',
      exclusive: ['accept', 'book'],
      helpValue: 'FILE.csv|FILE.json',
    }),
    accept: Flags.boolean({
      summary: 'Accept the current end of an intact trail, after you replaced the book',
      exclusive: ['head'],
    }),
    ...bookFlag,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      valid: Type.Boolean(),
      entries: Type.Integer(),
      head: Type.String({ description: 'Position and hash of the last entry, for --head.' }),
      firstBad: Type.Union([Type.Object({ seq: Type.Integer(), message: Type.String() }), Type.Null()]),
      keptHead: Type.Union([Type.String(), Type.Null()], {
        description: 'Head kept by the runs of this user, with which the trail was compared. Null if there is none.',
      }),
      unfinished: Type.Integer({ description: 'Number of runs without an outcome: running, or killed.' }),
    })

  override async run() {
    const { flags } = await this.parse(AuditVerify)
    const { verifyAudit } = await import('../../src/cli/topics/audit/verify-chain.ts')
    return verifyAudit(this, flags)
  }
}
