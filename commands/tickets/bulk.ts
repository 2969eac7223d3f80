import { dangerFlags, Flags } from '../../src/cli/framework/flags.ts'
import { outFile } from '../../src/cli/terminal/out-file.ts'
import { readInput } from '../../src/cli/terminal/read-input.ts'
import { agentFrom } from '../../src/cli/topics/chat/agent-name.ts'
import { checkedStatus, priorityFrom } from '../../src/cli/topics/chat/command.ts'
import { checkedIds } from '../../src/cli/topics/chat/ids.ts'
import {
  macrosHelp,
  type Phrasebook,
  readPhrasebook,
  refuseGuarded,
  type Said,
  saidText,
  textFlags,
  textFor,
} from '../../src/cli/topics/chat/outgoing-text.ts'
import {
  filterFrom,
  filterHelp,
  findTickets,
  leftOutText,
  meantOf,
  nameIn,
  type TicketFilter,
} from '../../src/cli/topics/tickets/filter.ts'
import { planFlags, TicketPlanCommand } from '../../src/cli/topics/tickets/plan-command.ts'
import { type PlanFile, publicTexts } from '../../src/cli/topics/tickets/plan-file.ts'
import { movedText, nameOfTicket } from '../../src/cli/topics/tickets/view.ts'
import type { LeftOut, PlanItem, TriageAction, TriagePlan } from '../../src/domain/tickets/bulk-plan.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import { isProblem, Problem } from '../../src/kit/problem.ts'
import type { ItemResult } from '../../src/operator/tickets/apply-plan.ts'
import type { DeskTicket } from '../../src/operator/tickets/parse.ts'
import type { TicketDesk } from '../../src/operator/tickets/tickets-api.ts'

/** The terms of the filter, `id=-` being the ids or numbers on stdin. */
async function termsWithIds(lines: readonly string[]): Promise<string[]> {
  const fromStdin = /(^|\s)id=-(?=\s|$)/
  if (!lines.some((line) => fromStdin.test(line))) return [...lines]
  const ids = (await readInput('-')).split(/[\s,]+/).filter((id) => id !== '')
  if (ids.length === 0) throw new Problem('INVALID_USAGE', 'The filter says id=-, and there are no ids on stdin')
  // Looked at before they stand among the terms, where a blank would make another term of it.
  return lines.map((line) => line.replace(fromStdin, `$1id=${checkedIds(ids, 'ticket').join(',')}`))
}

/** For how many tickets it is said why a macro cannot be filled; the particulars have all. */
const mostTold = 5
const ofTicket = ({ message, detail }: Problem) => `${detail['ticketId']}: ${message}`

const isAllDone = ({ items }: TriagePlan, results: readonly ItemResult[]): boolean =>
  results.length === items.length && results.every(({ outcome }) => outcome === 'applied' || outcome === 'no-op')

/** What is ordered for every ticket that is meant. */
interface Order {
  readonly status: string | undefined
  readonly said: Said | undefined
  /** Where its macro stands. */
  readonly macroFile: string | null
  readonly visibility: 'internal' | 'public'
  readonly priority: number | undefined
  readonly assigneeId: string | null | undefined
  readonly until: number | null | undefined
}

