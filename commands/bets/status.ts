import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class BetsStatus extends CountroomCommand {
  static override summary = 'Show the sync position and the last runs'
  static override description =
    'Reads the book only; makes no network request. With --verify, every file is compared with the book and its manifest. A damaged file makes the command exit with 9; "bets export" writes it again.'
  static override examples = [
    'countroom bets status',
    { command: 'countroom bets status --verify --json', description: 'Check the files from a monitoring job' },
  ]
  static override exits = ['not-found', 'differences'] as const
  static override files = ['the book (COUNTROOM_BOOK) and its CSV files: read only']
  static override completes = { book: 'files' }
  static override flags = {
    ...bookFlag,
    verify: Flags.boolean({ summary: 'Compare all files with the book and the manifest' }),
  }
  static override data = ({ bets }: Shapes) => bets.BetStatus

  override async run() {
    const { flags } = await this.parse(BetsStatus)
    const { showBetStatus } = await import('../../src/cli/topics/bets/status.ts')
    return showBetStatus(this, flags)
  }
}
