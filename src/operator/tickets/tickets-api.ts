import type { TriageAction } from '../../domain/tickets/bulk-action.ts'
import type { Input } from '../../http/contract/contract.ts'
import { remoteCodes, type Transport } from '../../http/contract/wire-types.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { agent as agentContract, chat as chatContract } from '../../services/chat/api/contract.ts'
import type { Form } from '../../services/chat/api/schemas.ts'
import { FormReader, isNoEndpoint, type RemoteForms, type Workflow } from './forms/form-reader.ts'
import { noAgent } from './no-agent.ts'
import {
  type FullTicket,
  type ListPage,
  type RemoteComment,
  type RemoteTicket,
  readComment,
  readPage,
  readTicket,
} from './parse.ts'
import { requestReply, type Written, written } from './tickets-request.ts'

/** Ticket API client for any instance: the endpoints of the document, and extensions if the instance has them. */

/** Clients of the instance. */
export interface ChatTransports {
  readonly bot: { readonly once: Transport; readonly retrying: Transport }
  /** The agents' API, our extension: only it has assignee, priority and snooze. */
  readonly agent: { readonly once: Transport; readonly retrying: Transport } | undefined
}

/** List filters of the document. */
export interface TicketListQuery {
  readonly status?: string | undefined
  readonly keyword?: string | undefined
  readonly formCode?: string | undefined
  readonly customerAccount?: string | undefined
  /** Extension: used only with instances whose forms can be read. */
  readonly updatedSince?: string | undefined
  readonly sort?: 'updatedAt' | undefined
}

export interface NewComment {
  readonly content: string
  readonly visibility: 'internal' | 'public'
  readonly authorDisplayName?: string | undefined
  /** Idempotency key, for instances that support it. */
  readonly key?: string | undefined
}

export interface StatusInput {
  readonly status: string
  readonly actor?: string | undefined
  readonly version?: number | null | undefined
  readonly comment?: NewComment | undefined
  /** Undoes the actor's own latest status change, where the instance can. */
  readonly undo?: boolean | undefined
}

/** A change to a ticket's own fields. */
type FieldAction = Extract<TriageAction, { kind: 'priority' | 'assign' | 'snooze' }>

export interface TicketsApi {
  page(query: TicketListQuery, page: number, pageSize: number): Promise<ListPage>
  read(ticketId: string): Promise<FullTicket>
  /**
   * Creates a ticket. The key is sent to instances known to support it, and with `mayRepeat`, when the user passed the
   * key. Elsewhere it is not sent, because proxies may repeat a request with a key.
   */
  create(input: Readonly<Record<string, unknown>>, key: string, mayRepeat: boolean): Promise<FullTicket>
  comment(ticketId: string, comment: NewComment): Promise<Written<RemoteComment>>
  /**
   * Sets the status and returns the ticket if the instance does. A comment is added in one transaction only on
   * instances with readable forms, because the document's status request has no comment.
   */
  setStatus(ticketId: string, input: StatusInput): Promise<Written<FullTicket | undefined>>
  /** True if assignee, priority and snooze can be set here. */
  readonly canChange: boolean
  change(ticketId: string, action: FieldAction, version: number | null): Promise<Written<FullTicket | undefined>>
  /** All forms; undefined where the instance has none to read. */
  forms(): Promise<RemoteForms | undefined>
  /** Returns a form; undefined if the instance does not support reading forms. */
  form(formCode: string): Promise<Form | undefined>
  /** Returns the workflow of a ticket: from its form, else from the error response to an invalid status. Cached per form. */
  workflowOf(ticket: RemoteTicket): Promise<Workflow>
  /** Returns the agent of the token. */
  me(): Promise<TicketAgent | undefined>
  /** Returns the agents for tickets and rooms; undefined if the instance does not list them. */
  agents(): Promise<readonly TicketAgent[] | undefined>
}

/** An agent of the chat. */
export interface TicketAgent {
  readonly agentId: string
  readonly displayName: string
}

