import { priorityNames } from '../../../../domain/tickets/priority.ts'
import { stepStatus } from '../../../../domain/tickets/workflow.ts'
import { isProblem } from '../../../../kit/problem.ts'
import { agentFrom } from '../../../../operator/tickets/agent-name.ts'
import type { Suspects } from '../../../../operator/tickets/duplicate-candidates.ts'
import type { FullTicket } from '../../../../operator/tickets/parse.ts'
import { readOrGone } from '../../../../operator/tickets/read-or-gone.ts'
import { textFor } from '../../../../operator/tickets/text/phrasebook.ts'
import type { TicketAgent } from '../../../../operator/tickets/tickets-api.ts'
import { durationMs } from '../../../arguments/moments.ts'
import { oneLine } from '../../../terminal/text.ts'
import { letPass } from '../../chat/outgoing-text.ts'
import { isTakenBack, takenBackText } from '../../chat/undo-window.ts'
import { nameOfTicket } from '../view.ts'
import { act } from './apply.ts'
import { choice, type Decided, notHere, nothing } from './prompts.ts'
import { openRoom } from './room-panel.ts'
import { mostNamed, type Session } from './session.ts'

export async function decide(
  session: Session,
  ticket: FullTicket,
  key: string,
  suspectsOf: Suspecting,
): Promise<Decided> {
  const { say, ticketsApi, keyboard } = session
  try {
    switch (key) {
      case 's':
        return await decideStatus(session, ticket)
      case 'c': {
        const content = await keyboard.line('Note:')
        if (content === undefined || content === '') return nothing(say)
        return await act(session, ticket, [{ kind: 'comment', content, visibility: 'internal' }], 'stay')
      }
      case 'r': {
        const content = await keyboard.line('Reply to the customer:')
        return content === undefined || content === '' ? nothing(say) : await replyWith(session, ticket, content)
      }
      case 'm':
        return await decideMacro(session, ticket)
      case 'p': {
        if (!ticketsApi.canChange) return notHere(say)
        const priority = await choice(session, 'Priority', priorityNames)
        if (priority === undefined) return nothing(say)
        return await act(session, ticket, [{ kind: 'priority', priority: priority + 1 }], 'stay')
      }
      case 'a':
        return ticketsApi.canChange ? await decideAgent(session, ticket) : notHere(say)
      case 'z':
        return await decideSleep(session, ticket)
      case 'd':
        return await decideDuplicate(session, ticket, suspectsOf)
      case 'o':
        return await openRoom(session, ticket)
      default:
        say('Unknown key. Press ? for help.')
        return 'nothing'
    }
  } catch (error) {
    if (!isProblem(error) || error.detail['status'] === 401) throw error
    say(`Not done: ${error.message} (${error.code})`)
    return 'nothing'
  }
}

async function decideStatus(session: Session, ticket: FullTicket): Promise<Decided> {
  const { ticketsApi, say, keyboard } = session
  const workflow = await ticketsApi.workflowOf(ticket)
  const codes = ticket.allowedTransitions ?? workflow.codes.filter((code) => code !== ticket.status)
  const chosen = await choice(session, 'Status', codes)
  const status = chosen === undefined ? undefined : codes[chosen]
  if (status === undefined) return nothing(say)
  const isSilent = workflow.done.includes(status) && ticket.lastPublicAuthorType !== 'agent'
  const form = ticket.formCode === null ? undefined : await ticketsApi.form(ticket.formCode)
  const wantsNote = form && stepStatus(form.workflow, ticket.status, status, false).step === 'needs-comment'
  if (!isSilent && !wantsNote) return act(session, ticket, [{ kind: 'status', status }], 'done-with')
  const asked = isSilent ? `${status} without a reply` : `The workflow requires a note for ${status}`
  const why = await keyboard.line(`${asked}. Reason (internal):`)
  if (why === undefined || why === '') return nothing(say)
  return act(
    session,
    ticket,
    [
      { kind: 'comment', content: why, visibility: 'internal' },
      { kind: 'status', status },
    ],
    'done-with',
  )
}

/** Assigns the ticket to the agent of the profile, nobody, or a colleague. */
async function decideAgent(session: Session, ticket: FullTicket): Promise<Decided> {
  const { ticketsApi, say, keyboard } = session
  const [me, agents] = await Promise.all([ticketsApi.me(), ticketsApi.agents()])
  const others = (agents ?? []).filter(({ agentId }) => agentId !== me?.agentId)
  // Colleagues with a key each; in a larger team the name is typed.
  const named = others.length <= mostNamed ? others : []
  const options: { name: string; agent: TicketAgent | null | 'ask' }[] = [
    ...(me ? [{ name: `me (${me.displayName})`, agent: me }] : []),
    { name: 'nobody', agent: null },
    ...named.map((agent) => ({ name: agent.displayName, agent })),
    ...(named.length < others.length || agents === undefined ? [{ name: 'somebody else', agent: 'ask' as const }] : []),
  ]
  const chosen = await choice(
    session,
    'Assign to',
    options.map(({ name }) => name),
  )
  let agent = chosen === undefined ? undefined : options[chosen]?.agent
  if (agent === 'ask') {
    const said = await keyboard.line(agents === undefined ? 'Agent ID:' : 'Agent name or ID:')
    agent = said === undefined || said === '' ? undefined : await agentFrom(said, ticketsApi)
  }
  if (agent === undefined) return nothing(say)
  const assigneeId = agent?.agentId ?? null
  if (assigneeId === ticket.assigneeId) {
    say(
      agent === null ? 'The ticket is already unassigned.' : `The ticket is already assigned to ${agent.displayName}.`,
    )
    return 'nothing'
  }
  return act(session, ticket, [{ kind: 'assign', assigneeId }], 'stay', {
    told: agent === null ? 'unassigned' : `assigned to ${agent.displayName}`,
  })
}

