import type { Statement } from '../../src/casino/shapes.ts'
import { CountroomCommand } from '../../src/cli/command.ts'
import { listFlags } from '../../src/cli/flags.ts'
import { monthAfter } from '../../src/domain/cursor.ts'
import { formatUnits, parseUsd, usdScale } from '../../src/domain/money.ts'

export default class StatementsList extends CountroomCommand {
  static override summary = 'List the monthly statements, and check that they follow from each other'
  static override description =
    'The last 24 months, newest first. Each statement must open with what the one before closed with, and close with its opening, charges and payments added up; where one does not, that is said as a warning.'
  static override examples = ['countroom statements list', 'countroom statements list --csv']
  static override exits = ['permission', 'temporary'] as const
  static override flags = { ...listFlags }
  static override data = async () => {
    const { Type } = await import('typebox')
    const { Statement: schema } = await import('../../src/casino/shapes.ts')
    return Type.Object({
      statements: Type.Array(schema),
      findings: Type.Array(Type.Object({ period: Type.String(), message: Type.String() }), {
        description: 'Where a statement does not follow; empty when all is well',
      }),
    })
  }

  override async run() {
    await this.parse(StatementsList)
    const { casino } = await this.clients()
    const { statements } = await casino.statements({})
    const findings = statements.flatMap((statement, i) => findingsOf(statement, statements[i + 1]))
    this.table(
      statements,
      [
        { key: 'period', title: 'month' },
        { key: 'openingUsd', title: 'opening USD', kind: 'amount' },
        { key: 'chargesUsd', title: 'charges USD', kind: 'amount' },
        { key: 'paymentsUsd', title: 'payments USD', kind: 'amount' },
        { key: 'closingUsd', title: 'closing USD', kind: 'amount' },
      ],
      'No statements yet: the first is made on the first of next month.',
    )
    for (const { message } of findings) this.warn(message)
    if (statements.length > 1 && findings.length === 0)
      this.footnote('Each one opens with what the one before closed with.')
    return { statements, findings }
  }
}

/** What does not add up in a statement, or between it and the one before. */
function findingsOf(statement: Statement, before: Statement | undefined) {
  const { period, openingUsd, chargesUsd, paymentsUsd, closingUsd } = statement
  const due = parseUsd(openingUsd) + parseUsd(chargesUsd) + parseUsd(paymentsUsd)
  const found: string[] = []
  if (due !== parseUsd(closingUsd))
    found.push(`${period} closes with USD ${closingUsd}; its own figures add up to ${formatUnits(due, usdScale)}`)
  if (before && parseUsd(openingUsd) !== parseUsd(before.closingUsd))
    found.push(`${period} opens with USD ${openingUsd}; ${before.period} closed with ${before.closingUsd}`)
  if (before && before.period !== monthBefore(period))
    found.push(`Between ${before.period} and ${period} months are missing`)
  return found.map((message) => ({ period, message }))
}

function monthBefore(period: string): string {
  const month = monthAfter(period.replace('-', ''), -1)
  return `${month.slice(0, 4)}-${month.slice(4)}`
}
