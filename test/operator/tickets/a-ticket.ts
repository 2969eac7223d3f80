import type { FullTicket, RemoteTicket } from '../../../src/operator/tickets/parse.ts'

/** Returns an open ticket, with these fields instead of the usual ones. */
export function aTicket(ticketNumber: number, fields: Partial<RemoteTicket> = {}): RemoteTicket {
  return {
    ticketId: `tkt_${ticketNumber}`,
    ticketNumber,
    title: `Matter ${ticketNumber}`,
    description: '',
    status: 'open',
    statusCategory: 'open',
    priority: 2,
    customerAccount: null,
    assigneeId: null,
    createdAt: 0,
    updatedAt: 0,
    firstResponseAt: null,
    lastPublicAuthorType: null,
    snoozedUntil: null,
    reopenCount: 0,
    formCode: null,
    customerDisplayName: null,
    customerLanguage: null,
    roomId: null,
    assigneeName: null,
    allowedTransitions: null,
    version: 1,
    fieldValues: [],
    commentCount: 0,
    ...fields,
  }
}

export const aWholeTicket = (ticketNumber: number, fields: Partial<RemoteTicket> = {}): FullTicket => ({
  ...aTicket(ticketNumber, fields),
  comments: [],
  history: [],
})