export default class TicketsBulk extends TicketPlanCommand {
  static override summary = 'Do the same to many tickets: a preview, until --apply'
  static override description =
    `Shows what would be done to which tickets, most urgent first, and does it only with --apply. What is planned is written down before it is sent, so a run that was killed is gone on with by saying the same again, and no comment is ever written twice. A ticket that changed since is left alone. With --out the plan goes into a file, for "countroom tickets apply". ${filterHelp} id=- reads them from stdin.`
  static override examples = [
    { command: 'countroom tickets bulk --filter "status=open stale=72h" --status resolved', description: 'A preview' },
    {
      command:
        'countroom tickets bulk --filter "status=open keyword=jackpot" --comment "Known: see the notice" --apply',
      description: 'And this does it',
    },
    {
      command: 'countroom tickets bulk --filter needs-reply --priority high --out plan.json',
      description: 'For later',
    },
  ]
  static override files = [...TicketPlanCommand.files, macrosHelp]
  static override completes = { out: 'files', macros: 'files', book: 'files' }
  static override flags = {
    filter: Flags.string({
      summary: 'Which tickets: terms that must all hold',
      required: true,
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'TERMS',
    }),
    status: Flags.string({ summary: 'Move them to this status', helpValue: 'CODE' }),
    comment: Flags.string({ summary: 'Comment on them: text, @MACRO or -', helpValue: 'TEXT' }),
    priority: Flags.string({ summary: 'low, normal, high or urgent', helpValue: 'PRIORITY' }),
    assign: Flags.string({ summary: 'Give them to an agent: a name or id, me or none', helpValue: 'AGENT' }),
    snooze: Flags.string({ summary: 'Put them to sleep for so long', helpValue: 'DURATION' }),
    ...textFlags,
    apply: Flags.boolean({ summary: 'Do it', exclusive: ['out', 'dry-run'] }),
    new: Flags.boolean({ summary: 'Plan anew, also where the same order was begun and not finished' }),
    limit: Flags.integer({ summary: 'At most so many, the most urgent', min: 1, max: 100_000, helpValue: 'N' }),
    out: Flags.string({ summary: 'Write the plan into this file', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Write over a file that is there' }),
    ...planFlags,
    ...dangerFlags,
  }

  override async run() {
    const { flags } = await this.parse(TicketsBulk)
    // What is empty here is most often a variable of a script that was never set, and without terms the whole desk is meant.
    if (flags.filter.some((line) => line.trim() === ''))
      throw new Problem(
        'INVALID_USAGE',
        '--filter is empty, and would mean every ticket that is not done: say which are meant; all of some statuses are status=CODE,CODE',
      )
    const out = this.isDryRun ? null : outFile(flags.out, flags.force === true)
    const terms = await termsWithIds(flags.filter)
    const filter = filterFrom(terms)
    const book = await readPhrasebook(this.settings.paths, flags.macros)
    const order = await this.#order(flags, book)
    const { access } = await this.chat()
    const orderText = JSON.stringify({
      filter: terms,
      status: flags.status,
      comment: flags.comment,
      public: flags.public,
      priority: flags.priority,
      assign: flags.assign,
      snooze: flags.snooze,
    })
    if (flags.apply) {
      const begun = await this.#begun(flags, access.target, orderText)
      if (begun) return begun
    }
    const desk = await this.desk()
    const { tickets, plan, leftOut } = await this.#plan(desk, filter, order, flags.limit)
    const titles = new Map(tickets.map((ticket) => [ticket.ticketId, ticket.title]))
    for (const { ticketId, content } of publicTexts(plan))
      refuseGuarded(content, book, flags['allow-guard'] ?? [], `Ticket ${ticketId}: `)
    if (!flags.apply) {
      if (out !== null)
        await this.#write(out, {
          schemaVersion: 1,
          kind: 'countroom ticket plan',
          target: access.target,
          order: orderText,
          plan,
        })
      const report = this.report(plan, undefined, { resumed: false, out, titles, leftOut })
      await this.tellReport(report)
      this.footnote(
        out === null
          ? `${plan.items.length} tickets would change; nothing was written. --apply does it.`
          : `${plan.items.length} tickets are planned in ${out}; "countroom tickets apply ${flags.out}" does it.`,
      )
      this.#complainOf(leftOut, report.counts.tickets)
      return report
    }
    await this.confirmTexts(publicTexts(plan, tickets), flags.yes)
    const { keepPlan } = await import('../../src/operator/tickets/plan-journal.ts')
    if (plan.items.length > 0)
      await keepPlan(await this.book(), plan, { kind: 'bulk', target: access.target, order: orderText })
    const results = await this.carry(plan, {
      actor: flags.actor,
      fresh: new Map(tickets.map((ticket) => [ticket.ticketId, ticket])),
    })
    const report = this.report(plan, results, { resumed: false, out: null, titles, leftOut })
    await this.tellReport(report)
    if (isAllDone(plan, results)) this.#complainOf(leftOut, plan.items.length)
    return report
  }

