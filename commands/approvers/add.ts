import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class ApproversAdd extends CountroomCommand {
  static override summary = 'Add an approver: a name proven with a passphrase'
  static override description = [
    'Transfer batches and refunds above the setting approvalAbove, and the approval of a period, need a second person. By default a person is the user of the operating system; --as alone does not change that. With --as NAME and --passphrase-file, the person is the approver of that name. The book stores a scrypt hash of the passphrase, not the passphrase.',
    'This prevents one person from deciding twice under two names, also on a shared account. It does not protect against a person who can write to the book or add approvers: restrict access to the book, and watch "approvers add" in the audit trail.',
  ].join('\n\n')
  static override examples = [
    'countroom approvers add beth --passphrase-file beth.txt',
    {
      command: 'pass show countroom/beth | countroom approvers add beth --passphrase-file -',
      description: 'Read the passphrase from a password manager',
    },
  ]
  static override audits = true
  static override exits = ['conflict'] as const
  static override files = ['the book (COUNTROOM_BOOK)']
  static override completes = { book: 'files', 'passphrase-file': 'files' }
  static override args = { name: Args.string({ description: 'Name of the approver', required: true }) }
  static override flags = {
    'passphrase-file': Flags.string({
      summary: 'File with the passphrase on one line, at least 8 characters, or - for stdin',
      required: true,
      helpValue: 'FILE|-',
    }),
    ...dryRunFlag,
    ...bookFlag,
  }
  static override data = ({ Type }: Shapes) => Type.Object({ name: Type.String(), dryRun: Type.Boolean() })

  override async run() {
    const { args, flags } = await this.parse(ApproversAdd)
    const { addApproverNamed } = await import('../../src/cli/topics/approvers/change-approvers.ts')
    return addApproverNamed(this, args.name, flags['passphrase-file'])
  }
}
