import { Problem } from '../../../kit/problem.ts'
import { quoted } from '../../../kit/shell-quote.ts'
import { checkDatedName, datedName, isDated, type NameParts } from '../../terminal/dated-name.ts'
import { outFile } from '../../terminal/out-file.ts'

/** Files to write; null if not requested. */
export interface OutputFiles {
  readonly report: string | null
  readonly csv: string | null
}

interface OutputFlags {
  readonly report?: string | undefined
  readonly csv?: string | undefined
  readonly force: boolean
}

/** Checks `--report` and `--csv` before any request. A name that depends on the date is checked as far as it is known. */
export function checkOutputFiles({ report, csv, force }: OutputFlags): void {
  for (const [flag, name] of Object.entries({ report, csv })) {
    if (name === undefined) continue
    checkDatedName(`--${flag}`, name)
    if (!isDated(name)) outFile(name, force)
  }
  if (report !== undefined && !isDated(report)) refuseSame(outFile(report, true), outFile(fixed(csv), true))
  else if (report === csv && report?.includes('{date}')) refuseSame(report, csv)
}

/** Returns the paths of `--report` and `--csv`: a folder gets a name made of job, tenant and date, and `{date}` is replaced. */
export function outputFiles(
  { report, csv, force }: OutputFlags,
  parts: Pick<NameParts, 'job' | 'tenant' | 'date'>,
): OutputFiles {
  const pathOf = (name: string | undefined, extension: string) =>
    outFile(name === undefined ? undefined : datedName(name, { ...parts, extension }, force), force)
  const files = { report: pathOf(report, 'html'), csv: pathOf(csv, 'csv') }
  refuseSame(files.report, files.csv)
  return files
}

const fixed = (name: string | undefined) => (name === undefined || isDated(name) ? undefined : name)

function refuseSame(report: string | null, csv: string | null | undefined): void {
  if (report !== null && report === csv)
    throw new Problem(
      'INVALID_USAGE',
      `--report and --csv must name different files; both name ${report}. To write both into a new folder, end its name with a slash: --report ${quoted(`${report}/`)} --csv ${quoted(`${report}/`)}`,
    )
}