function definedFields<T extends object>(query: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(query).filter(([, value]) => value !== undefined)
  // Absent fields are not sent, so nothing else changes.
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

export const openTicketsApi = (ways: ChatTransports): TicketsApi => new RemoteTicketsApi(ways)

class RemoteTicketsApi implements TicketsApi {
  readonly canChange: boolean
  readonly #bot: Transport
  readonly #agent: Transport | undefined
  readonly #forms: FormReader

  constructor({ bot, agent }: ChatTransports) {
    this.#bot = bot.retrying
    this.#agent = agent?.retrying
    this.#forms = new FormReader(bot.retrying)
    this.canChange = agent !== undefined
  }

  async page(query: TicketListQuery, page: number, pageSize: number): Promise<ListPage> {
    const body = await requestReply(chatContract, this.#bot, 'tickets', {
      query: { ...definedFields(query), page, pageSize },
    })
    const read = readPage(body)
    if (read) return read
    throw new Problem(remoteCodes.unintelligible, 'The response to GET /tickets has no list of tickets')
  }

  async read(ticketId: string): Promise<FullTicket> {
    try {
      return wholeTicket(
        await requestReply(chatContract, this.#bot, 'ticket', { params: { ticketId } }),
        'GET /tickets/{ticketId}',
      )
    } catch (error) {
      if (!isProblem(error, 'NOT_FOUND')) throw error
      // The response names the address only, not the ticket.
      throw new Problem('NOT_FOUND', `Ticket ${ticketId} not found: ${error.message}`, error.detail, { cause: error })
    }
  }

  async create(input: Readonly<Record<string, unknown>>, key: string, mayRepeat: boolean): Promise<FullTicket> {
    // Validated by the command, and again by the server.
    const body = input as Input<(typeof chatContract)['endpoints']['createTicket']>['body']
    const isIdempotent = mayRepeat || (await this.#forms.all()) !== undefined
    const headers = isIdempotent ? { 'idempotency-key': key } : {}
    return wholeTicket(await requestReply(chatContract, this.#bot, 'createTicket', { body }, headers), 'POST /tickets')
  }

  comment(ticketId: string, { content, visibility, authorDisplayName, key }: NewComment) {
    // The key goes in the body alone. An Idempotency-Key header could let a transport or proxy repeat the request,
    // which is only safe where the key is known to be kept.
    const body = { content, visibility, ...definedFields({ authorDisplayName, clientCommentId: key }) }
    return written(chatContract, this.#bot, 'comment', { params: { ticketId }, body }, readComment)
  }

  setStatus(ticketId: string, { status, actor, version, comment, undo }: StatusInput) {
    const body = {
      status,
      ...definedFields({
        actorDisplayName: actor,
        expectedVersion: version ?? undefined,
        undo: undo || undefined,
      }),
      ...definedFields({ comment: comment && statusComment(comment) }),
    }
    return written(chatContract, this.#bot, 'setStatus', { params: { ticketId }, body }, readTicket)
  }

  async change(ticketId: string, action: FieldAction, version: number | null) {
    if (!this.#agent) throw noAgent({ isLocal: false, tenant: null }, 'This needs')
    const body = { ...fieldsOf(action), ...definedFields({ expectedVersion: version ?? undefined }) }
    return written(agentContract, this.#agent, 'changeTicket', { params: { ticketId }, body }, readTicket)
  }

  forms(): Promise<RemoteForms | undefined> {
    return this.#forms.all()
  }

  form(formCode: string): Promise<Form | undefined> {
    return this.#forms.one(formCode)
  }

  workflowOf(ticket: RemoteTicket): Promise<Workflow> {
    return this.#forms.workflowOf(ticket)
  }

  async me(): Promise<TicketAgent | undefined> {
    if (!this.#agent) return undefined
    const body = await requestReply(agentContract, this.#agent, 'me', { query: {} })
    return isAgent(body) ? { agentId: body.agentId, displayName: body.displayName } : undefined
  }

  async agents(): Promise<readonly TicketAgent[] | undefined> {
    if (!this.#agent) return undefined
    try {
      const body = await requestReply(agentContract, this.#agent, 'agents', { query: {} })
      const items: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'items') : undefined
      return Array.isArray(items) ? items.filter(isAgent) : undefined
    } catch (error) {
      if (isProblem(error) && isNoEndpoint(error)) return undefined
      throw error
    }
  }
}

function wholeTicket(body: unknown, endpoint: string): FullTicket {
  const ticket = readTicket(body)
  if (ticket) return ticket
  throw new Problem(remoteCodes.unintelligible, `The response to ${endpoint} has no ticket with an ID and a status`, {
    outcome: 'unknown',
  })
}

const statusComment = ({ content, visibility, key }: NewComment) => ({
  content,
  visibility,
  ...definedFields({ clientCommentId: key }),
})

function fieldsOf(action: FieldAction) {
  if (action.kind === 'priority') return { priority: action.priority }
  if (action.kind === 'assign') return { assignee: action.assigneeId }
  return { snoozedUntil: action.until === null ? null : new Date(action.until).toISOString() }
}

function isAgent(body: unknown): body is { agentId: string; displayName: string } {
  return typeof body === 'object' && body !== null && 'agentId' in body && 'displayName' in body
}
