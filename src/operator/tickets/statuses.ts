import { nearest } from '../../kit/nearest.ts'
import { Problem } from '../../kit/problem.ts'
import { listTickets } from './list.ts'
import type { KnownStatuses } from './open-tickets.ts'
import type { FullTicket } from './parse.ts'
import type { NewComment, StatusInput, TicketListQuery, TicketsApi } from './tickets-api.ts'

/** Returns the status code if the workflow has it, else throws with the nearest one and all valid codes. */
export function checkedStatus(status: string, codes: readonly string[]): string {
  if (codes.includes(status)) return status
  const near = nearest(status, codes, 1)
  const hint = near.length > 0 ? `did you mean "${near[0]}"? ` : ''
  throw new Problem('INVALID_STATUS', `Unknown status "${status}"; ${hint}valid codes: ${codes.join(', ')}`, {
    status,
    nearest: near,
    validCodes: codes,
    remoteCode: null,
  })
}

/** Returns the possible status codes: those of the forms if they can be read, else of the first ticket's workflow. */
export async function knownStatuses(
  ticketsApi: TicketsApi,
  about: TicketListQuery,
): Promise<KnownStatuses | undefined> {
  const forms = (await ticketsApi.forms())?.items
  if (forms) {
    const relevantForms = about.formCode === undefined ? forms : [formNamed(about.formCode, forms)]
    const statuses = relevantForms.flatMap((form) => form.workflow.statuses)
    const codes = [...new Set(statuses.map(({ code }) => code))]
    // A code that is done in one form and open in another is included: an extra ticket is better than a missing one.
    const open = new Set(
      statuses.filter(({ category }) => category !== 'resolved' && category !== 'closed').map(({ code }) => code),
    )
    return { codes, done: codes.filter((code) => !open.has(code)) }
  }
  const [first] = (await listTickets(ticketsApi, { formCode: about.formCode }, 1)).tickets
  return first === undefined ? undefined : ticketsApi.workflowOf(first)
}

/** Returns the form with that code, or throws with the nearest one. */
export function formNamed<F extends { readonly formCode: string }>(formCode: string, forms: readonly F[]): F {
  const form = forms.find((each) => each.formCode === formCode)
  if (form) return form
  throw noForm(
    formCode,
    forms.map((each) => each.formCode),
  )
}

/** Rejects unknown statuses and forms, because a mistyped filter would find nothing. */
export async function checkCodes(
  ticketsApi: TicketsApi,
  { status, form }: { readonly status?: string | undefined; readonly form?: string | undefined },
): Promise<void> {
  if (status === undefined && form === undefined) return
  const known = await knownStatuses(ticketsApi, { formCode: form })
  if (known) for (const each of status?.split(',') ?? []) checkedStatus(each.trim(), known.codes)
}

/**
 * Sets the status of a ticket. With readable forms the comment is part of the request; elsewhere it is written first, so that
 * a status is never without its reason.
 */
export async function setStatusOf(
  ticketsApi: TicketsApi,
  ticket: Pick<FullTicket, 'ticketId' | 'version'>,
  { status, actor, comment, hasForm }: Pick<StatusInput, 'status' | 'actor'> & StatusComment,
): Promise<void> {
  const { ticketId, version } = ticket
  if (comment === undefined || hasForm) await ticketsApi.setStatus(ticketId, { status, actor, version, comment })
  else {
    await ticketsApi.comment(ticketId, { ...comment, authorDisplayName: actor })
    // The comment made another version.
    await ticketsApi.setStatus(ticketId, { status, actor })
  }
}

interface StatusComment {
  readonly comment: NewComment | undefined
  /** True if the workflow is known from a form that can be read. */
  readonly hasForm: boolean
}

function noForm(formCode: string, codes: readonly string[]): Problem {
  const near = nearest(formCode, codes, 1)
  const hint = near.length > 0 ? `did you mean "${near[0]}"?` : `available forms: ${codes.join(', ')}`
  return new Problem('INVALID_USAGE', `Form "${formCode}" not found; ${hint}`, {
    formCode,
    nearest: near,
    forms: codes,
  })
}
