import type { Check } from '../../../operator/doctor.ts'
import type { CountroomCommand } from '../../framework/command.ts'
import { categoryOf } from '../../outcome/exit-codes.ts'
import type { Paint, Style } from '../../terminal/colour.ts'
import type { Glyphs } from '../../terminal/glyphs.ts'
import { padEnd, printable, widthOf, wrap } from '../../terminal/text.ts'

const styles: Readonly<Record<Check['status'], Style>> = { pass: 'green', warn: 'yellow', fail: 'red', skip: 'dim' }

/** One line per check, and what to do about it below those that are not well. */
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

/** How many of each there are. */
export function tally(checks: readonly Check[]) {
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length
  return { pass: count('pass'), warn: count('warn'), fail: count('fail'), skip: count('skip') }
}

/** In a sentence. */
export function tallyText({ pass, warn, fail, skip }: ReturnType<typeof tally>): string {
  const parts = [
    `${pass} passed`,
    ...(warn > 0 ? [`${warn} to look at`] : []),
    ...(fail > 0 ? [`${fail} failed`] : []),
    ...(skip > 0 ? [`${skip} not looked at`] : []),
  ]
  return `${parts.join(', ')}.`
}

/** The first failure, as what a run ends with. */
export function firstFailure(checks: readonly Check[]): Parameters<CountroomCommand['endWith']> | undefined {
  const failed = checks.filter(({ status }) => status === 'fail')
  const [first] = failed
  if (first === undefined) return undefined
  const code = first.code ?? 'UNEXPECTED'
  return [
    code,
    `${first.title}: ${first.message}`,
    // Most codes are an API's or the store's, where they speak of one call; here the whole class is what counts.
    {
      check: first.id,
      fix: first.fix,
      failed: failed.map(({ id }) => id),
      category: categoryOf(code),
      remoteCode: null,
    },
  ]
}

export async function checksSchema() {
  const { Type } = await import('typebox')
  const text = Type.Union([Type.String(), Type.Null()])
  return {
    profile: text,
    checks: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Stable; one branches on this' }),
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
