import { describe, expect, test } from 'vitest'
import { envelope } from '../../../src/cli/outcome/envelope.ts'
import { categories, exitOf, reportOf } from '../../../src/cli/outcome/exit-codes.ts'
import { exitCodeOf } from '../../../src/cli/outcome/signals.ts'
import { Problem } from '../../../src/kit/problem.ts'
import { casino } from '../../../src/services/casino/api/contract.ts'
import { agent, chat, widget } from '../../../src/services/chat/api/contract.ts'
import { gateway } from '../../../src/services/gateway/api/contract.ts'
import * as book from './exit-codes.ts'

test('the exit codes are those of the table, and no others', () => {
  const all = [...Object.values(categories).map(({ exit }) => exit), exitCodeOf('SIGINT'), exitCodeOf('SIGTERM')]
  expect([...new Set<number>(all)].toSorted((a, b) => a - b)).toEqual(book.exitCodes.map(({ code }) => code))
  expect([exitCodeOf('SIGINT'), exitCodeOf('SIGTERM')]).toEqual([130, 143])
})

test('the envelope and its error have the keys of the tables', () => {
  const error = reportOf(new Problem('PLAYER_NOT_FOUND', 'no such player'))
  const [good, bad] = [envelope({ command: 'x' }), envelope({ command: 'x', error })]
  for (const each of [good, bad]) {
    expect(Object.keys(each)).toEqual(book.envelope)
    expect(each.schemaVersion).toBe(book.schemaVersion)
  }
  expect([good.status, bad.status]).toEqual(book.statuses)
  expect(Object.keys(bad.error ?? {}).toSorted()).toEqual([...book.errorKeys].toSorted())
})

describe('the refusals of the APIs', () => {
  test('are those of the table, and no others', () => {
    const problemCodes = [casino, gateway, chat, widget, agent].flatMap(({ problems }) => Object.keys(problems))
    expect([...new Set(problemCodes)].toSorted()).toEqual(book.apiExits.flatMap(({ codes }) => [...codes]).toSorted())
  })

  test.each(book.apiExits.flatMap(({ codes, exit }) => codes.map((code) => ({ code, exit }))))(
    '$code ends with $exit',
    ({ code, exit }) => {
      expect(exitOf(reportOf(new Problem(code, 'refused')).category)).toBe(exit)
    },
  )
})
