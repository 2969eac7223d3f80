import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class ApproversList extends CountroomCommand {
  static override summary = 'List approvers'
  static override description = 'Approvers are names that are proven with a passphrase. Reads the book only.'
  static override examples = ['countroom approvers list']
  static override files = ['the book (COUNTROOM_BOOK), if it exists: read only']
  static override completes = { book: 'files' }
  static override flags = { ...bookFlag, ...listFlags }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      approvers: Type.Array(
        Type.Object({
          name: Type.String(),
          addedBy: Type.String({ description: 'User of the operating system who added it.' }),
          addedAt: Type.String(),
        }),
      ),
    })

  override async run() {
    await this.parse(ApproversList)
    const { showApprovers } = await import('../../src/cli/topics/approvers/change-approvers.ts')
    return showApprovers(this)
  }
}
