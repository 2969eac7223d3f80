import { Type } from 'typebox'
import { Problem } from '../../../kit/problem.ts'
import { refuseGuarded } from '../../../operator/tickets/text/phrases.ts'
import { setLook } from '../../../services/chat/admin/look.ts'
import { chatTenantOf, workingAgents } from '../../../services/chat/queries/tenants.ts'
import { setRoomOpen } from '../../../services/chat/rooms/agent-rooms.ts'
import { reply, sendCustomerText } from '../../../services/chat/rooms/messages.ts'
import { openRoom } from '../../../services/chat/rooms/rooms.ts'
import type { AgentCaller, ChatTenant } from '../../../services/chat/service.ts'
import { setStatus } from '../../../services/chat/tickets/ticket-status.ts'
import { comment, createTicket } from '../../../services/chat/tickets/tickets.ts'
import { colorSpellings, isColor } from '../../../services/chat/widget/color.ts'
import type { World } from '../../world.ts'
import { action, settled } from './action.ts'
import { choice, flag, lines, maybeText, tenant, text, ticket } from './fields.ts'

const room = text('Room', { maxLength: 60 })
const message = lines('Text', 4_000)

/** Returns a merchant as its own bot. */
async function merchantFor({ store }: World, code: string): Promise<ChatTenant> {
  const merchant = await store.read((reader) => chatTenantOf(reader, code))
  if (!merchant) throw new Problem('CHAT_TENANT_NOT_FOUND', `There is no merchant ${code}`)
  return merchant
}

/** Returns a merchant with its first agent, who the desk acts as. */
async function agentFor(world: World, code: string): Promise<AgentCaller> {
  const merchant = await merchantFor(world, code)
  const [agent] = await world.store.read((reader) => workingAgents(reader, code))
  if (!agent)
    throw new Problem(
      'CONFLICT',
      `${code} has no agents. To create one: countroom console chat agents create ${code} Ann`,
    )
  return { tenant: merchant, keyId: '', agentId: agent.id, displayName: agent.display_name }
}

/** Refuses a text that fails the pre-send checks, as the command does; its "--allow-guard" skips one of them. */
function checkOutgoing(content: string): void {
  // The macros and words of the user's own settings are not known here.
  refuseGuarded(content, { macros: [], internalWords: [], file: null }, [])
}

const actorOf = ({ agentId, displayName }: AgentCaller) => ({ type: 'agent', name: displayName, agentId }) as const

function openAction(title: string, summary: string, isOpen: boolean) {
  return action({
    title,
    summary,
    input: Type.Object({ tenant, room }),
    commands: [
      {
        words: 'rooms close',
        args: ['room'],
        ...(isOpen ? { fixed: { reopen: true as const } } : {}),
        profileOf: 'tenant',
      },
    ],
    async run({ world }, input) {
      const { status } = await setRoomOpen(world.chat, await agentFor(world, input.tenant), input.room, isOpen)
      return settled(world, { room: input.room, status })
    },
  })
}

