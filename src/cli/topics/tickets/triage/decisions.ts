import { stepStatus } from '../../../../domain/tickets/workflow.ts'
import { isProblem } from '../../../../kit/problem.ts'
import type { Suspects } from '../../../../operator/tickets/duplicate-candidates.ts'
import type { WholeDeskTicket } from '../../../../operator/tickets/parse.ts'
import type { DeskAgent } from '../../../../operator/tickets/tickets-api.ts'
import { durationMs } from '../../../arguments/moments.ts'
import { oneLine } from '../../../terminal/text.ts'
import { agentFrom } from '../../chat/agent-name.ts'
import { letPass, textFor } from '../../chat/outgoing-text.ts'
import { isTakenBack, takenBackText } from '../../chat/undo-window.ts'
import { nameOfTicket, priorityNames } from '../view.ts'
import { act } from './apply.ts'
import { choice, type Decided, notHere, nothing } from './prompts.ts'
import { openRoom } from './room-panel.ts'
import { mostNamed, readOrGone, type Session } from './session.ts'

export async function decide(
  session: Session,
  ticket: WholeDeskTicket,
  key: string,
  suspectsOf: Suspecting,
): Promise<Decided> {
  const { say, desk, keyboard } = session
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
        const content = await keyboard.line('To the customer:')
        return content === undefined || content === '' ? nothing(say) : await replyWith(session, ticket, content)
      }
      case 'm':
        return await decideMacro(session, ticket)
      case 'p': {
        if (!desk.canChange) return notHere(say)
        const priority = await choice(session, 'Priority', priorityNames)
        if (priority === undefined) return nothing(say)
        return await act(session, ticket, [{ kind: 'priority', priority: priority + 1 }], 'stay')
      }
      case 'a':
        return desk.canChange ? await decideAgent(session, ticket) : notHere(say)
      case 'z':
        return await decideSleep(session, ticket)
      case 'd':
        return await decideDuplicate(session, ticket, suspectsOf)
      case 'o':
        return await openRoom(session, ticket)
      default:
        say('No such key. ? shows them.')
        return 'nothing'
    }
  } catch (error) {
    if (!isProblem(error) || error.detail['status'] === 401) throw error
    say(`Not done: ${error.message} (${error.code})`)
    return 'nothing'
  }
}

