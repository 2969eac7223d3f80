import { dayAfter } from '../../../domain/time/day.ts'
import { countText } from '../../../kit/text/count-text.ts'

/** Days that keep a period open, as people read them. */

interface OpenDay {
  readonly date: string
  readonly reasons: readonly string[]
}

/** Returns a line for each open day. Days in a row with the same reason share one, with one command for all of them. */
export function openDayLines(days: readonly OpenDay[]): string[] {
  const runs: OpenDay[][] = []
  for (const day of days) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (last && dayAfter(last.date, 1) === day.date && reasonOf(last) === reasonOf(day)) run?.push(day)
    else runs.push([day])
  }
  return runs.map((run) => {
    const [first, last] = [run[0]?.date ?? '', run.at(-1)?.date ?? '']
    const reasons = run[0]?.reasons.join('; ') ?? ''
    if (first === last) return `${first}: ${reasons}`
    const all = reasons
      .replaceAll(`daily ${first}`, `daily --from ${first} --to ${last}`)
      .replaceAll(`--day ${first}`, `--since ${first}`)
    return `${first} to ${last} (${countText(run.length, 'day')}): ${all}`
  })
}

/** Returns the reasons of a day without its date. Breaks have IDs, so their days stay apart. */
const reasonOf = ({ date, reasons }: OpenDay): string => reasons.join('; ').replaceAll(date, '')
