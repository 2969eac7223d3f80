import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag, dryRunFlag } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class ApproversRemove extends CountroomCommand {
  static override summary = 'Remove an approver'
  static override description =
    'Approvals and closes that were made in this name stay valid. To set another passphrase, remove the approver and add it again.'
  static override examples = ['countroom approvers remove beth']
  static override audits = true
  static override exits = ['not-found'] as const
  static override files = ['the book (COUNTROOM_BOOK)']
  static override completes = { book: 'files' }
  static override args = { name: Args.string({ description: 'Name of the approver', required: true }) }
  static override flags = { ...dryRunFlag, ...bookFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ name: Type.String(), dryRun: Type.Boolean() })

  override async run() {
    const { args } = await this.parse(ApproversRemove)
    const { removeApproverNamed } = await import('../../src/cli/topics/approvers/change-approvers.ts')
    return removeApproverNamed(this, args.name)
  }
}
