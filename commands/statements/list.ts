import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class StatementsList extends CountroomCommand {
  static override summary = 'List the monthly statements and check that they add up'
  static override description =
    'Shows the last 24 months, newest first. Each statement must open with the closing balance of the previous one, and its opening, charges and payments must add up to its closing balance. Errors are shown as warnings.'
  static override examples = ['countroom statements list', 'countroom statements list --csv']
  static override exits = ['permission', 'temporary'] as const
  static override flags = { ...listFlags }
  static override data = ({ Type, casino }: Shapes) =>
    Type.Object({
      statements: Type.Array(casino.Statement),
      findings: Type.Array(Type.Object({ period: Type.String(), message: Type.String() }), {
        description: 'Statements that do not add up; empty if all do.',
      }),
    })

  override async run() {
    await this.parse(StatementsList)
    const { casino } = await this.services.casino()
    const { statements } = await casino.statements({})
    const { statementFindings } = await import('../../src/operator/reconcile/billing/statement-findings.ts')
    const findings = statementFindings(statements)
    this.table(
      statements,
      [
        { key: 'period', title: 'month' },
        { key: 'openingUsd', title: 'opening USD', kind: 'amount' },
        { key: 'chargesUsd', title: 'charges USD', kind: 'amount' },
        { key: 'paymentsUsd', title: 'payments USD', kind: 'amount' },
        { key: 'closingUsd', title: 'closing USD', kind: 'amount' },
      ],
      'No statements yet. The first one is created on the first day of next month.',
    )
    for (const { message } of findings) this.warn(message)
    if (statements.length > 1 && findings.length === 0)
      this.footnote('All statements add up, and each opens with the closing balance of the month before.')
    return { statements, findings }
  }
}
