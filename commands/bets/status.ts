import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class BetsStatus extends CountroomCommand {
  static override summary = 'Show the sync position and the last runs'
  static override description = [
    'Reads the book only; sends no request.',
    'With --verify, every file is compared with the book and its manifest. Exits with 9 if a file is damaged; "bets export" writes it again. With --max-lag, exits with 9 if the last complete sync is older, or if there was none.',
  ].join('\n\n')
  static override examples = [
    'countroom bets status',
    { command: 'countroom bets status --verify --json', description: 'Check the files from a monitoring job' },
    { command: 'countroom bets status --max-lag 26h --quiet', description: 'Fail if the nightly sync is late' },
  ]
  static override exits = ['not-found', 'differences'] as const
  static override files = ['the book (COUNTROOM_BOOK) and its CSV files: read only']
  static override completes = { metrics: 'files', book: 'files' }
  static override flags = {
    ...bookFlag,
    verify: Flags.boolean({ summary: 'Compare all files with the book and the manifest' }),
    'max-lag': Flags.string({
      summary: 'Exit with 9 if the book has not been complete for longer than this',
      helpValue: 'DURATION',
    }),
    ...jobFlags,
  }
  static override data = ({ bets }: Shapes) => bets.BetStatus

  override async run() {
    const { flags } = await this.parse(BetsStatus)
    const { showBetStatus } = await import('../../src/cli/topics/bets/status.ts')
    return showBetStatus(this, flags)
  }
}
