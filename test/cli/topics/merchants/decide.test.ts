import { describe, expect, test, vi } from 'vitest'
import type { CommandContext } from '../../../../src/cli/context/context.ts'
import { exitOf, reportOf } from '../../../../src/cli/outcome/exit-codes.ts'
import { decideOnce } from '../../../../src/cli/topics/merchants/decide.ts'
import { isProblem, Problem } from '../../../../src/kit/problem.ts'

/** Errors of commands about money after the response of the database was lost. */

const context = {
  words: 'console merchants payments refund',
  profile: { name: 'local' },
  services: { audit: async () => {} },
} as unknown as CommandContext

const lost = (outcome: 'none' | 'unknown') => new Problem('STORE_UNAVAILABLE', 'The connection was lost', { outcome })

async function ended(decide: () => Promise<string>, look: () => Promise<string | undefined>) {
  const looked = vi.fn(look)
  const decision = {
    action: 'Refund 10 of payment 5 to T1',
    again: { args: ['5'], flags: { amount: '10', to: 'T1' } },
    decide,
    look: looked,
  }
  try {
    return { result: await decideOnce(context, decision), looked }
  } catch (error) {
    if (!isProblem(error)) throw error
    return { problem: error, exit: exitOf(reportOf(error).category), looked }
  }
}

const again = 'countroom console merchants payments refund 5 --amount 10 --to T1'

describe('a commit without a response', () => {
  const fails = async () => {
    throw lost('unknown')
  }

  test('that was applied is found and reported as done', async () => {
    expect(await ended(fails, async () => 'done')).toMatchObject({ result: 'done' })
  })

  test('that was not applied may be tried again', async () => {
    const { problem, exit } = await ended(fails, async () => undefined)
    expect([exit, problem?.message]).toEqual([7, `The connection was lost. Nothing was done. Try again: ${again}`])
  })

  test('that cannot be looked up is unknown, and names the command that is safe', async () => {
    const { problem, exit } = await ended(fails, fails)
    expect([exit, problem?.code, problem?.detail['next']]).toEqual([10, 'MONEY_UNKNOWN', [again]])
    expect(problem?.message).toBe(
      `Unknown outcome: Refund 10 of payment 5 to T1. It is safe to run again: ${again}. If this run was carried out, it exits with 6 and prints what was done`,
    )
  })
})

test.each([
  ['a refusal', new Problem('CONFLICT', 'Already refunded'), 6],
  ['an unreachable database', lost('none'), 7],
])('%s is reported unchanged, without a look-up', async (_, error, code) => {
  const { problem, exit, looked } = await ended(
    async () => {
      throw error
    },
    async () => 'done',
  )
  expect([problem, exit, looked.mock.calls.length]).toEqual([error, code, 0])
})
