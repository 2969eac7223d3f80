import { Problem } from '../../kit/problem.ts'

/** What is wrong with a row of a file. */
export interface CsvFault {
  readonly line: number
  readonly message: string
}

/** So many faults are written out; --json has them all. */
const mostTold = 50

/** Refuses a file with all of its faults at once, each with its line; passes when there are none. */
export function refuseFaults(problems: readonly CsvFault[]): void {
  if (problems.length === 0) return
  const told = problems.slice(0, mostTold).map(({ line, message }) => `Line ${line}: ${message}`)
  const more = problems.length > mostTold ? [`and ${problems.length - mostTold} more`] : []
  throw new Problem('INVALID_FILE', [...told, ...more].join('; '), { problems, line: problems[0]?.line })
}