export const chatActions = {
  'room.open': action({
    title: 'Open a room',
    summary: 'Opens the room of a customer, or finds the one there is.',
    input: Type.Object({ tenant, account: text('Customer account', { maxLength: 100 }), name: maybeText('Name') }),
    commands: [{ words: 'rooms open', args: ['account'], flags: { name: 'name' }, profileOf: 'tenant' }],
    async run({ world }, input) {
      const merchant = await merchantFor(world, input.tenant)
      const body = {
        customerAccount: input.account,
        ...(input.name === undefined ? {} : { customerDisplayName: input.name }),
      }
      const opened = await openRoom(world.chat, merchant, body)
      return settled(world, { room: opened.data.roomId, created: opened.data.created })
    },
  }),
  'room.reply': action({
    title: 'Reply',
    summary: 'Sends a message to the customer as the first agent of the merchant.',
    input: Type.Object({ tenant, room, text: message }),
    commands: [{ words: 'rooms reply', args: ['room', 'text'], fixed: { yes: true as const }, profileOf: 'tenant' }],
    async run({ world }, input) {
      checkOutgoing(input.text)
      const agent = await agentFor(world, input.tenant)
      await reply(world.chat, agent, input.room, { text: input.text, clientMessageId: world.chat.id() })
      return settled(world, { room: input.room, from: agent.displayName })
    },
  }),
  'room.say': action({
    title: 'Write as the customer',
    summary: 'Sends a message as the customer, through the API of the bot.',
    input: Type.Object({ tenant, room, text: message }),
    commands: [{ words: 'rooms say', args: ['room', 'text'], profileOf: 'tenant' }],
    async run({ world }, input) {
      const merchant = await merchantFor(world, input.tenant)
      const body = { text: input.text, clientMessageId: world.chat.id() }
      await sendCustomerText(world.chat, merchant, input.room, body)
      return settled(world, { room: input.room })
    },
  }),
  'room.close': openAction('Close', 'Closes the conversation.', false),
  'room.reopen': openAction('Reopen', 'Opens the conversation again.', true),
  'widget.set': action({
    title: 'Save the look',
    summary: 'Sets the look of the widget; it takes effect when a page loads it.',
    input: Type.Object({
      tenant,
      color: text('Color', { maxLength: 60 }),
      theme: choice('Theme', ['auto', 'light', 'dark']),
      label: maybeText('Launcher text', { maxLength: 60 }),
      greeting: Type.Optional(lines('Greeting', 500)),
    }),
    commands: [
      {
        words: 'console chat widget set',
        args: ['tenant'],
        flags: { color: 'color', theme: 'theme', label: 'label', greeting: 'greeting' },
      },
    ],
    async run({ world }, { tenant: code, color, theme, label, greeting }) {
      if (!isColor(color))
        throw new Problem('INVALID_USAGE', `${color} is not a color: use ${colorSpellings}`, { field: 'color' })
      const look = await setLook(world.chat, code, {
        primaryColor: color,
        theme,
        ...(label === undefined ? {} : { launcherLabel: label }),
        ...(greeting === undefined ? {} : { greeting }),
      })
      return settled(world, { color: look.primaryColor, theme: look.theme })
    },
  }),
  'ticket.create': action({
    title: 'Create a ticket',
    summary: 'Creates a ticket with the form "general".',
    input: Type.Object({
      tenant,
      title: text('Title', { maxLength: 200 }),
      account: maybeText('Customer account', { maxLength: 100 }),
    }),
    commands: [
      {
        words: 'tickets create',
        args: ['title'],
        fixed: { form: 'general' },
        flags: { account: 'account' },
        profileOf: 'tenant',
      },
    ],
    async run({ world }, input) {
      const agent = await agentFor(world, input.tenant)
      const body = {
        formCode: 'general',
        title: input.title,
        ...(input.account === undefined ? {} : { customerAccount: input.account }),
      }
      const created = await createTicket(world.chat, agent.tenant, actorOf(agent), body, undefined)
      return settled(world, { ticket: created.data.ticketNumber, status: created.data.status })
    },
  }),
  'ticket.status': action({
    title: 'Change the status',
    summary: 'Moves the ticket along the workflow of its form.',
    input: Type.Object({
      tenant,
      ticket,
      status: text('Status', { maxLength: 60 }),
      comment: Type.Optional(lines('Comment', 4_000)),
    }),
    commands: [
      {
        words: 'tickets status',
        args: ['ticket', 'status'],
        flags: { comment: 'comment' },
        texts: ['comment'],
        fixed: { yes: true as const },
        profileOf: 'tenant',
      },
    ],
    async run({ world }, input) {
      const agent = await agentFor(world, input.tenant)
      const body = {
        status: input.status,
        ...(input.comment === undefined ? {} : { comment: { content: input.comment } }),
      }
      const { status, previousStatus } = await setStatus(world.chat, agent.tenant, actorOf(agent), input.ticket, body)
      return settled(world, { ticket: input.ticket, previousStatus, status })
    },
  }),
  'ticket.comment': action({
    title: 'Comment',
    summary: 'Adds a comment: internal, or public for the customer.',
    input: Type.Object({ tenant, ticket, text: message, public: flag('Public') }),
    commands: [
      {
        words: 'tickets comment',
        args: ['ticket', 'text'],
        flags: { public: 'public' },
        texts: ['text'],
        fixed: { yes: true as const },
        profileOf: 'tenant',
      },
    ],
    async run({ world }, input) {
      if (input.public) checkOutgoing(input.text)
      const agent = await agentFor(world, input.tenant)
      const body = { content: input.text, visibility: input.public ? ('public' as const) : ('internal' as const) }
      await comment(world.chat, agent.tenant, actorOf(agent), input.ticket, body, undefined)
      return settled(world, { ticket: input.ticket })
    },
  }),
}
