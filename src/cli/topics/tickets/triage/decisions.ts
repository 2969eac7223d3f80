import { priorityNames } from '../../../../domain/tickets/priority.ts'
import { stepStatus } from '../../../../domain/tickets/workflow.ts'
import { isProblem } from '../../../../kit/problem.ts'
import { agentFrom } from '../../../../operator/tickets/agent-name.ts'
import type { Suspects } from '../../../../operator/tickets/duplicate-candidates.ts'
import type { FullTicket } from '../../../../operator/tickets/parse.ts'
import { readIfExists } from '../../../../operator/tickets/read-if-exists.ts'
import { textFor } from '../../../../operator/tickets/text/phrases.ts'
import type { TicketAgent } from '../../../../operator/tickets/tickets-api.ts'
import { durationMs } from '../../../arguments/moments.ts'
import { oneLine } from '../../../terminal/text.ts'
import { confirmFailedChecks } from '../../chat/outgoing-text.ts'
import { canceledText, isCanceled } from '../../chat/undo-window.ts'
import { nameOfTicket } from '../view.ts'
import { act } from './apply.ts'
import { choice, notHere, nothing, type PromptResult } from './prompts.ts'
import { openRoom } from './room-panel.ts'
import { maxNamed, type Session } from './session.ts'

export async function decide(
  session: Session,
  ticket: FullTicket,
  key: string,
  suspectsOf: Suspecting,
): Promise<PromptResult> {
  const { print, ticketsApi, keyboard } = session
  try {
    switch (key) {
      case 's':
        return await decideStatus(session, ticket)
      case 'c': {
        const content = await keyboard.line('Note:')
        if (content === undefined || content === '') return nothing(print)
        return await act(session, ticket, [{ kind: 'comment', content, visibility: 'internal' }], 'stay')
      }
      case 'r': {
        const content = await keyboard.line('Reply to the customer:')
        return content === undefined || content === '' ? nothing(print) : await replyWith(session, ticket, content)
      }
      case 'm':
        return await decideMacro(session, ticket)
      case 'p': {
        if (!ticketsApi.canChange) return notHere(print)
        const priority = await choice(session, 'Priority', priorityNames)
        if (priority === undefined) return nothing(print)
        return await act(session, ticket, [{ kind: 'priority', priority: priority + 1 }], 'stay')
      }
      case 'a':
        return ticketsApi.canChange ? await decideAgent(session, ticket) : notHere(print)
      case 'z':
        return await decideSleep(session, ticket)
      case 'd':
        return await decideDuplicate(session, ticket, suspectsOf)
      case 'o':
        return await openRoom(session, ticket)
      default:
        print('Unknown key. Press ? for help.')
        return 'nothing'
    }
  } catch (error) {
    if (!isProblem(error) || error.detail['status'] === 401) throw error
    print(`Not done: ${error.message} (${error.code})`)
    return 'nothing'
  }
}

async function decideStatus(session: Session, ticket: FullTicket): Promise<PromptResult> {
  const { ticketsApi, print, keyboard } = session
  const workflow = await ticketsApi.workflowOf(ticket)
  const codes = ticket.allowedTransitions ?? workflow.codes.filter((code) => code !== ticket.status)
  const chosen = await choice(session, 'Status', codes)
  const status = chosen === undefined ? undefined : codes[chosen]
  if (status === undefined) return nothing(print)
  const isSilent = workflow.done.includes(status) && ticket.lastPublicAuthorType !== 'agent'
  const form = ticket.formCode === null ? undefined : await ticketsApi.form(ticket.formCode)
  const wantsNote = form && stepStatus(form.workflow, ticket.status, status, false).step === 'needs-comment'
  if (!isSilent && !wantsNote) return act(session, ticket, [{ kind: 'status', status }], 'done-with')
  const prompt = isSilent ? `${status} without a reply` : `The workflow requires a note for ${status}`
  const reason = await keyboard.line(`${prompt}. Reason (internal):`)
  if (reason === undefined || reason === '') return nothing(print)
  return act(
    session,
    ticket,
    [
      { kind: 'comment', content: reason, visibility: 'internal' },
      { kind: 'status', status },
    ],
    'done-with',
  )
}

/** Assigns the ticket to the agent of the profile, to no agent, or to a colleague. */
async function decideAgent(session: Session, ticket: FullTicket): Promise<PromptResult> {
  const { ticketsApi, print, keyboard } = session
  const [me, agents] = await Promise.all([ticketsApi.me(), ticketsApi.agents()])
  const otherAgents = (agents ?? []).filter(({ agentId }) => agentId !== me?.agentId)
  // Colleagues with a key each; in a larger team the name is typed.
  const named = otherAgents.length <= maxNamed ? otherAgents : []
  const options: { name: string; agent: TicketAgent | null | 'ask' }[] = [
    ...(me ? [{ name: `me (${me.displayName})`, agent: me }] : []),
    { name: 'nobody', agent: null },
    ...named.map((agent) => ({ name: agent.displayName, agent })),
    ...(named.length < otherAgents.length || agents === undefined
      ? [{ name: 'another agent', agent: 'ask' as const }]
      : []),
  ]
  const chosen = await choice(
    session,
    'Assign to',
    options.map(({ name }) => name),
  )
  let agent = chosen === undefined ? undefined : options[chosen]?.agent
  if (agent === 'ask') {
    const input = await keyboard.line(agents === undefined ? 'Agent ID:' : 'Agent name or ID:')
    agent = input === undefined || input === '' ? undefined : await agentFrom(input, ticketsApi)
  }
  if (agent === undefined) return nothing(print)
  const assigneeId = agent?.agentId ?? null
  if (assigneeId === ticket.assigneeId) {
    print(
      agent === null ? 'The ticket is already unassigned.' : `The ticket is already assigned to ${agent.displayName}.`,
    )
    return 'nothing'
  }
  return act(session, ticket, [{ kind: 'assign', assigneeId }], 'stay', {
    summary: agent === null ? 'unassigned' : `assigned to ${agent.displayName}`,
  })
}

