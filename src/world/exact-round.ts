import { isStorable } from '../http/contract/storable-text.ts'
import { Problem } from '../kit/problem.ts'
import type { ExactRound } from '../services/casino/simulator/index.ts'

/** Validates a value; `path` names it in errors. */
type Check = (value: unknown, path: string) => void

const text: Check = (value, path) =>
  must(typeof value === 'string' && isStorable(value), path, 'a text without NUL characters')
const flag: Check = (value, path) => must(typeof value === 'boolean', path, 'true or false')
const whole: Check = (value, path) => must(Number.isInteger(value), path, 'a whole number')
const texts: Check = (value, path) => {
  for (const [name, each] of Object.entries(objectAt(value, path))) text(each, `${path}.${name}`)
}
const integers: Check = (value, path) => {
  for (const [name, each] of Object.entries(objectAt(value, path))) whole(each, `${path}.${name}`)
}

const winners: Check = (value, path) => {
  for (const [name, each] of Object.entries(objectAt(value, path)))
    must(
      (each === 'P' || each === 'B') && ['P1', 'P2', 'P3'].includes(name),
      `${path}.${name}`,
      'P or B, of P1, P2, P3',
    )
}

const result = { cardInfo: text, code: text, points: integers, suitedTie: flag, winners, button: whole }
const slip = { username: text, variant: text, bets: texts, hole: text, folded: flag, seat: whole, onsite: flag }
const round = { tableId: text, variant: text, ...result, void: flag, slips: slipsAt, then: stepsAt }

/** Parses an exact round. Throws INVALID_FILE with the first invalid field. */
export function exactRoundFrom(document: unknown): ExactRound {
  fieldsAt(document, 'the round', round, ['tableId', 'slips'])
  // Every field was validated above.
  return document as ExactRound
}

function slipsAt(value: unknown, path: string): void {
  must(Array.isArray(value), path, 'a list')
  for (const [i, each] of (value as unknown[]).entries()) fieldsAt(each, `${path}[${i}]`, slip, ['username', 'bets'])
}

function stepsAt(value: unknown, path: string): void {
  must(Array.isArray(value), path, 'a list')
  for (const [i, each] of (value as unknown[]).entries()) {
    const step = objectAt(each, `${path}[${i}]`)
    if ('correct' in step) fieldsAt(step['correct'], `${path}[${i}].correct`, result, [])
    else must(step['void'] === true, `${path}[${i}]`, '{"correct": {…}} or {"void": true}')
  }
}

function fieldsAt(value: unknown, path: string, fields: Readonly<Record<string, Check>>, required: readonly string[]) {
  const object = objectAt(value, path)
  for (const [name, each] of Object.entries(object)) {
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!check) throw invalid(`${path} has an unknown field "${name}"; valid fields: ${Object.keys(fields).join(', ')}`)
    check(each, name)
  }
  for (const name of required) if (!(name in object)) throw invalid(`${path} lacks "${name}"`)
}

function objectAt(value: unknown, path: string): Record<string, unknown> {
  must(value !== null && typeof value === 'object' && !Array.isArray(value), path, 'an object')
  return value as Record<string, unknown>
}

function must(isSo: boolean, path: string, expected: string): void {
  if (!isSo) throw invalid(`${path} must be ${expected}`)
}

function invalid(message: string): Problem {
  return new Problem('INVALID_FILE', message)
}
