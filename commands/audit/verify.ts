import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class AuditVerify extends CountroomCommand {
  static override summary = 'Check that no entry of the audit trail was changed, removed or inserted'
  static override description =
    'Computes the hash of every entry again and names the first bad one. Who can write to the book can also write the whole chain again, or remove its last entries: that is found only with --head, the head printed by an earlier check and kept somewhere else.'
  static override examples = [
    'countroom audit verify',
    {
      command: 'countroom audit verify --head 412:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      description: 'Compare with the head of an earlier check',
    },
  ]
  static override exits = ['not-found', 'differences'] as const
  static override files = ['the book (COUNTROOM_BOOK): read only']
  static override completes = { book: 'files' }
  static override flags = {
    head: Flags.string({
      summary: 'Head of an earlier check, which must still be in the chain',
      helpValue: 'SEQ:HASH',
    }),
    ...bookFlag,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      valid: Type.Boolean(),
      entries: Type.Integer(),
      head: Type.String({ description: 'Position and hash of the last entry, for --head.' }),
      firstBad: Type.Union([Type.Object({ seq: Type.Integer(), message: Type.String() }), Type.Null()]),
      unfinished: Type.Integer({ description: 'Number of runs without an outcome: running, or killed.' }),
    })

  override async run() {
    const { flags } = await this.parse(AuditVerify)
    const { verifyAudit } = await import('../../src/cli/topics/audit/verify-chain.ts')
    return verifyAudit(this, flags)
  }
}