async function decideMacro(session: Session, ticket: FullTicket): Promise<PromptResult> {
  const { phrases, print } = session
  if (phrases.macros.length === 0) {
    print('No macros. Create macros.yaml in the settings folder (see countroom help files).')
    return 'nothing'
  }
  const chosen = await choice(
    session,
    'Macro',
    phrases.macros.map(({ name }) => name),
  )
  const macro = chosen === undefined ? undefined : phrases.macros[chosen]
  return macro === undefined
    ? nothing(print)
    : replyWith(session, ticket, await textFor({ macro }, ticket, session.ticketsApi, phrases.file))
}

/** Confirms a public text, shown as it will arrive. It can be canceled for some seconds. */
async function replyWith(session: Session, ticket: FullTicket, content: string): Promise<PromptResult> {
  const { print, keyboard, phrases, undoWindowMs } = session
  if (!(await confirmFailedChecks(content, phrases, session))) return nothing(print)
  print(
    `To ${oneLine(ticket.customerDisplayName ?? ticket.customerAccount ?? 'the customer')} (${oneLine(ticket.customerLanguage ?? 'language unknown')}), as it will arrive:\n\n${content}\n\nSend it? Press y to send, any other key to cancel.`,
  )
  if ((await keyboard.key()) !== 'y') return nothing(print)
  if (await isCanceled(keyboard, print, { ms: undoWindowMs, stop: session.stop })) {
    print(`${canceledText}.`)
    return 'nothing'
  }
  return act(session, ticket, [{ kind: 'comment', content, visibility: 'public' }], 'stay')
}

async function decideSleep(session: Session, ticket: FullTicket): Promise<PromptResult> {
  const { ticketsApi, keyboard, print } = session
  if (!ticketsApi.canChange) return notHere(print)
  const input = await keyboard.line('Snooze for (such as 24h):')
  const ms = input === undefined ? undefined : durationMs(input)
  if (ms === undefined) return nothing(print)
  const reason = await keyboard.line('Why:')
  if (reason === undefined || reason === '') return nothing(print)
  return act(
    session,
    ticket,
    [
      { kind: 'comment', content: `Snoozed for ${input}: ${reason}`, visibility: 'internal' },
      { kind: 'snooze', until: (await session.now()) + ms },
    ],
    'done-with',
  )
}

/** Maximum number of possible originals to show. */
const maxSuspects = 9
type Suspecting = (ticket: FullTicket) => Promise<Suspects>

const quoted = (words: readonly string[]): string => words.map((word) => `"${oneLine(word)}"`).join(', ')

/** Describes how many tickets were searched, so that no match is not taken for no duplicate. */
function lookedText({ suspects, looked, total, words }: Suspects, shown: number): string {
  const rest = suspects.length - shown
  const more = suspects.length === 0 ? 'No similar ticket found. ' : rest > 0 ? `${rest} more possible. ` : ''
  const otherCount = total === null ? null : Math.max(0, total - 1)
  if (otherCount !== null && looked >= otherCount) return `${more}Searched all other tickets (${looked}).`
  const ways = ['newest', 'same customer', ...(words.length > 0 ? [`with ${quoted(words)}`] : [])]
  const among = otherCount === null ? `${looked} other tickets` : `${looked} of ${otherCount} other tickets`
  return `${more}Searched ${among} (${ways.join(', ')}).`
}

/** Marks a ticket as a duplicate: a note on each names the other, and this ticket is closed. */
async function decideDuplicate(session: Session, ticket: FullTicket, suspectsOf: Suspecting): Promise<PromptResult> {
  const { ticketsApi, print, keyboard } = session
  const search = await suspectsOf(ticket)
  const suspects = search.suspects.slice(0, maxSuspects)
  for (const { ticket: other, reason, likeness } of suspects)
    print(`   ${nameOfTicket(other)}  ${oneLine(other.title)}  (${reason}, ${Math.round(likeness * 100)} % alike)`)
  print(`   ${lookedText(search, suspects.length)}`)
  const input = await keyboard.line('Duplicate of (number or ID):')
  if (input === undefined || input === '') return nothing(print)
  const original = await readIfExists(ticketsApi, input.replace(/^#/, ''))
  if (!original || original.ticketId === ticket.ticketId) {
    print(`No other ticket ${input} found.`)
    return 'nothing'
  }
  const { done } = await ticketsApi.workflowOf(ticket)
  const status = done.find((code) => ticket.allowedTransitions?.includes(code) ?? code !== ticket.status)
  if (status === undefined) {
    print('The workflow has no status that closes the ticket.')
    return 'nothing'
  }
  const reason = await keyboard.line('Reason (internal):')
  if (reason === undefined || reason === '') return nothing(print)
  const { ticketId, ticketNumber, version } = original
  const crossLink = `Also reported as ${nameOfTicket(ticket)}: ${reason}`
  return act(
    session,
    ticket,
    [
      { kind: 'comment', content: `Duplicate of ${nameOfTicket(original)}: ${reason}`, visibility: 'internal' },
      { kind: 'status', status },
    ],
    'done-with',
    {
      // In one bulk action, so that a crash in between is repaired; the second only after the first is done.
      then: {
        ticketId,
        ticketNumber,
        version,
        status: original.status,
        actions: [{ kind: 'comment', content: crossLink, visibility: 'internal' }],
      },
    },
  )
}
