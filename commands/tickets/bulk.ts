import { dangerFlags, Flags } from '../../src/cli/framework/flags.ts'
import { outFile } from '../../src/cli/terminal/out-file.ts'
import { readInput } from '../../src/cli/terminal/read-input.ts'
import { utcText } from '../../src/cli/terminal/text.ts'
import { agentFrom } from '../../src/cli/topics/chat/agent-name.ts'
import { checkedStatus, priorityFrom } from '../../src/cli/topics/chat/arguments.ts'
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
import type { RemoteTicket } from '../../src/operator/tickets/parse.ts'
import type { TicketsApi } from '../../src/operator/tickets/tickets-api.ts'

/** Returns the terms of the filter. `id=-` reads ids or numbers from stdin. */
async function termsWithIds(lines: readonly string[]): Promise<string[]> {
  const fromStdin = /(^|\s)id=-(?=\s|$)/
  if (!lines.some((line) => fromStdin.test(line))) return [...lines]
  const ids = (await readInput('-')).split(/[\s,]+/).filter((id) => id !== '')
  if (ids.length === 0) throw new Problem('INVALID_USAGE', 'The filter has id=-, but stdin has no ticket IDs')
  // Validated first: a blank inside an id would start another term.
  return lines.map((line) => line.replace(fromStdin, `$1id=${checkedIds(ids, 'ticket').join(',')}`))
}

/** Maximum number of tickets in the message about macros that cannot be filled; the error details have all. */
const mostTold = 5
const ofTicket = ({ message, detail }: Problem) => `${detail['ticketId']}: ${message}`

const isAllDone = ({ items }: TriagePlan, results: readonly ItemResult[]): boolean =>
  results.length === items.length && results.every(({ outcome }) => outcome === 'applied' || outcome === 'no-op')

/** The changes to make on every matching ticket. */
interface Order {
  readonly status: string | undefined
  readonly said: Said | undefined
  /** The source of its macro. */
  readonly macroFile: string | null
  readonly visibility: 'internal' | 'public'
  readonly priority: number | undefined
  readonly assigneeId: string | null | undefined
  readonly until: number | null | undefined
}

