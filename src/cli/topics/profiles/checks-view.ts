import { countText } from '../../../kit/text/count-text.ts'
import type { Check } from '../../../operator/doctor.ts'
import type { CountroomCommand } from '../../framework/command.ts'
import { categoryOf } from '../../outcome/exit-codes.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import type { Paint, Style } from '../../terminal/color.ts'
import type { Glyphs } from '../../terminal/glyphs.ts'
import { padEnd, printable, widthOf, wrap } from '../../terminal/text.ts'

const styles: Readonly<Record<Check['status'], Style>> = { pass: 'green', warn: 'yellow', fail: 'red', skip: 'dim' }

/** Formats one line per check, with the fix below those that did not pass. */
export function checksText(checks: readonly Check[], at: { glyphs: Glyphs; paint: Paint; width: number }): string {
  const { glyphs, paint, width } = at
  const left = Math.max(0, ...checks.map(({ title }) => widthOf(title)))
  const mark = Math.max(...checks.map(({ status }) => widthOf(glyphs[status])), 1)
  const indent = ' '.repeat(mark + left + 4)
  const room = Math.max(20, width - widthOf(indent))
  return checks
    .flatMap(({ status, title, message, fix }) => {
      const [first = '', ...more] = wrap(printable(message), room)
      const head = `${paint(styles[status], padEnd(glyphs[status], mark))}  ${padEnd(title, left)}  `
      const advice =
        fix === null ? [] : wrap(printable(fix), room - 2).map((line, i) => `${i === 0 ? glyphs.arrow : ' '} ${line}`)
      const lines = [first, ...more, ...advice.map((line) => paint('bold', line))]
      return lines.map((line, i) => (i === 0 ? head + (status === 'skip' ? paint('dim', line) : line) : indent + line))
    })
    .join('\n')
}

/** Counts the checks by status. */
export function tally(checks: readonly Check[]) {
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length
  return { pass: count('pass'), warn: count('warn'), fail: count('fail'), skip: count('skip') }
}

/** Formats the counts in a sentence. */
export function tallyText({ pass, warn, fail, skip }: ReturnType<typeof tally>): string {
  const parts = [
    `${pass} passed`,
    ...(warn > 0 ? [countText(warn, 'warning')] : []),
    ...(fail > 0 ? [`${fail} failed`] : []),
    ...(skip > 0 ? [`${skip} skipped`] : []),
  ]
  return `${parts.join(', ')}.`
}

/** Returns the first failure as the problem of the run. */
export function firstFailure(checks: readonly Check[]): Parameters<CountroomCommand['endWith']> | undefined {
  const failed = checks.filter(({ status }) => status === 'fail')
  const [first] = failed
  if (first === undefined) return undefined
  const code = first.code ?? 'UNEXPECTED'
  return [
    code,
    `${first.title}: ${first.message}`,
    // Most codes belong to one call of an API; here only their category matters.
    {
      check: first.id,
      fix: first.fix,
      failed: failed.map(({ id }) => id),
      category: categoryOf(code),
      remoteCode: null,
    },
  ]
}

export function checksSchema({ Type }: Shapes) {
  const text = Type.Union([Type.String(), Type.Null()])
  return {
    profile: text,
    checks: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Stable ID for scripts.' }),
        title: Type.String(),
        status: Type.Enum(['pass', 'warn', 'fail', 'skip']),
        message: Type.String(),
        fix: text,
        code: text,
      }),
    ),
    counts: Type.Object({
      pass: Type.Integer(),
      warn: Type.Integer(),
      fail: Type.Integer(),
      skip: Type.Integer(),
    }),
  }
}
