import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, bookFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { breakIds } from '../../../src/cli/topics/reconcile/breaks/arguments.ts'

export default class ReconcileBreaksEvidence extends CountroomCommand {
  static override summary = 'Write the evidence about a break to a folder'
  static override description = [
    'Analyzes the break as "countroom reconcile explain" does, and writes case.html for people, case.json with the whole explanation, one file in calls/ for each request made and its response, and manifest.json with the SHA-256 of every file. Keys, tokens and other secrets are masked with ***.',
    'If the platform does not respond for a part, the case names that part and the exit code is 11. A run that fails leaves no partial folder. Changes no bet, transfer or break.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile breaks evidence daily-3fa91c07be --out case-4711',
    {
      command: 'countroom reconcile breaks evidence daily-3fa91c07be --out case-4711 --offline',
      description: 'Use the book only, without requests',
    },
  ]
  static override exits = ['permission', 'not-found', 'conflict', 'temporary', 'inconclusive'] as const
  static override files = ['the book (COUNTROOM_BOOK): read only', 'the folder named with --out']
  static override completes = { out: 'files', book: 'files' }
  static override args = { break: Args.string({ description: 'Break ID, or a unique prefix of it', required: true }) }
  static override flags = {
    out: Flags.string({ summary: 'Folder to write; it must not exist, or be empty', required: true, helpValue: 'DIR' }),
    offline: Flags.boolean({ summary: 'Use the book only' }),
    'trace-pages': Flags.integer({
      summary: 'Maximum number of pages of 1,000 records per day',
      default: 200,
      min: 1,
      max: 100_000,
      helpValue: 'N',
    }),
    ...bookFlag,
  }
  static override data = ({ Type, evidence }: Shapes) =>
    Type.Object({
      break: Type.String(),
      missing: Type.Array(Type.String(), { description: 'Parts whose request to the platform failed.' }),
      ...evidence.EvidenceWrittenShown.properties,
    })

  override async run() {
    const { args, flags } = await this.parse(ReconcileBreaksEvidence)
    const [id = ''] = breakIds([args.break])
    const { writeBreakEvidence } = await import('../../../src/cli/topics/reconcile/breaks/write-break-evidence.ts')
    return writeBreakEvidence(this, id, flags)
  }
}