async function decideMacro(session: Session, ticket: FullTicket): Promise<Decided> {
  const { phrases, say } = session
  if (phrases.macros.length === 0) {
    say('No macros. Create macros.yaml in the settings folder (see countroom help files).')
    return 'nothing'
  }
  const chosen = await choice(
    session,
    'Macro',
    phrases.macros.map(({ name }) => name),
  )
  const macro = chosen === undefined ? undefined : phrases.macros[chosen]
  return macro === undefined
    ? nothing(say)
    : replyWith(session, ticket, await textFor({ macro }, ticket, session.ticketsApi, phrases.file))
}

/** Confirms a public text, shown as it will arrive. It can be canceled for some seconds. */
async function replyWith(session: Session, ticket: FullTicket, content: string): Promise<Decided> {
  const { say, keyboard, phrases, takeBackMs } = session
  if (!(await letPass(content, phrases, session))) return nothing(say)
  say(
    `To ${oneLine(ticket.customerDisplayName ?? ticket.customerAccount ?? 'the customer')} (${oneLine(ticket.customerLanguage ?? 'language unknown')}), as it will arrive:\n\n${content}\n\nSend it? Press y to send, any other key to cancel.`,
  )
  if ((await keyboard.key()) !== 'y') return nothing(say)
  if (await isTakenBack(keyboard, say, { ms: takeBackMs, stop: session.stop })) {
    say(`${takenBackText}.`)
    return 'nothing'
  }
  return act(session, ticket, [{ kind: 'comment', content, visibility: 'public' }], 'stay')
}

async function decideSleep(session: Session, ticket: FullTicket): Promise<Decided> {
  const { ticketsApi, keyboard, say } = session
  if (!ticketsApi.canChange) return notHere(say)
  const said = await keyboard.line('Snooze for (such as 24h):')
  const ms = said === undefined ? undefined : durationMs(said)
  if (ms === undefined) return nothing(say)
  const why = await keyboard.line('Why:')
  if (why === undefined || why === '') return nothing(say)
  return act(
    session,
    ticket,
    [
      { kind: 'comment', content: `Snoozed for ${said}: ${why}`, visibility: 'internal' },
      { kind: 'snooze', until: (await session.now()) + ms },
    ],
    'done-with',
  )
}

/** Maximum number of possible originals to show. */
const mostSuspects = 9
type Suspecting = (ticket: FullTicket) => Promise<Suspects>

const quoted = (words: readonly string[]): string => words.map((word) => `"${oneLine(word)}"`).join(', ')

/** Describes how many tickets were searched, so that no match is not taken for no duplicate. */
function lookedText({ suspects, looked, total, words }: Suspects, shown: number): string {
  const rest = suspects.length - shown
  const more = suspects.length === 0 ? 'No similar ticket found. ' : rest > 0 ? `${rest} more possible. ` : ''
  const others = total === null ? null : Math.max(0, total - 1)
  if (others !== null && looked >= others) return `${more}Searched all other tickets (${looked}).`
  const ways = ['newest', 'same customer', ...(words.length > 0 ? [`with ${quoted(words)}`] : [])]
  const among = others === null ? `${looked} other tickets` : `${looked} of ${others} other tickets`
  return `${more}Searched ${among} (${ways.join(', ')}).`
}

/** Marks a ticket as a duplicate: a note on each names the other, and this ticket is closed. */
async function decideDuplicate(session: Session, ticket: FullTicket, suspectsOf: Suspecting): Promise<Decided> {
  const { ticketsApi, say, keyboard } = session
  const found = await suspectsOf(ticket)
  const suspects = found.suspects.slice(0, mostSuspects)
  for (const { ticket: other, why, likeness } of suspects)
    say(`   ${nameOfTicket(other)}  ${oneLine(other.title)}  (${why}, ${Math.round(likeness * 100)} % alike)`)
  say(`   ${lookedText(found, suspects.length)}`)
  const said = await keyboard.line('Duplicate of (number or ID):')
  if (said === undefined || said === '') return nothing(say)
  const original = await readOrGone(ticketsApi, said.replace(/^#/, ''))
  if (!original || original.ticketId === ticket.ticketId) {
    say(`No other ticket ${said} found.`)
    return 'nothing'
  }
  const { done } = await ticketsApi.workflowOf(ticket)
  const status = done.find((code) => ticket.allowedTransitions?.includes(code) ?? code !== ticket.status)
  if (status === undefined) {
    say('The workflow has no status that closes the ticket.')
    return 'nothing'
  }
  const why = await keyboard.line('Reason (internal):')
  if (why === undefined || why === '') return nothing(say)
  const { ticketId, ticketNumber, version } = original
  const crossLink = `Also reported as ${nameOfTicket(ticket)}: ${why}`
  return act(
    session,
    ticket,
    [
      { kind: 'comment', content: `Duplicate of ${nameOfTicket(original)}: ${why}`, visibility: 'internal' },
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