export default class TicketsBulk extends TicketPlanCommand {
  static override summary = 'Preview a bulk action on tickets; --apply carries it out'
  static override description =
    `Lists the matching tickets, most urgent first, and the changes. Changes nothing without --apply. The bulk action is recorded before it is sent: after an interruption, run the same command to continue; no comment is written twice. Tickets that changed in the meantime are skipped. With --out the bulk action is written to a file, for "countroom tickets apply".\n\n${filterHelp} id=- reads them from stdin.`
  static override examples = [
    {
      command: 'countroom tickets bulk --filter "status=open stale=72h" --status resolved',
      description: 'Preview the changes',
    },
    {
      command:
        'countroom tickets bulk --filter "status=open keyword=jackpot" --comment "Known: see the notice" --apply',
      description: 'Make the changes',
    },
    {
      command: 'countroom tickets bulk --filter needs-reply --priority high --out plan.json',
      description: 'Save the bulk action for later',
    },
  ]
  static override files = [...TicketPlanCommand.files, macrosHelp]
  static override completes = { out: 'files', macros: 'files', book: 'files' }
  static override flags = {
    filter: Flags.string({
      summary: 'Filter terms; tickets must match all of them',
      required: true,
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'TERMS',
    }),
    status: Flags.string({ summary: 'New status', helpValue: 'CODE' }),
    comment: Flags.string({ summary: 'Comment to add: text, @MACRO, or - for stdin', helpValue: 'TEXT' }),
    priority: Flags.string({ summary: 'New priority: low, normal, high or urgent', helpValue: 'PRIORITY' }),
    assign: Flags.string({ summary: 'New assignee: agent name or ID, "me" or "none"', helpValue: 'AGENT' }),
    snooze: Flags.string({ summary: 'Time to snooze the tickets', helpValue: 'DURATION' }),
    ...textFlags,
    apply: Flags.boolean({ summary: 'Make the changes', exclusive: ['out', 'dry-run'] }),
    new: Flags.boolean({ summary: 'Start a new bulk action instead of resuming an unfinished one' }),
    limit: Flags.integer({
      summary: 'Maximum number of tickets, most urgent first',
      min: 1,
      max: 100_000,
      helpValue: 'N',
    }),
    out: Flags.string({ summary: 'File to write the bulk action to', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite an existing --out file' }),
    ...planFlags,
    ...dangerFlags,
  }

  override async run() {
    const { flags } = await this.parse(TicketsBulk)
    // An empty filter is usually an unset variable of a script, and would select every ticket that is not done.
    if (flags.filter.some((line) => line.trim() === ''))
      throw new Problem(
        'INVALID_USAGE',
        '--filter is empty. To select all tickets of some statuses, pass --filter status=CODE,CODE',
      )
    const out = this.isDryRun ? null : outFile(flags.out, flags.force === true)
    const terms = await termsWithIds(flags.filter)
    const filter = filterFrom(terms)
    const book = await readPhrasebook(this.settings.paths, flags.macros)
    const order = await this.#order(flags, book)
    const { access } = await this.services.chat()
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
    const ticketsApi = await this.ticketsApi()
    const { tickets, plan, leftOut } = await this.#plan(ticketsApi, filter, order, flags.limit)
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
          ? `${plan.items.length} ${plan.items.length === 1 ? 'ticket' : 'tickets'} would change; nothing was written. To make the changes, add --apply`
          : `Wrote a bulk action for ${plan.items.length} ${plan.items.length === 1 ? 'ticket' : 'tickets'} to ${out}. To make the changes: countroom tickets apply ${flags.out}`,
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

  /** A named ticket that does not exist is usually a typing error. The others are changed, and the exit code is not 0. */
  #complainOf(leftOut: readonly LeftOut[], others: number): void {
    const missing = leftOut.filter(({ why }) => why === 'not-found').map(({ ticketId }) => ticketId)
    if (missing.length === 0) return
    const message = `Not found: ${missing.length === 1 ? 'ticket' : 'tickets'} ${missing.join(', ')}`
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
      throw new Problem('INVALID_USAGE', 'Nothing to do: pass --status, --comment, --priority, --assign or --snooze')
    const priority = flags.priority === undefined ? undefined : priorityFrom(flags.priority)
    const said = flags.comment === undefined ? undefined : await saidText(flags.comment, book)
    const { durationMs } = await import('../../src/cli/arguments/moments.ts')
    const sleepMs = flags.snooze === undefined ? undefined : durationMs(flags.snooze)
    if (flags.snooze !== undefined && sleepMs === undefined)
      throw new Problem('INVALID_USAGE', `--snooze must be a duration such as 24h; received ${flags.snooze}`)
    const needsAgent = flags.priority !== undefined || flags.assign !== undefined || flags.snooze !== undefined
    const ticketsApi = await this.ticketsApi()
    if (needsAgent && !ticketsApi.canChange)
      throw new Problem(
        'BAD_CONFIGURATION',
        '--priority, --assign and --snooze use the agent API, but the profile has no agentToken in its chat section',
      )
    const assigned = flags.assign === undefined ? undefined : await agentFrom(flags.assign, ticketsApi)
    const { now } = await this.services.chat()
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

  /** Resumes the same bulk action after an interrupted run. */
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
    const since = utcText(new Date(kept.row.made_at).toISOString())
    this.note(`Resuming the unfinished bulk action of ${since} (to start a new one, pass --new)`)
    const { plan } = kept
    const leftOut = plan.leftOut ?? []
    if (leftOut.length > 0) this.warn(leftOutText(leftOut))
    const results = await this.carry(plan, { actor: flags.actor })
    const report = this.report(plan, results, { resumed: true, out: null, titles: new Map(), leftOut })
    await this.tellReport(report)
    if (isAllDone(plan, results)) this.#complainOf(leftOut, plan.items.length)
    return report
  }

  async #plan(ticketsApi: TicketsApi, filter: TicketFilter, order: Order, limit: number | undefined) {
    const { now } = await this.services.chat()
    const at = await now()
    const progress = this.progress('Reading tickets')
    const found = await findTickets(ticketsApi, filter, (read) => progress.update(read))
    progress.end(`${found.tickets.length} ${found.tickets.length === 1 ? 'ticket' : 'tickets'}`)
    if (!found.isWhole) this.warn(movedText)
    for (const doubt of found.doubts) this.warn(doubt)
    const meant = meantOf(found, filter, at)
    const wanted = meant.queued.map(({ ticket }) => ticket)
    const leftOut: LeftOut[] = [...meant.leftOut]
    const items: PlanItem[] = []
    const left: string[] = []
    const unfilled: Problem[] = []
    for (const ticket of wanted.slice(0, limit)) {
      const actions = await this.#actionsFor(ticketsApi, ticket, order).catch((error: unknown) => {
        // Errors of a macro are collected over all tickets and reported together.
        if (!isProblem(error) || error.detail['macro'] === undefined) throw error
        unfilled.push(error)
        return []
      })
      if (actions === 'not-allowed') {
        left.push(nameOfTicket(ticket))
        const text = `its workflow does not allow the status ${order.status}`
        leftOut.push({ ...nameIn(ticket), why: 'not-allowed', text })
      } else if (actions.length === 0 && unfilled.length === 0)
        leftOut.push({ ...nameIn(ticket), why: 'nothing-to-do', text: `no change: already ${ticket.status}` })
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
        `Cannot fill the macro for ${unfilled.length === 1 ? '1 ticket' : `${unfilled.length} tickets`}: ${unfilled.slice(0, mostTold).map(ofTicket).join('. ')}${unfilled.length > mostTold ? ` … and ${unfilled.length - mostTold} more` : ''}`,
        { macro: first.detail['macro'], tickets: unfilled.map(({ detail }) => detail) },
      )
    if (limit !== undefined && wanted.length > limit)
      this.note(`${limit} of ${wanted.length} tickets, most urgent first`)
    if (left.length > 0)
      this.warn(`Skipped, because the workflow does not allow the status ${order.status}: ${left.join(', ')}`)
    if (filter.ids.length > 0) {
      for (const ticket of limit === undefined ? [] : wanted.slice(limit))
        leftOut.push({ ...nameIn(ticket), why: 'limit', text: `--limit is ${limit}` })
      const untold = leftOut.filter(({ why }) => why !== 'not-allowed')
      if (untold.length > 0) this.warn(leftOutText(untold))
    } else {
      const so = leftOut.filter(({ why }) => why === 'nothing-to-do').length
      if (so > 0) this.note(`${so} ${so === 1 ? 'ticket needs' : 'tickets need'} no change`)
      if (meant.snoozedCount > 0)
        this.note(
          `Skipped ${meant.snoozedCount} snoozed ${meant.snoozedCount === 1 ? 'ticket' : 'tickets'}. To select snoozed tickets, use the filter term "snoozed"`,
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

  async #actionsFor(
    ticketsApi: TicketsApi,
    ticket: RemoteTicket,
    order: Order,
  ): Promise<TriageAction[] | 'not-allowed'> {
    const actions: TriageAction[] = []
    const { status, said, visibility, priority, assigneeId, until } = order
    if (said !== undefined) {
      const content = await textFor(said, ticket, ticketsApi, order.macroFile)
      if (content.trim() === '') throw new Problem('INVALID_USAGE', 'The comment is empty')
      actions.push({ kind: 'comment', content, visibility })
    }
    if (priority !== undefined && ticket.priority !== priority) actions.push({ kind: 'priority', priority })
    if (assigneeId !== undefined && ticket.assigneeId !== assigneeId) actions.push({ kind: 'assign', assigneeId })
    if (status !== undefined && ticket.status !== status) {
      checkedStatus(status, (await ticketsApi.workflowOf(ticket)).codes)
      if (ticket.allowedTransitions !== null && !ticket.allowedTransitions.includes(status)) return 'not-allowed'
      actions.push({ kind: 'status', status })
    }
    // Last, because every change of status ends the snooze.
    if (until !== undefined) actions.push({ kind: 'snooze', until })
    return actions
  }

  /** The file has customer data and texts, so only this user may read it. */
  async #write(path: string, plan: PlanFile): Promise<void> {
    const { writeWhole } = await import('../../src/world/config/atomic-write.ts')
    writeWhole(path, `${JSON.stringify(plan, null, 2)}\n`, { file: 0o600, folder: 0o700 })
  }
}
