import type { Transport } from '../../../http/contract/wire-types.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { chat as chatContract } from '../../../services/chat/api/contract.ts'
import type { Form, FormList } from '../../../services/chat/api/schemas.ts'
import { codesIn, type RemoteTicket } from '../parse.ts'
import { requestReply } from '../tickets-request.ts'

/** The current version of each form, and those whose stored definition is broken. */
export type RemoteForms = FormList

/** The codes of a form's workflow, and how they are known. */
export interface Workflow {
  readonly codes: readonly string[]
  /** Which of them mean that nothing is left to do; a guess by name where the instance has no forms to read. */
  readonly done: readonly string[]
  readonly knownBy: 'form' | 'refusal'
}

/** A code that no workflow has: asking for it changes nothing, and the refusal lists the valid codes. */
const impossible = 'countroom-asks-for-valid-codes'

/** Reads forms and workflows, each once. A request that failed is made again the next time. */
export class FormReader {
  readonly #bot: Transport
  readonly #forms = new Map<string, Promise<Form | undefined>>()
  readonly #workflows = new Map<string, Promise<Workflow>>()
  #all: Promise<RemoteForms | undefined> | undefined
  /** False once the instance was found to have no form endpoints; the document has none. */
  #hasForms = true

  constructor(bot: Transport) {
    this.#bot = bot
  }

  /** Reads all forms; undefined where the instance has none to read. */
  all(): Promise<RemoteForms | undefined> {
    this.#all ??= this.#readAll()
    this.#all.catch(() => {
      this.#all = undefined
    })
    return this.#all
  }

  /** Reads the form of a code; undefined where the instance has no forms to read. */
  one(formCode: string): Promise<Form | undefined> {
    return once(this.#forms, formCode, () => this.#readOne(formCode))
  }

  /** Reads the workflow of a ticket: from its form, else from the refusal of an impossible status. */
  workflowOf(ticket: RemoteTicket): Promise<Workflow> {
    return once(this.#workflows, ticket.formCode ?? '', () => this.#readWorkflow(ticket))
  }

  async #readOne(formCode: string): Promise<Form | undefined> {
    if (!this.#hasForms) return undefined
    try {
      const body = await requestReply(chatContract, this.#bot, 'form', { params: { formCode } })
      return isForm(body) ? body : undefined
    } catch (error) {
      if (!isProblem(error) || !isNoEndpoint(error)) throw error
      if (error.code !== 'FORM_NOT_FOUND') this.#hasForms = false
      return undefined
    }
  }

  async #readAll(): Promise<RemoteForms | undefined> {
    if (!this.#hasForms) return undefined
    try {
      const body = await requestReply(chatContract, this.#bot, 'forms', {})
      if (isFormList(body)) return { items: body.items, unreadable: body.unreadable ?? [] }
    } catch (error) {
      if (!isProblem(error) || !isNoEndpoint(error)) throw error
    }
    this.#hasForms = false
    return undefined
  }

  async #readWorkflow(ticket: RemoteTicket): Promise<Workflow> {
    const form = ticket.formCode === null ? undefined : await this.one(ticket.formCode)
    return form ? workflowOfForm(form) : this.#learnWorkflow(ticket)
  }

  async #learnWorkflow({ ticketId }: RemoteTicket): Promise<Workflow> {
    try {
      await requestReply(chatContract, this.#bot, 'setStatus', { params: { ticketId }, body: { status: impossible } })
    } catch (error) {
      if (!isProblem(error) || error.detail['status'] !== 400) throw error
      const codes = codesIn(error.message, error.detail['details'], impossible)
      if (codes.length > 0) return { codes, done: codes.filter(soundsDone), knownBy: 'refusal' }
    }
    throw new Problem(
      'CANNOT_CONCLUDE',
      `Cannot read the status codes of ticket ${ticketId}: the error response to an invalid code has no list`,
      { ticketId },
    )
  }
}

/** Returns the promise of a key, made on first use; one that failed is made again the next time. */
function once<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const promise = known.get(key) ?? make()
  known.set(key, promise)
  promise.catch(() => known.delete(key))
  return promise
}

function workflowOfForm({ workflow: { statuses } }: Form): Workflow {
  const isDone = (category: string) => category === 'resolved' || category === 'closed'
  return {
    codes: statuses.filter(({ active }) => active).map(({ code }) => code),
    done: statuses.filter(({ category }) => isDone(category)).map(({ code }) => code),
    knownBy: 'form',
  }
}

/** Returns whether the instance has no such endpoint. A busy or failing instance is no evidence of that. */
export const isNoEndpoint = ({ detail }: Problem): boolean =>
  [400, 404, 405, 410, 501].includes(Number(detail['status']))

function soundsDone(code: string): boolean {
  return /^(?:resolved|closed|done|solved|completed?|cancell?ed|rejected|spam|archived)$/i.test(code)
}

function isForm(body: unknown): body is Form {
  return typeof body === 'object' && body !== null && 'workflow' in body && 'fields' in body
}

function isFormList(body: unknown): body is Pick<FormList, 'items'> & Partial<FormList> {
  const items: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'items') : undefined
  return Array.isArray(items) && items.every(isForm)
}
