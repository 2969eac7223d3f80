import { actionText, type PlanItem, type TriageAction, type TriagePlan } from '../../../../domain/tickets/bulk-plan.ts'
import { backwards } from '../../../../domain/tickets/undo.ts'
import { carryOut, type ItemResult } from '../../../../operator/tickets/apply-plan.ts'
import type { FullTicket } from '../../../../operator/tickets/parse.ts'
import {
  actionsOf,
  endPlan,
  keepPlan,
  latestDone,
  openPlan,
  orderOfUndo,
  settleActions,
} from '../../../../operator/tickets/plan-journal.ts'
import { nameOfTicket } from '../view.ts'
import type { Decided } from './prompts.ts'
import { orderOf, readOrGone, type Session } from './session.ts'

/** Applies actions to a ticket through the journal and reports the result. */
export async function act(
  session: Session,
  ticket: FullTicket,
  actions: readonly TriageAction[],
  whenDone: 'done-with' | 'stay',
  { told, then }: { told?: string; then?: PlanItem } = {},
): Promise<Decided> {
  const { say } = session
  const { ticketId, ticketNumber, version, status } = ticket
  const plan: TriagePlan = {
    planId: session.makeId(),
    madeAt: await session.now(),
    items: [{ ticketId, ticketNumber, version, status, actions }, ...(then ? [then] : [])],
  }
  await keepPlan(session.book, plan, { kind: 'bulk', target: session.target, order: orderOf(session.queue) })
  const [result, second] = await foundOut(session, plan, await carried(session, plan))
  if (isDone(result)) {
    say(`${nameOfTicket(ticket)}: ${told ?? actions.map((action) => actionText(action, status)).join('; ')}`)
    if (then) say(secondText(then, second))
    return whenDone
  }
  // The differences are printed when the ticket is shown again.
  if (result?.outcome === 'conflict') return 'look-again'
  say(notDoneText(result))
  return 'nothing'
}

/** Looks up a lost response at once, and sends again if it was not done. An unknown outcome is left to the next run. */
async function foundOut(
  session: Session,
  plan: TriagePlan,
  results: readonly ItemResult[],
): Promise<readonly ItemResult[]> {
  if (!results.some(({ outcome }) => outcome === 'unknown')) return results
  session.say('No response arrived; checking whether it was done.')
  const again = await carried(session, plan)
  // The earlier response stays valid if there is no new one.
  return results.map((result, i) => (result.outcome === 'unknown' ? (again[i] ?? result) : result))
}

const notDoneText = (result: ItemResult | undefined): string =>
  result?.outcome === 'unknown'
    ? `Unknown whether this was done: ${result.message}. Do not repeat it: the next "countroom tickets triage" checks and finishes it.`
    : `Not done: ${result?.message ?? 'stopped'}`

const isDone = (result: ItemResult | undefined): boolean => result?.outcome === 'applied' || result?.outcome === 'no-op'

const secondText = (item: PlanItem, result: ItemResult | undefined): string =>
  isDone(result)
    ? `${nameOfTicket(item)}: ${item.actions.map((action) => actionText(action, item.status)).join('; ')}`
    : result?.outcome === 'unknown'
      ? `Unknown whether ${nameOfTicket(item)} has the note: ${result.message}. The next "countroom tickets triage" checks and finishes it.`
      : `${nameOfTicket(item)} did not get the note: ${result?.message ?? 'stopped'}`

/** Applies a decision. Dependent parts are not started if the first part was not done. */
async function carried(session: Session, plan: TriagePlan, isTakeBack = false): Promise<readonly ItemResult[]> {
  const { ticketsApi, book, actor, audit } = session
  // Not the session's signal: a decision is finished before the program ends.
  const enough = new AbortController()
  const results = await carryOut({
    ticketsApi: ticketsApi,
    book,
    plan,
    actor,
    isTakeBack,
    atOnce: 1,
    stop: enough.signal,
    onItem: (result) => {
      if (!isDone(result)) enough.abort()
    },
    ...(audit ? { audit } : {}),
  })
  // A decision that can be finished later stays open for the next run.
  if (!results.some(({ retryable }) => retryable)) await endPlan(book, plan.planId)
  return results
}

/** Finishes decisions that were interrupted. */
export async function finishBegun(session: Session): Promise<void> {
  const { book, target, queue, say } = session
  const kept = await openPlan(book, { kind: 'bulk', target, order: orderOf(queue) })
  if (!kept) return
  const [item] = kept.plan.items
  const [result] = await carried(session, kept.plan)
  if (item)
    say(
      `${nameOfTicket(item)} had an unfinished decision: ${result?.outcome === 'applied' ? 'now done' : `not done (${result?.message ?? 'stopped'})`}.`,
    )
}

/** Undoes the last decision and returns its ticket. Comments cannot be undone. */
export async function undo(session: Session): Promise<string | undefined> {
  const { book, ticketsApi, say } = session
  const kept = await latestDone(book, orderOf(session.queue))
  const [item] = kept?.plan.items ?? []
  if (!kept || !item) {
    say('Nothing to undo.')
    return undefined
  }
  const done = [...(await actionsOf(book, kept.plan.planId)).values()].filter(({ state }) => state === 'done')
  const backward = done.flatMap(
    ({ action, before }) => backwards(JSON.parse(action), before === null ? null : JSON.parse(before)) ?? [],
  )
  const ticket = await readOrGone(ticketsApi, item.ticketId)
  if (ticket && backward.length > 0) {
    const { ticketId, ticketNumber, version, status } = ticket
    const plan: TriagePlan = {
      planId: session.makeId(),
      madeAt: await session.now(),
      items: [{ ticketId, ticketNumber, version, status, actions: backward }],
    }
    await keepPlan(book, plan, { kind: 'bulk', target: session.target, order: orderOfUndo(kept.plan.planId) })
    const [result] = await carried(session, plan, true)
    if (result?.outcome !== 'applied' && result?.outcome !== 'no-op') {
      say(`Not undone: ${result?.message ?? 'stopped'}`)
      return undefined
    }
  }
  await settleActions(
    book,
    done.map(({ key }) => key),
    'undone',
  )
  const stays = done.length - backward.length
  say(
    `${nameOfTicket(item)}: ${backward.length > 0 ? 'restored' : 'nothing to restore'}${stays > 0 ? '; the comment stays' : ''}.`,
  )
  return item.ticketId
}
