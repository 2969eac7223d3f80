import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { holds } from '../../../src/world/scenarios/compare.ts'
import { scenarioNames } from '../../../src/world/scenarios/names.ts'
import { runScenario } from '../../../src/world/scenarios/run.ts'
import { scenarioFrom } from '../../../src/world/scenarios/scenario-file.ts'
import { shippedScenarios } from '../../../src/world/scenarios/shipped.ts'
import type { EngineUnderTest } from '../../support/databases/engines.ts'
import { refuses } from '../../support/worlds/people.ts'
import { inMemory, machineClock, onPostgres, type TestWorld, testWorld } from '../../support/worlds/world.ts'

let world: TestWorld
const onPg: { world?: TestWorld } = {}
const demoOn = async (on: EngineUnderTest) => {
  const opened = await testWorld({ on, time: machineClock, seed: '7', cleanUp: afterAll })
  await ensureDemoWorld(opened)
  return opened
}
beforeAll(async () => {
  world = await demoOn(inMemory)
})

async function played(text: string, on = world) {
  const steps = []
  for await (const step of runScenario(on, await scenarioFrom(text, 'test.yaml'))) steps.push(step)
  return steps
}

describe('included scenarios', () => {
  test.each(scenarioNames)('%s passes all of its checks, and leaves no fault', async (name) => {
    const steps = await played((shippedScenarios[name] ?? '').trimStart())
    expect(steps.filter(({ status }) => status === 'failed')).toEqual([])
    expect(steps.some(({ status }) => status === 'passed')).toBe(true)
    expect(await world.faults.list()).toEqual([])
  })

  test.each(['normal-day', 'worst-day'])('%s passes on PostgreSQL', async (name) => {
    onPg.world ??= await demoOn(onPostgres)
    const steps = await played((shippedScenarios[name] ?? '').trimStart(), onPg.world)
    expect(steps.filter(({ status }) => status === 'failed')).toEqual([])
  })

  test('a scenario plays twice on one world', async () => {
    const text = (shippedScenarios['busy-chat'] ?? '').trimStart()
    expect((await played(text)).filter(({ status }) => status === 'failed')).toEqual([])
  })
})

describe('a scenario', () => {
  test('that receives callbacks is refused in a world that sends to public addresses only', async () => {
    const closed = {
      ...world,
      gateway: { ...world.gateway, config: { ...world.gateway.config, loopbackCallbacks: () => false } },
    }
    const scenario = await scenarioFrom('name: far\nsteps:\n  - receive-callbacks: {}\n', 'far.yaml')
    await refuses('CONFLICT', runScenario(closed, scenario).next())
  })

  test('with a check that cannot be made or cannot fail is refused before it is played', async () => {
    const checks = [
      ['{ that: callbacks, is: 0 }', 'callbacks are counted after the step "receive-callbacks: {}", which is missing'],
      ['{ that: invariant, is: pass }', 'there is no figure "invariant"; did you mean "invariants"?'],
      ['{ that: slips }', '"check" needs "is", "at-least" or "at-most"'],
      ['{ that: balance, is: 1 }', '"of" of the figure "balance" is missing'],
      ['{ that: slips, of: amy, is: 1 }', 'the figure "slips" has no "of"'],
      ['{ that: payment, of: b, is: finished }', 'there is no payment with the order "b" before this check'],
    ] as const
    const head = ['name: blind', 'steps:', '  - payment: { order: a, price: 10 }', '  - receive-callbacks: { url: a }']
    const text = [...head, ...checks.map(([check]) => `  - check: ${check}`)].join('\n')
    const problem = await refuses('INVALID_FILE', scenarioFrom(text, 'blind.yaml'))
    expect(problem.detail['faults']).toEqual([
      { line: 4, text: 'unknown key "url"; "receive-callbacks" has no keys' },
      ...checks.map(([, message], n) => ({ line: n + 5, text: message })),
    ])
  })

  test('counts the callbacks that were given up since it began', async () => {
    await played('name: few\nsteps:\n  - receive-callbacks: {}\n  - payment: { order: a, price: 10 }\n')
    const mark = (status: 'failed' | 'delivered') =>
      world.store.write(({ q }) =>
        q.updateTable('outbox_deliveries').set({ status, total_attempts: 1 }).executeTakeFirst(),
      )
    expect(Number((await mark('failed')).numUpdatedRows)).toBeGreaterThan(0)
    const steps = await played('name: few\nsteps:\n  - check: { that: failed-callbacks, is: 0 }\n')
    await mark('delivered')
    expect(steps.map(({ status }) => status)).toEqual(['passed'])
  })

  test('continues after a failed check, and reports the expected and the actual value', async () => {
    const steps = await played(
      [
        'name: two-checks',
        'steps:',
        '  - deposit: { user: uma, amount: 12.50 }',
        '  - check: { that: balance-change, of: uma, is: "13" }',
        '  - check: { that: balance-change, of: uma, at-least: 12.5, at-most: 12.5 }',
      ].join('\n'),
    )
    expect(steps.map(({ line, status }) => [line, status])).toEqual([
      [3, 'done'],
      [4, 'failed'],
      [5, 'passed'],
    ])
    expect(steps[1]?.detail).toBe('balance-change of uma: expected is 13; found 12.5')
  })

  test('with errors is rejected with all of them and their lines', async () => {
    const text = [
      'name: wrong',
      'steps:',
      '  - depositt: { user: a, amount: 1 }',
      '  - deposit: { user: a, amount: much }',
      '  - deposit: { user: a }',
      '  - fault: { kind: cut-affter }',
      '  - advance: { by: 2h, to: 3h }',
    ].join('\n')
    const problem = await refuses('INVALID_FILE', scenarioFrom(text, 'wrong.yaml'))
    expect((problem.detail['faults'] as { line: number }[]).map(({ line }) => line)).toEqual([3, 4, 5, 6, 7])
    expect(problem.message).toContain('did you mean "deposit"?')
  })
})

test.each([
  ['10', { is: '10.00' }, true],
  ['10.5', { atLeast: '10.5', atMost: '10.5' }, true],
  ['10.4999', { atLeast: '10.5' }, false],
  ['finished', { is: 'finished' }, true],
  ['finished', { atLeast: '1' }, false],
])('%s is as expected by %o: %s', (actual, wanted, result) => {
  expect(holds(actual, { is: undefined, atLeast: undefined, atMost: undefined, ...wanted })).toBe(result)
})
