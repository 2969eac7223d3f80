import { Problem } from '../../kit/problem.ts'

/** An error of a row. */
export interface CsvFault {
  readonly line: number
  readonly message: string
}

/** Maximum number of errors in the message; --json has all. */
const maxListed = 50

/** Throws INVALID_FILE with all errors and their lines. Does nothing without errors. */
export function refuseFaults(problems: readonly CsvFault[]): void {
  if (problems.length === 0) return
  const listed = problems.slice(0, maxListed).map(({ line, message }) => `Line ${line}: ${message}`)
  const more = problems.length > maxListed ? [`and ${problems.length - maxListed} more`] : []
  throw new Problem('INVALID_FILE', [...listed, ...more].join('; '), { problems, line: problems[0]?.line })
}
