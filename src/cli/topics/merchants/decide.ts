import { isProblem, Problem } from '../../../kit/problem.ts'
import type { CommandContext } from '../../context/context.ts'
import { typedCommand } from '../../framework/shell-quote.ts'

/** A decision about money, made in one transaction. */
export interface Decision<Result> {
  /** Description in the imperative: `Refund 10 usdttrc20 of payment 5000000001`. */
  readonly action: string
  /** Arguments and flags that repeat it. */
  readonly again: {
    readonly args: readonly string[]
    readonly flags: Readonly<Record<string, string | true | undefined>>
  }
  /** Makes the decision, or refuses it and changes nothing. */
  decide(): Promise<Result>
  /** Returns the decision if it was made; undefined if it was not. */
  look(): Promise<Result | undefined>
}

/**
 * Makes a decision about money. If the result of the commit is lost, it is looked up. If that fails too, the outcome is
 * unknown, and the same command is safe to run again, because a decision is made once.
 */
export async function decideOnce<Result>(context: CommandContext, decision: Decision<Result>): Promise<Result> {
  await context.services.audit()
  try {
    return await decision.decide()
  } catch (error) {
    if (!isProblem(error, 'STORE_UNAVAILABLE') || error.detail['outcome'] === 'none') throw error
    return await lookUp(context, decision, error)
  }
}

async function lookUp<Result>(context: CommandContext, decision: Decision<Result>, lost: Problem): Promise<Result> {
  const again = typedCommand(context.words, decision.again.args, decision.again.flags)
  let known: Result | undefined
  try {
    known = await decision.look()
  } catch {
    throw new Problem(
      'MONEY_UNKNOWN',
      `Unknown outcome: ${decision.action}. It is safe to run again: ${again}. If this run was carried out, it exits with 6 and prints what was done`,
      { reason: lost.code, next: [again] },
      { cause: lost },
    )
  }
  if (known !== undefined) return known
  throw new Problem(
    lost.code,
    `${lost.message}. Nothing was done. Try again: ${again}`,
    { ...lost.detail, outcome: 'none', next: [again] },
    { cause: lost },
  )
}
