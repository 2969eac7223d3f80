import type { Tx } from '../../../db/store.ts'
import { isProblem } from '../../../kit/problem.ts'
import type { TransferResult } from '../api/schemas/index.ts'
import { readWallets } from '../queries/wallets.ts'
import type { Casino } from '../service.ts'
import { type MovementInput, move } from '../wallet.ts'
import { changingPlayers } from '../write-groups.ts'
import { admissionOf, batchesByTenant, type SignedRequest } from './admission.ts'

/** Carries out a deposit or withdrawal once its request is admitted, or throws the refusal. */
export type MovementControl = (request: SignedRequest, input: MovementInput) => Promise<TransferResult>

interface QueuedMovement extends SignedRequest {
  readonly input: MovementInput
}

/** As of a promise: the refusal of one movement must not fail the others. */
type Outcome = PromiseSettledResult<TransferResult>

/**
 * Deposits and withdrawals, which are most of a casino's signed requests. Those that wait together share one transaction
 * with their nonces and tokens, and one statement of each kind: their players and transfers are read at once, the rules
 * applied in memory in order of arrival, and the changes written at once. A refused movement keeps its nonce and changes
 * nothing else.
 */
export function openMovementControl(app: Casino): MovementControl {
  const add = batchesByTenant<QueuedMovement, Outcome>(async (tenant, take) => {
    try {
      return await changingPlayers(app, tenant, (tx) => moveAll(app, tx, take()))
    } catch (error) {
      const movements = take()
      if (isProblem(error) || movements.length === 1) throw error
      // One of them may have caused the failure: run alone, only that one fails.
      return Promise.all(movements.map((movement) => moveAlone(app, movement)))
    }
  })
  return async ({ tenant, use }, input) => {
    const outcome = await add({ tenant, use, input })
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }
}

async function moveAlone(app: Casino, movement: QueuedMovement): Promise<Outcome> {
  try {
    const [outcome] = await changingPlayers(app, movement.tenant, (tx) => moveAll(app, tx, [movement]))
    return outcome ?? refused(undefined)
  } catch (error) {
    return refused(error)
  }
}

const refused = (reason: unknown): Outcome => ({ status: 'rejected', reason })

async function moveAll(app: Casino, tx: Tx, movements: readonly QueuedMovement[]): Promise<Outcome[]> {
  const inputs = movements.map(({ input }) => input)
  const code = movements[0]?.tenant.code ?? ''
  const [{ refusals, save }, wallets] = await Promise.all([
    admissionOf(app, tx, movements),
    readWallets(tx, code, inputs),
  ])
  const outcomes: Outcome[] = []
  for (const [i, { tenant, input }] of movements.entries()) {
    const result = refusals[i] ?? (await move(app, tx, tenant, wallets, input))
    outcomes.push(isProblem(result) ? refused(result) : { status: 'fulfilled', value: result })
  }
  await Promise.all([wallets.save(tx), save()])
  return outcomes
}
