import { expect, test } from 'vitest'
import { loggedState, loggedStates } from '../../../src/domain/webhooks/delivery-status.ts'

test.each([
  ['pending', 'owed'],
  ['leased', 'owed'],
  ['held', 'owed'],
  ['delivered', 'delivered'],
  ['failed', 'dead'],
] as const)('a %s delivery is logged as %s, and is found by that state alone', (status, state) => {
  expect(loggedState({ status })).toBe(state)
  const finding = Object.entries(loggedStates).filter(([, statuses]) => statuses.some((each) => each === status))
  expect(finding.map(([name]) => name)).toEqual([state])
})
