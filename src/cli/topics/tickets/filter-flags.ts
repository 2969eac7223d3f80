import { Flags } from '../../framework/flags.ts'

/** Description of the filter terms for the help. */
export const filterHelp = `Filter terms (all must match):
    status=CODE[,CODE]    status; default: all that are not done
    form=CODE             form
    account=NAME          customer account
    keyword="TEXT"        search term
    priority=high,urgent  priority
    id=12,15              ticket numbers or IDs
    older=48h             created at least this long ago
    stale=24h             unchanged for at least this long
    assignee=AGENT        agent name or ID, me or none
    mine                  assigned to the agent of the profile
    unassigned            without assignee
    needs-reply           customer waits for a reply
    reopened              was done before
    snoozed               snoozed only; other filters exclude snoozed tickets

With id=, tickets in any status are selected, also snoozed ones. If another term does not match, the ticket is skipped and listed with the reason.`

/** Frequent terms as flags. */
export const filterFlags = {
  'needs-reply': Flags.boolean({ summary: 'Only tickets whose customer waits for a reply' }),
  unassigned: Flags.boolean({ summary: 'Tickets without an assignee only', exclusive: ['mine'] }),
  mine: Flags.boolean({ summary: 'Tickets of the agent of the profile only' }),
  snoozed: Flags.boolean({ summary: 'Snoozed tickets only (default: excluded)' }),
  reopened: Flags.boolean({ summary: 'Reopened tickets only' }),
  stale: Flags.string({ summary: 'Only tickets unchanged for at least this long', helpValue: 'DURATION' }),
}