  /** A ticket that was named and is not there is a slip of somebody's: the rest is done, and the run does not end in 0. */
  #complainOf(leftOut: readonly LeftOut[], others: number): void {
    const missing = leftOut.filter(({ why }) => why === 'not-found').map(({ ticketId }) => ticketId)
    if (missing.length === 0) return
    const message = `There is no ticket ${missing.join(', ')}`
    if (others === 0) this.endWith('TICKET_NOT_FOUND', message, { missing })
    else this.endWith('BATCH_PARTLY', message, { category: 'partial', missing })
  }

  async #order(
    flags: {
      status?: string | undefined
      comment?: string | undefined
      public?: boolean
      priority?: string | undefined
      assign?: string | undefined
      snooze?: string | undefined
    },
    book: Phrasebook,
  ): Promise<Order> {
    if ([flags.status, flags.comment, flags.priority, flags.assign, flags.snooze].every((each) => each === undefined))
      throw new Problem('INVALID_USAGE', 'Say what to do: --status, --comment, --priority, --assign or --snooze')
    const priority = flags.priority === undefined ? undefined : priorityFrom(flags.priority)
    const said = flags.comment === undefined ? undefined : await saidText(flags.comment, book)
    const { durationMs } = await import('../../src/cli/arguments/moments.ts')
    const sleepMs = flags.snooze === undefined ? undefined : durationMs(flags.snooze)
    if (flags.snooze !== undefined && sleepMs === undefined)
      throw new Problem('INVALID_USAGE', `--snooze wants a duration such as 24h, not ${flags.snooze}`)
    const needsAgent = flags.priority !== undefined || flags.assign !== undefined || flags.snooze !== undefined
    const desk = await this.desk()
    if (needsAgent && !desk.canChange)
      throw new Problem(
        'BAD_CONFIGURATION',
        'Priority, assignee and snooze are on the agents’ side: the profile has no agentToken in its chat section',
      )
    const assigned = flags.assign === undefined ? undefined : await agentFrom(flags.assign, desk)
    const { now } = await this.chat()
    return {
      status: flags.status,
      said,
      macroFile: book.file,
      visibility: flags.public ? 'public' : 'internal',
      priority,
      assigneeId: assigned === undefined ? undefined : (assigned?.agentId ?? null),
      until: sleepMs === undefined ? undefined : (await now()) + sleepMs,
    }
  }

  /** Goes on with the same order where a run of it was cut off. */
  async #begun(
    flags: { new?: boolean; wait?: string | undefined; actor?: string | undefined },
    target: string,
    order: string,
  ) {
    await this.lock(flags.wait)
    const { openPlan } = await import('../../src/operator/tickets/plan-journal.ts')
    const kept = await openPlan(await this.book(), { kind: 'bulk', target, order })
    if (!kept) return undefined
    if (flags.new) {
      const { endPlan } = await import('../../src/operator/tickets/plan-journal.ts')
      await endPlan(await this.book(), kept.plan.planId)
      return undefined
    }
    const since = new Date(kept.row.made_at).toISOString()
    this.note(`This order was begun at ${since} and not finished: going on with it (--new plans anew)`)
    const { plan } = kept
    const leftOut = plan.leftOut ?? []
    if (leftOut.length > 0) this.warn(leftOutText(leftOut))
    const results = await this.carry(plan, { actor: flags.actor })
    const report = this.report(plan, results, { resumed: true, out: null, titles: new Map(), leftOut })
    await this.tellReport(report)
    if (isAllDone(plan, results)) this.#complainOf(leftOut, plan.items.length)
    return report
  }

  async #plan(desk: TicketDesk, filter: TicketFilter, order: Order, limit: number | undefined) {
    const { now } = await this.chat()
    const at = await now()
    const progress = this.progress('Reading tickets')
    const found = await findTickets(desk, filter, (read) => progress.update(read))
    progress.end(`${found.tickets.length} tickets`)
    if (!found.isWhole) this.warn(movedText)
    for (const doubt of found.doubts) this.warn(doubt)
    const meant = meantOf(found, filter, at)
    const wanted = meant.queued.map(({ ticket }) => ticket)
    const leftOut: LeftOut[] = [...meant.leftOut]
    const items: PlanItem[] = []
    const left: string[] = []
    const unfilled: Problem[] = []
    for (const ticket of wanted.slice(0, limit)) {
      const actions = await this.#actionsFor(desk, ticket, order).catch((error: unknown) => {
        // Of many tickets, all that a macro cannot be filled for are told at once.
        if (!isProblem(error) || error.detail['macro'] === undefined) throw error
        unfilled.push(error)
        return []
      })
      if (actions === 'not-allowed') {
        left.push(nameOfTicket(ticket))
        const text = `its workflow does not let it become ${order.status}`
        leftOut.push({ ...nameIn(ticket), why: 'not-allowed', text })
      } else if (actions.length === 0 && unfilled.length === 0)
        leftOut.push({ ...nameIn(ticket), why: 'nothing-to-do', text: `it is so already: ${ticket.status}` })
      else
        items.push({
          ticketId: ticket.ticketId,
          ticketNumber: ticket.ticketNumber,
          version: ticket.version,
          status: ticket.status,
          actions,
        })
    }
    const [first] = unfilled
    if (first !== undefined && unfilled.length === 1) throw first
    if (first !== undefined)
      throw new Problem(
        'INVALID_USAGE',
        `The macro cannot be filled for ${unfilled.length} tickets: ${unfilled.slice(0, mostTold).map(ofTicket).join('. ')}${unfilled.length > mostTold ? ` … and ${unfilled.length - mostTold} more` : ''}`,
        { macro: first.detail['macro'], tickets: unfilled.map(({ detail }) => detail) },
      )
    if (limit !== undefined && wanted.length > limit) this.note(`${limit} of ${wanted.length} tickets, the most urgent`)
    if (left.length > 0)
      this.warn(`Left out, since their workflow does not let them become ${order.status}: ${left.join(', ')}`)
    if (filter.ids.length > 0) {
      for (const ticket of limit === undefined ? [] : wanted.slice(limit))
        leftOut.push({ ...nameIn(ticket), why: 'limit', text: `--limit is ${limit}` })
      const untold = leftOut.filter(({ why }) => why !== 'not-allowed')
      if (untold.length > 0) this.warn(leftOutText(untold))
    } else {
      const so = leftOut.filter(({ why }) => why === 'nothing-to-do').length
      if (so > 0) this.note(`${so} ${so === 1 ? 'ticket is' : 'tickets are'} so already`)
      if (meant.asleep > 0)
        this.note(
          `${meant.asleep} ${meant.asleep === 1 ? 'ticket that sleeps is' : 'tickets that sleep are'} left out: the term snoozed means those`,
        )
    }
    const told = filter.ids.length > 0 ? leftOut : []
    const plan: TriagePlan = {
      planId: realAmbient().id(),
      madeAt: at,
      items,
      ...(told.length > 0 ? { leftOut: told } : {}),
    }
    return { tickets: wanted, plan, leftOut: told }
  }

  async #actionsFor(desk: TicketDesk, ticket: DeskTicket, order: Order): Promise<TriageAction[] | 'not-allowed'> {
    const actions: TriageAction[] = []
    const { status, said, visibility, priority, assigneeId, until } = order
    if (said !== undefined) {
      const content = await textFor(said, ticket, desk, order.macroFile)
      if (content.trim() === '') throw new Problem('INVALID_USAGE', 'The comment has no text')
      actions.push({ kind: 'comment', content, visibility })
    }
    if (priority !== undefined && ticket.priority !== priority) actions.push({ kind: 'priority', priority })
    if (assigneeId !== undefined && ticket.assigneeId !== assigneeId) actions.push({ kind: 'assign', assigneeId })
    if (status !== undefined && ticket.status !== status) {
      checkedStatus(status, (await desk.workflowOf(ticket)).codes)
      if (ticket.allowedTransitions !== null && !ticket.allowedTransitions.includes(status)) return 'not-allowed'
      actions.push({ kind: 'status', status })
    }
    // Last, since every change of status wakes a ticket up.
    if (until !== undefined) actions.push({ kind: 'snooze', until })
    return actions
  }

  /** What customers are to be told is in it, and whom: it is for this user alone. */
  async #write(path: string, plan: PlanFile): Promise<void> {
    const { writeWhole } = await import('../../src/world/config/atomic-write.ts')
    writeWhole(path, `${JSON.stringify(plan, null, 2)}\n`, { file: 0o600, folder: 0o700 })
  }
}
