import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Monitor, type MonitorOptions } from '../../../src/cli/context/monitor.ts'
import { receiverTimeoutMs } from '../../../src/operator/monitoring/receiver.ts'
import { holdTimersOf } from '../../support/held-timers.ts'

/** Lets the sockets of this process work until a condition holds. */
async function turnsUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTurn()
}

test('requests to a receiver that hangs delay the end of a run together by no more than one limit', async () => {
  const got: string[] = []
  const server = createServer(({ url = '' }) => void got.push(url)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    vi.restoreAllMocks()
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Without a timeout of its own, each request ends only by the limit for all of them.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  // Only this limit is held. With fake timers the HTTP client would keep one as its clock, for all later files of this worker.
  const limits = holdTimersOf(receiverTimeoutMs)
  const warnings: string[] = []
  const monitor = new Monitor({
    ping: `${url}/ping`,
    metrics: undefined,
    settings: { settings: { notify: `${url}/notify` }, env: {} },
    job: 'bets sync',
    profile: () => ({ name: 'local' }),
    warn: (text: string) => warnings.push(text),
  } as unknown as MonitorOptions)
  monitor.begin()
  monitor.notify({ event: 'breaks.found', text: 'One', items: [] })
  await turnsUntil(() => got.length === 2)
  let isOver = false
  const end = monitor.end(0).then(() => (isOver = true))
  await turnsUntil(() => got.length === 3)
  expect([got.toSorted(), isOver]).toEqual([['/notify', '/ping', '/ping/start'], false])
  expect(limits).toHaveLength(1)
  limits[0]?.()
  await turnsUntil(() => isOver)
  expect([isOver, warnings.length]).toEqual([true, 3])
  for (const warning of warnings) expect(warning).toContain(`no response within ${receiverTimeoutMs / 1000} s`)
  await end
})
