import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findCommand } from '../../../src/cli/framework/find.ts'
import type { CommandEntry } from '../../../src/cli/framework/manifest.ts'
import { editDistance, nearest } from '../../../src/kit/nearest.ts'
import { programWith } from '../../support/program/command-line.ts'

const program = programWith(
  [
    'launch',
    'tables:list',
    'wallet:deposit',
    'wallet:plan',
    'wallet:plan:show',
    'console:tenants:create',
    'console:merchants:payments:refund',
    'payments:requote',
  ].map((id): CommandEntry => ({ id, args: {}, flags: {} })),
)
const find = (line: string) => {
  const match = findCommand(program, line.split(' '))
  return match.kind === 'command' ? { id: match.command.id, argv: match.argv } : match
}

test('the longest command that matches the words is selected', () => {
  expect(find('wallet deposit amy 100 USD')).toEqual({ id: 'wallet:deposit', argv: ['amy', '100', 'USD'] })
  expect(find('wallet plan show x')).toEqual({ id: 'wallet:plan:show', argv: ['x'] })
  expect(find('wallet plan file.csv')).toEqual({ id: 'wallet:plan', argv: ['file.csv'] })
})

test('words after a flag or -- never select the command', () => {
  expect(find('launch -- tables list')).toEqual({ id: 'launch', argv: ['--', 'tables', 'list'] })
  expect(find('wallet --json deposit')).toMatchObject({ kind: 'topic', id: 'wallet' })
  expect(find('--json --profile tables launch amy')).toEqual({
    id: 'launch',
    argv: ['--json', '--profile', 'tables', 'amy'],
  })
  expect(find('--profile=x tables list')).toEqual({ id: 'tables:list', argv: ['--profile=x'] })
})

test('a typo gets the closest commands as suggestions, and a distant word gets none', () => {
  expect(find('wallet deposti amy')).toMatchObject({ kind: 'unknown', near: ['wallet deposit'] })
  expect(find('walet deposit amy')).toMatchObject({ kind: 'unknown', near: ['wallet deposit'] })
  expect(find('list tables')).toMatchObject({ kind: 'unknown', near: ['tables list'] })
  expect(find('lanch amy')).toMatchObject({ kind: 'unknown', near: ['launch'] })
  expect(find('xyzzy')).toMatchObject({ kind: 'unknown', near: [] })
  expect(find('console tenants make X')).toMatchObject({ kind: 'unknown', near: [], topic: 'console tenants' })
  expect(find('payments cancel')).toMatchObject({ kind: 'unknown', near: [], topic: 'payments' })
})

test('a command typed without its first words is suggested whole', () => {
  const near = ['console merchants payments refund']
  for (const line of ['payments refund', 'payment refund 5', 'merchants payments refnd 5'])
    expect(find(line)).toMatchObject({ kind: 'unknown', near })
})

test('the distance between two words is the number of edits', () => {
  const word = fc.string({ maxLength: 8 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a))
      expect(editDistance(a, b) === 0).toBe(a === b)
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
    }),
  )
  expect(editDistance('ab', 'ba')).toBe(1)
  expect(editDistance('kitten', 'sitting')).toBe(3)
})

test('only the closest of the known words are suggested', () => {
  expect(nearest('profil', ['profile', 'book', 'db'])).toEqual(['profile'])
  expect(nearest('x', ['profile', 'book'])).toEqual([])
})
