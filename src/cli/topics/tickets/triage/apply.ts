import { actionText, type PlanItem, type TriageAction, type TriagePlan } from '../../../../domain/tickets/bulk-plan.ts'
import { backwards } from '../../../../domain/tickets/undo.ts'
import { carryOut, type ItemResult } from '../../../../operator/tickets/apply-plan.ts'
import type { WholeDeskTicket } from '../../../../operator/tickets/parse.ts'
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

/** Does something to a ticket through the journal, and says how it went. */
export async function act(
  session: Session,
  ticket: WholeDeskTicket,
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
  // What is different is said when the ticket is shown anew.
  if (result?.outcome === 'conflict') return 'look-again'
  say(notDoneText(result))
  return 'nothing'
}

/** Where no answer came it is looked for at once, and done where it is not there; what stays unknown is for the next run. */
async function foundOut(
  session: Session,
  plan: TriagePlan,
  results: readonly ItemResult[],
): Promise<readonly ItemResult[]> {
  if (!results.some(({ outcome }) => outcome === 'unknown')) return results
  session.say('No answer came: finding out whether it was done.')
  const again = await carried(session, plan)
  // What was heard before stands, also where nothing more is heard now.
  return results.map((result, i) => (result.outcome === 'unknown' ? (again[i] ?? result) : result))
}

const notDoneText = (result: ItemResult | undefined): string =>
  result?.outcome === 'unknown'
    ? `It is not known whether this was done: ${result.message}. Do not do it again: triage looks for it when it is begun the next time, and finishes it.`
    : `Not done: ${result?.message ?? 'stopped'}`

const isDone = (result: ItemResult | undefined): boolean => result?.outcome === 'applied' || result?.outcome === 'no-op'

const secondText = (item: PlanItem, result: ItemResult | undefined): string =>
  isDone(result)
    ? `${nameOfTicket(item)}: ${item.actions.map((action) => actionText(action, item.status)).join('; ')}`
    : result?.outcome === 'unknown'
      ? `${nameOfTicket(item)} has no note of it yet, as far as is known: ${result.message}. Triage looks for it when it is begun the next time.`
      : `${nameOfTicket(item)} has no note of it: ${result?.message ?? 'stopped'}`

/** Carries a decision out; what hangs on the first part of it is not begun when that was not done. */
async function carried(session: Session, plan: TriagePlan, isTakeBack = false): Promise<readonly ItemResult[]> {
  const { desk, book, actor, audit } = session
  // Not the session's own signal: what was decided is finished before the program ends.
  const enough = new AbortController()
  const results = await carryOut({
    desk,
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
  // What may get further another time stays open, and is gone on with by the next run.
  if (!results.some(({ retryable }) => retryable)) await endPlan(book, plan.planId)
  return results
}

/** Finishes what was decided and cut off before it was done. */
export async function finishBegun(session: Session): Promise<void> {
  const { book, target, queue, say } = session
  const kept = await openPlan(book, { kind: 'bulk', target, order: orderOf(queue) })
  if (!kept) return
  const [item] = kept.plan.items
  const [result] = await carried(session, kept.plan)
  if (item)
    say(
      `${nameOfTicket(item)} was decided and not finished: ${result?.outcome === 'applied' ? 'it is now' : `not done (${result?.message ?? 'stopped'})`}.`,
    )
}

/** Puts back what the latest decision changed; says which ticket that was. Comments stay: who was told was told. */
export async function undo(session: Session): Promise<string | undefined> {
  const { book, desk, say } = session
  const kept = await latestDone(book, orderOf(session.queue))
  const [item] = kept?.plan.items ?? []
  if (!kept || !item) {
    say('There is nothing to undo.')
    return undefined
  }
  const done = [...(await actionsOf(book, kept.plan.planId)).values()].filter(({ state }) => state === 'done')
  const backward = done.flatMap(
    ({ action, before }) => backwards(JSON.parse(action), before === null ? null : JSON.parse(before)) ?? [],
  )
  const ticket = await readOrGone(desk, item.ticketId)
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
    `${nameOfTicket(item)}: ${backward.length > 0 ? 'put back' : 'nothing to put back'}${stays > 0 ? '; its comment stays' : ''}.`,
  )
  return item.ticketId
}
