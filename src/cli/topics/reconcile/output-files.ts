import { Problem } from '../../../kit/problem.ts'
import { outFile } from '../../terminal/out-file.ts'

/** Files to write; null if not requested. */
export interface OutputFiles {
  readonly report: string | null
  readonly csv: string | null
}

/** Checks the paths of `--report` and `--csv` before any request. */
export function outputFiles(flags: {
  readonly report?: string | undefined
  readonly csv?: string | undefined
  readonly force: boolean
}): OutputFiles {
  const [report, csv] = [outFile(flags.report, flags.force), outFile(flags.csv, flags.force)]
  if (report !== null && report === csv)
    throw new Problem('INVALID_USAGE', '--report and --csv must name different files')
  return { report, csv }
}
