import type { TriageAction } from '../../domain/tickets/bulk-plan.ts'
import type { Input } from '../../http/contract/contract.ts'
import { remoteCodes, type Transport } from '../../http/contract/wire-types.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { agent as agentContract, chat as chatContract } from '../../services/chat/api/contract.ts'
import type { Form, FormList } from '../../services/chat/api/schemas.ts'
import {
  codesIn,
  type DeskComment,
  type DeskTicket,
  type ListPage,
  readComment,
  readPage,
  readTicket,
  type WholeDeskTicket,
} from './parse.ts'
import { asked, type Written, written } from './tickets-request.ts'

/** The desk's tickets, on whatever instance: the document's endpoints alone, and what is more only where it answers. */

/** The ways to the instance. */
export interface DeskWays {
  readonly bot: { readonly once: Transport; readonly patient: Transport }
  /** The agents' side, which is ours: assignee, priority and snooze are there only. */
  readonly agent: { readonly once: Transport; readonly patient: Transport } | undefined
}

/** What the document lets a list be asked for. */
export interface TicketListQuery {
  readonly status?: string | undefined
  readonly keyword?: string | undefined
  readonly formCode?: string | undefined
  readonly customerAccount?: string | undefined
  /** Beyond the document: only an instance whose forms can be read is asked for these. */
  readonly updatedSince?: string | undefined
  readonly sort?: 'updatedAt' | undefined
}

export interface NewComment {
  readonly content: string
  readonly visibility: 'internal' | 'public'
  readonly authorDisplayName?: string | undefined
  /** Under which an instance that keeps such keys writes it once. */
  readonly key?: string | undefined
}

/** The codes of a form's workflow, and how they are known. */
export interface Workflow {
  readonly codes: readonly string[]
  /** Which of them mean that nothing is left to do; a guess by name where the instance has no forms to read. */
  readonly done: readonly string[]
  readonly knownBy: 'form' | 'refusal'
}

export interface TicketDesk {
  page(query: TicketListQuery, page: number, pageSize: number): Promise<ListPage>
  read(ticketId: string): Promise<WholeDeskTicket>
  /**
   * Makes a ticket. The key goes with it where the instance is known to keep such keys, since whoever sends one may be sent again
   * on the way, or where `isAsked`: somebody said the key, and knows.
   */
  create(order: Readonly<Record<string, unknown>>, key: string, isAsked: boolean): Promise<WholeDeskTicket>
  comment(ticketId: string, comment: NewComment): Promise<Written<DeskComment>>
  /**
   * Answers with the ticket as it is then, where the instance tells. A comment goes with it in one transaction; only an
   * instance whose forms can be read takes one there, since the document's status request has none.
   */
  setStatus(
    ticketId: string,
    order: {
      status: string
      actor?: string | undefined
      version?: number | null | undefined
      comment?: NewComment | undefined
      /** Undoes the actor's own latest status change, where the instance can. */
      takeBack?: boolean | undefined
    },
  ): Promise<Written<WholeDeskTicket | undefined>>
  /** Whether assignee, priority and snooze can be set here. */
  readonly canChange: boolean
  change(
    ticketId: string,
    action: Extract<TriageAction, { kind: 'priority' | 'assign' | 'snooze' }>,
    version: number | null,
  ): Promise<Written<WholeDeskTicket | undefined>>
  /** All forms; undefined where the instance has none to read. */
  forms(): Promise<DeskForms | undefined>
  /** The form of that code; undefined where the instance has no forms to read. */
  form(formCode: string): Promise<Form | undefined>
  /** The workflow behind a ticket: of its form, else learned by asking for a status that cannot be. Asked once per form. */
  workflowOf(ticket: DeskTicket): Promise<Workflow>
  /** Who the agent's token speaks for. */
  me(): Promise<DeskAgent | undefined>
  /** Whom tickets and rooms can be given to; undefined where the instance does not tell. */
  agents(): Promise<readonly DeskAgent[] | undefined>
}

/** The current version of each form, and those whose stored definition is broken. */
export type DeskForms = FormList

/** Somebody who works at the desk. */
export interface DeskAgent {
  readonly agentId: string
  readonly displayName: string
}

