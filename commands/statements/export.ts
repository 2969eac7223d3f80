import { createHash } from 'node:crypto'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Flags } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { outFile, writeOut } from '../../src/cli/terminal/out-file.ts'
import { countText } from '../../src/kit/text/count-text.ts'

export default class StatementsExport extends CountroomCommand {
  static override summary = 'Export the monthly statements as CSV, with a control total'
  static override description =
    'Oldest first. The TOTAL row has the opening balance of the first month, all charges and payments, and the closing balance of the last one. Its differenceUsd is 0 only if every statement adds up and opens with the closing balance of the previous one. If not, the file is still written and the command exits with 9.'
  static override examples = [
    'countroom statements export --out statements.csv',
    'countroom statements export --out statements.csv --force',
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences'] as const
  static override files = ['--out: written atomically; an existing file only with --force']
  static override completes = { metrics: 'files', out: 'files' }
  static override flags = {
    out: Flags.string({ summary: 'CSV file to write', required: true, helpValue: 'FILE.csv' }),
    force: Flags.boolean({ summary: 'Overwrite an existing file' }),
    ...jobFlags,
  }
  static override data = ({ Type }: Shapes) => {
    const figures = { openingUsd: Type.String(), chargesUsd: Type.String(), paymentsUsd: Type.String() }
    const total = Type.Object({ ...figures, closingUsd: Type.String(), differenceUsd: Type.String() })
    return Type.Object({
      file: Type.String(),
      statements: Type.Integer(),
      bytes: Type.Integer(),
      sha256: Type.String(),
      total: Type.Union([total, Type.Null()]),
      findings: Type.Array(Type.Object({ period: Type.String(), message: Type.String() })),
    })
  }

  override async run() {
    const { flags } = await this.parse(StatementsExport)
    const file = outFile(flags.out, flags.force) ?? ''
    const { casino } = await this.services.casino()
    const { statements } = await casino.statements({})
    const { statementsCsv } = await import('../../src/operator/reconcile/billing/csv.ts')
    const { text, rows, total, findings } = await statementsCsv(statements)
    writeOut(file, text)
    const bytes = Buffer.byteLength(text)
    this.log(`Wrote ${countText(rows, 'statement')} to ${file}`)
    if (total)
      this.log(
        `USD ${total.openingUsd} opening, ${total.chargesUsd} charges, ${total.paymentsUsd} payments, ${total.closingUsd} closing`,
      )
    for (const { message } of findings) this.warn(message)
    if (findings.length > 0)
      this.endWith(
        'DIFFERENCES',
        `The statements do not add up for ${findings.map(({ period }) => period).join(', ')}`,
        { periods: findings.map(({ period }) => period) },
      )
    const sha256 = createHash('sha256').update(text).digest('hex')
    return { file, statements: rows, bytes, sha256, total, findings }
  }
}
