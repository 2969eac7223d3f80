import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class AuditVerify extends CountroomCommand {
  static override summary = 'Check that no entry of the audit trail was changed, removed or inserted'
  static override description =
    'Computes the hash of every entry again and names the first bad one: changed, removed or inserted. Entries that were removed at the end are found by the end that is stored in the book with every entry, and by the one that each user keeps in the state folder. Who can write to both can remove the traces: that is found only with --head, the head printed by an earlier check and kept somewhere else. --file checks a file of "audit export" and needs no book.'
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
      summary: 'Accept the end of an intact trail after you replaced the book yourself',
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