/** A code no workflow has: asking for it changes nothing, and the refusal lists those there are. */
const impossible = 'countroom-asks-for-valid-codes'

export function openTicketDesk({ bot, agent }: DeskWays): TicketDesk {
  const forms = new Map<string, Promise<Form | undefined>>()
  const workflows = new Map<string, Promise<Workflow>>()
  let hasForms = true
  let everyForm: Promise<DeskForms | undefined> | undefined

  const ask = <Name extends keyof (typeof chatContract)['endpoints'] & string>(
    name: Name,
    input: Input<(typeof chatContract)['endpoints'][Name]>,
    headers: Readonly<Record<string, string>> = {},
  ) => asked(chatContract, bot.patient, name, input, headers)

  async function readForm(formCode: string): Promise<Form | undefined> {
    if (!hasForms) return undefined
    try {
      const body = await ask('form', { params: { formCode } })
      // Ours, where it answers at all: nobody else has this endpoint.
      return isForm(body) ? body : undefined
    } catch (error) {
      if (!isProblem(error) || !isNowhere(error)) throw error
      if (error.code !== 'FORM_NOT_FOUND') hasForms = false
      return undefined
    }
  }

  async function readForms(): Promise<DeskForms | undefined> {
    if (!hasForms) return undefined
    try {
      const body = await ask('forms', {})
      if (isFormList(body)) return { items: body.items, unreadable: body.unreadable ?? [] }
    } catch (error) {
      if (!isProblem(error) || !isNowhere(error)) throw error
    }
    hasForms = false
    return undefined
  }

  const form = (formCode: string) => {
    const known = forms.get(formCode) ?? readForm(formCode)
    forms.set(formCode, known)
    // What failed is asked for again the next time.
    known.catch(() => forms.delete(formCode))
    return known
  }

  async function learn(ticket: DeskTicket): Promise<Workflow> {
    const known = ticket.formCode === null ? undefined : await form(ticket.formCode)
    if (known) {
      const active = known.workflow.statuses.filter((status) => status.active)
      const isDone = (category: string) => category === 'resolved' || category === 'closed'
      return {
        codes: active.map(({ code }) => code),
        done: known.workflow.statuses.filter(({ category }) => isDone(category)).map(({ code }) => code),
        knownBy: 'form',
      }
    }
    try {
      await ask('setStatus', { params: { ticketId: ticket.ticketId }, body: { status: impossible } })
    } catch (error) {
      if (!isProblem(error) || error.detail['status'] !== 400) throw error
      const codes = codesIn(error.message, error.detail['details'], impossible)
      if (codes.length > 0) return { codes, done: codes.filter(soundsDone), knownBy: 'refusal' }
    }
    throw new Problem(
      'CANNOT_CONCLUDE',
      `The instance does not say which status codes ticket ${ticket.ticketId} may have: an impossible code was not refused with a list`,
      { ticketId: ticket.ticketId },
    )
  }

  const theTicket = (body: unknown, what: string): WholeDeskTicket => {
    const ticket = readTicket(body)
    if (ticket) return ticket
    throw new Problem(remoteCodes.unintelligible, `${what} answered without a ticket that has an id and a status`, {
      outcome: 'unknown',
    })
  }

  return {
    async page(query, page, pageSize) {
      const read = readPage(await ask('tickets', { query: { ...given(query), page, pageSize } }))
      if (read) return read
      throw new Problem(remoteCodes.unintelligible, 'GET /tickets answered without a list of tickets')
    },
    async read(ticketId) {
      const body = await ask('ticket', { params: { ticketId } }).catch((error: unknown) => {
        if (!isProblem(error) || error.code !== 'NOT_FOUND') throw error
        // Told of an address, it would have to be made out which ticket was meant.
        throw new Problem('NOT_FOUND', `There is no ticket ${ticketId}: ${error.message}`, error.detail, {
          cause: error,
        })
      })
      return theTicket(body, 'GET /tickets/{ticketId}')
    },
    async create(order, key, isAsked) {
      // Checked by the command, and again by whoever answers.
      const body = order as Input<(typeof chatContract)['endpoints']['createTicket']>['body']
      everyForm ??= readForms()
      const isKept = isAsked || (await everyForm) !== undefined
      const headers = isKept ? { 'idempotency-key': key } : {}
      return theTicket(await ask('createTicket', { body }, headers), 'POST /tickets')
    },
    async comment(ticketId, { content, visibility, authorDisplayName, key }) {
      const body = {
        content,
        visibility,
        ...(authorDisplayName === undefined ? {} : { authorDisplayName }),
        ...(key === undefined ? {} : { clientCommentId: key }),
      }
      // The key goes in the body alone: a header of that name would let it be sent again on the way, which is only safe
      // where it is known to be kept.
      return written(chatContract, bot.patient, 'comment', { params: { ticketId }, body }, readComment)
    },
    async setStatus(ticketId, { status, actor, version, comment, takeBack }) {
      const body = {
        status,
        ...(actor === undefined ? {} : { actorDisplayName: actor }),
        ...(typeof version === 'number' ? { expectedVersion: version } : {}),
        ...(takeBack ? { takeBack } : {}),
        ...(comment === undefined
          ? {}
          : {
              comment: {
                content: comment.content,
                visibility: comment.visibility,
                ...(comment.key === undefined ? {} : { clientCommentId: comment.key }),
              },
            }),
      }
      return written(chatContract, bot.patient, 'setStatus', { params: { ticketId }, body }, readTicket)
    },
    canChange: agent !== undefined,
    async change(ticketId, action, version) {
      if (!agent) throw noAgent()
      const body = {
        ...(action.kind === 'priority' ? { priority: action.priority } : {}),
        ...(action.kind === 'assign' ? { assignee: action.assigneeId } : {}),
        ...(action.kind === 'snooze'
          ? { snoozedUntil: action.until === null ? null : new Date(action.until).toISOString() }
          : {}),
        ...(version === null ? {} : { expectedVersion: version }),
      }
      return written(agentContract, agent.patient, 'changeTicket', { params: { ticketId }, body }, readTicket)
    },
    form,
    forms() {
      everyForm ??= readForms()
      // What failed is asked for again the next time.
      everyForm.catch(() => {
        everyForm = undefined
      })
      return everyForm
    },
    workflowOf(ticket) {
      const key = ticket.formCode ?? ''
      const known = workflows.get(key) ?? learn(ticket)
      workflows.set(key, known)
      // What failed is asked for again the next time.
      known.catch(() => workflows.delete(key))
      return known
    },
    async me() {
      if (!agent) return undefined
      const body = await asked(agentContract, agent.patient, 'me', { query: {} })
      return isAgent(body) ? { agentId: body.agentId, displayName: body.displayName } : undefined
    },
    async agents() {
      if (!agent) return undefined
      try {
        const body = await asked(agentContract, agent.patient, 'agents', { query: {} })
        const items: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'items') : undefined
        return Array.isArray(items) ? items.filter(isAgent) : undefined
      } catch (error) {
        if (isProblem(error) && isNowhere(error)) return undefined
        throw error
      }
    },
  }
}

/** Whether there is nothing at such an address: an instance that is busy or out of order has not said so. */
const isNowhere = ({ detail }: Problem): boolean => [400, 404, 405, 410, 501].includes(Number(detail['status']))

function noAgent(): Problem {
  return new Problem(
    'BAD_CONFIGURATION',
    'This needs the agents’ side of the chat: the profile has no agentToken in its chat section',
  )
}

function soundsDone(code: string): boolean {
  return /^(?:resolved|closed|done|solved|completed?|cancell?ed|rejected|spam|archived)$/i.test(code)
}

function given<T extends object>(query: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(query).filter(([, value]) => value !== undefined)
  // What is absent is left out, and nothing else is changed.
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

function isForm(body: unknown): body is Form {
  return typeof body === 'object' && body !== null && 'workflow' in body && 'fields' in body
}

function isFormList(body: unknown): body is Pick<FormList, 'items'> & Partial<FormList> {
  const items: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'items') : undefined
  return Array.isArray(items) && items.every(isForm)
}

function isAgent(body: unknown): body is { agentId: string; displayName: string } {
  return typeof body === 'object' && body !== null && 'agentId' in body && 'displayName' in body
}