async function decideStatus(session: Session, ticket: WholeDeskTicket): Promise<Decided> {
  const { desk, say, keyboard } = session
  const workflow = await desk.workflowOf(ticket)
  const codes = ticket.allowedTransitions ?? workflow.codes.filter((code) => code !== ticket.status)
  const chosen = await choice(session, 'Status', codes)
  const status = chosen === undefined ? undefined : codes[chosen]
  if (status === undefined) return nothing(say)
  const isSilent = workflow.done.includes(status) && ticket.lastPublicAuthorType !== 'agent'
  const form = ticket.formCode === null ? undefined : await desk.form(ticket.formCode)
  const wantsNote = form && stepStatus(form.workflow, ticket.status, status, false).step === 'needs-comment'
  if (!isSilent && !wantsNote) return act(session, ticket, [{ kind: 'status', status }], 'done-with')
  const asked = isSilent ? `${status} without a reply` : `Its workflow wants a note with ${status}`
  const why = await keyboard.line(`${asked}. Why (for the house):`)
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

/** Gives the ticket to oneself, to nobody, or to a colleague by name or id. */
async function decideAgent(session: Session, ticket: WholeDeskTicket): Promise<Decided> {
  const { desk, say, keyboard } = session
  const [me, agents] = await Promise.all([desk.me(), desk.agents()])
  const others = (agents ?? []).filter(({ agentId }) => agentId !== me?.agentId)
  // As many colleagues as there are keys for; a larger desk is asked by name.
  const named = others.length <= mostNamed ? others : []
  const options: { name: string; agent: DeskAgent | null | 'ask' }[] = [
    ...(me ? [{ name: `me (${me.displayName})`, agent: me }] : []),
    { name: 'nobody', agent: null },
    ...named.map((agent) => ({ name: agent.displayName, agent })),
    ...(named.length < others.length || agents === undefined ? [{ name: 'somebody else', agent: 'ask' as const }] : []),
  ]
  const chosen = await choice(
    session,
    'Whose',
    options.map(({ name }) => name),
  )
  let agent = chosen === undefined ? undefined : options[chosen]?.agent
  if (agent === 'ask') {
    const said = await keyboard.line(agents === undefined ? 'Agent (id):' : 'Agent (name or id):')
    agent = said === undefined || said === '' ? undefined : await agentFrom(said, desk)
  }
  if (agent === undefined) return nothing(say)
  const assigneeId = agent?.agentId ?? null
  if (assigneeId === ticket.assigneeId) {
    say(agent === null ? 'It is nobody’s already.' : `It is with ${agent.displayName} already.`)
    return 'nothing'
  }
  return act(session, ticket, [{ kind: 'assign', assigneeId }], 'stay', {
    told: agent === null ? 'with nobody' : `with ${agent.displayName}`,
  })
}

async function decideMacro(session: Session, ticket: WholeDeskTicket): Promise<Decided> {
  const { phrases, say } = session
  if (phrases.macros.length === 0) {
    say('There are no macros: put some into macros.yaml among the settings.')
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
    : replyWith(session, ticket, await textFor({ macro }, ticket, session.desk, phrases.file))
}

/** A public text is looked at, shown as it will arrive, asked about, and can be taken back for some seconds. */
async function replyWith(session: Session, ticket: WholeDeskTicket, content: string): Promise<Decided> {
  const { say, keyboard, phrases, takeBackMs } = session
  if (!(await letPass(content, phrases, session))) return nothing(say)
  say(
    `To ${oneLine(ticket.customerDisplayName ?? ticket.customerAccount ?? 'the customer')} (${oneLine(ticket.customerLanguage ?? 'language unknown')}), as it will arrive:\n\n${content}\n\nSend it? y sends, any other key does not.`,
  )
  if ((await keyboard.key()) !== 'y') return nothing(say)
  if (await isTakenBack(keyboard, say, { ms: takeBackMs, stop: session.stop })) {
    say(`${takenBackText}.`)
    return 'nothing'
  }
  return act(session, ticket, [{ kind: 'comment', content, visibility: 'public' }], 'stay')
}

async function decideSleep(session: Session, ticket: WholeDeskTicket): Promise<Decided> {
  const { desk, keyboard, say } = session
  if (!desk.canChange) return notHere(say)
  const said = await keyboard.line('Sleep for (such as 24h):')
  const ms = said === undefined ? undefined : durationMs(said)
  if (ms === undefined) return nothing(say)
  const why = await keyboard.line('Why:')
  if (why === undefined || why === '') return nothing(say)
  return act(
    session,
    ticket,
    [
      { kind: 'comment', content: `Asleep for ${said}: ${why}`, visibility: 'internal' },
      { kind: 'snooze', until: (await session.now()) + ms },
    ],
    'done-with',
  )
}

/** How many possible originals are shown. */
const mostSuspects = 9
type Suspecting = (ticket: WholeDeskTicket) => Promise<Suspects>

const quoted = (words: readonly string[]): string => words.map((word) => `"${oneLine(word)}"`).join(', ')

/** Among how many it was looked, so that none found is not taken for none there. */
function lookedText({ suspects, looked, total, words }: Suspects, shown: number): string {
  const rest = suspects.length - shown
  const more = suspects.length === 0 ? 'Nothing like it was found. ' : rest > 0 ? `${rest} more may be the same. ` : ''
  const others = total === null ? null : Math.max(0, total - 1)
  if (others !== null && looked >= others) return `${more}Looked at all other tickets (${looked}).`
  const ways = ['the latest', 'the customer’s own', ...(words.length > 0 ? [`those with ${quoted(words)}`] : [])]
  const among = others === null ? `${looked} other tickets` : `${looked} of ${others} other tickets`
  return `${more}Looked at ${among} (${ways.join(', ')}); there may be more.`
}

/** Marks a ticket as another's duplicate: a note on each that names the other, and this one is closed. */
async function decideDuplicate(session: Session, ticket: WholeDeskTicket, suspectsOf: Suspecting): Promise<Decided> {
  const { desk, say, keyboard } = session
  const found = await suspectsOf(ticket)
  const suspects = found.suspects.slice(0, mostSuspects)
  for (const { ticket: other, why, likeness } of suspects)
    say(`   ${nameOfTicket(other)}  ${oneLine(other.title)}  (${why}, ${Math.round(likeness * 100)} % alike)`)
  say(`   ${lookedText(found, suspects.length)}`)
  const said = await keyboard.line('Duplicate of (number or id):')
  if (said === undefined || said === '') return nothing(say)
  const original = await readOrGone(desk, said.replace(/^#/, ''))
  if (!original || original.ticketId === ticket.ticketId) {
    say(`There is no other ticket ${said}.`)
    return 'nothing'
  }
  const { done } = await desk.workflowOf(ticket)
  const status = done.find((code) => ticket.allowedTransitions?.includes(code) ?? code !== ticket.status)
  if (status === undefined) {
    say('Its workflow has no state to close it with.')
    return 'nothing'
  }
  const why = await keyboard.line('Why (for the house):')
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
      // In one plan, so that a crash between the two is made good; and only after the first was done.
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
