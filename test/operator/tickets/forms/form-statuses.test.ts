import { expect, test } from 'vitest'
import { statusesOfForm } from '../../../../src/operator/tickets/forms/form-statuses.ts'
import { generalForm } from '../../../../src/services/chat/admin.ts'

const status = (code: string, active = true) => ({ code, label: code, category: 'open' as const, active })
const workflow = (transitions: { from: string; to: string }[] | null) => ({
  ...generalForm.workflow,
  statuses: [status('open'), status('pending'), status('old', false)],
  transitions: transitions?.map((step) => ({ ...step, requiresComment: false })) ?? null,
})
const nextOf = (transitions: { from: string; to: string }[] | null) =>
  statusesOfForm({ workflow: workflow(transitions) }).map(({ code, next }) => [code, next])

test('without transitions, every other active status can follow', () => {
  expect(nextOf(null)).toEqual([
    ['open', ['pending']],
    ['pending', ['open']],
  ])
})

test('with transitions, those of the status and those of any status apply', () => {
  expect(nextOf([{ from: 'open', to: 'pending' }])).toEqual([
    ['open', ['pending']],
    ['pending', []],
  ])
  expect(nextOf([{ from: '*', to: 'open' }])).toEqual([
    ['open', []],
    ['pending', ['open']],
  ])
})
