import { expect, test } from 'vitest'
import { setStatusOf } from '../../../src/operator/tickets/statuses.ts'

/** Sets a status with or without a comment, and returns the requests in their order. */
async function requestsOf(hasForm: boolean, hasComment: boolean) {
  const requests: unknown[][] = []
  const api = {
    comment: async (...args: unknown[]) => void requests.push(['comment', ...args]),
    setStatus: async (...args: unknown[]) => void requests.push(['setStatus', ...args]),
  }
  const comment = hasComment ? { content: 'paid', visibility: 'internal' as const, key: 'k' } : undefined
  const order = { status: 'closed', actor: 'ann', comment, hasForm }
  await setStatusOf(api as never, { ticketId: 't1', version: 7 }, order)
  return requests
}

test('if forms can be read, the comment is part of the request, at the version that was read', async () => {
  const comment = { content: 'paid', visibility: 'internal', key: 'k' }
  expect(await requestsOf(true, true)).toEqual([
    ['setStatus', 't1', { status: 'closed', actor: 'ann', version: 7, comment }],
  ])
})

test('elsewhere the comment is written first, and the status without the outdated version', async () => {
  expect(await requestsOf(false, true)).toEqual([
    ['comment', 't1', { content: 'paid', visibility: 'internal', key: 'k', authorDisplayName: 'ann' }],
    ['setStatus', 't1', { status: 'closed', actor: 'ann' }],
  ])
})

test('without a comment there is one request, at the version that was read', async () => {
  for (const hasForm of [true, false])
    expect(await requestsOf(hasForm, false)).toEqual([
      ['setStatus', 't1', { status: 'closed', actor: 'ann', version: 7, comment: undefined }],
    ])
})
