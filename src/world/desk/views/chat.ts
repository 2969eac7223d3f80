import { Type } from 'typebox'
import { allowedTransitions } from '../../../domain/tickets/workflow.ts'
import { Problem } from '../../../kit/problem.ts'
import { readWidget } from '../../../services/chat/admin.ts'
import { messagesBefore, roomOf, roomPage } from '../../../services/chat/queries/rooms.ts'
import { chatTenantOf, workingAgents } from '../../../services/chat/queries/tenants.ts'
import { currentForm } from '../../../services/chat/queries/tickets.ts'
import type { ChatTenant } from '../../../services/chat/service.ts'
import { definitionOf, listForms } from '../../../services/chat/tickets/forms.ts'
import { listTickets, readTicket } from '../../../services/chat/tickets/list-tickets.ts'
import type { World } from '../../world.ts'
import { maybeText, tenant, text, ticket } from '../actions/fields.ts'
import { maxRows, view } from './view.ts'

const momentText = (at: number | null) => (at === null ? null : new Date(at).toISOString())

async function merchantOf({ store }: World, code: string): Promise<ChatTenant> {
  const found = await store.read((reader) => chatTenantOf(reader, code))
  if (!found) throw new Problem('CHAT_TENANT_NOT_FOUND', `There is no merchant ${code}`)
  return found
}

export const chatViews = {
  'chat.rooms': view(Type.Object({ tenant, keyword: maybeText('Search') }), async ({ world }, input) => {
    const { code } = await merchantOf(world, input.tenant)
    const page = { sort: '-updatedAt', offset: 0, limit: maxRows } as const
    const { rows, total } = await world.store.read((reader) =>
      roomPage(reader, code, input.keyword === undefined ? {} : { keyword: input.keyword }, page),
    )
    return {
      total,
      rooms: rows.map((row) => ({
        room: row.id,
        account: row.customer_account,
        name: row.customer_display_name,
        status: row.status,
        unread: row.agent_unread,
        waitingSince: momentText(row.waiting_since),
        preview: row.last_message_preview,
        at: momentText(row.last_message_at ?? row.created_at),
      })),
    }
  }),
  'chat.room': view(Type.Object({ tenant, room: text('Room', { maxLength: 60 }) }), async ({ world }, input) => {
    const { code } = await merchantOf(world, input.tenant)
    return world.store.read(async (reader) => {
      const room = await roomOf(reader, code, input.room)
      if (!room) throw new Problem('NOT_FOUND', `There is no room ${input.room}`)
      const rows = await messagesBefore(reader, room.id, room.last_seq + 1, maxRows)
      const [agent] = await workingAgents(reader, code)
      return {
        room: room.id,
        account: room.customer_account,
        name: room.customer_display_name,
        language: room.customer_language,
        status: room.status,
        waitingSince: momentText(room.waiting_since),
        agent: agent?.display_name ?? null,
        messages: rows.map((row) => ({
          seq: row.seq,
          from: row.sender_type,
          name: row.sender_name,
          type: row.message_type,
          text: row.text,
          at: momentText(row.created_at),
        })),
      }
    })
  }),
  'chat.tickets': view(Type.Object({ tenant, keyword: maybeText('Search') }), async ({ world }, input) => {
    const merchant = await merchantOf(world, input.tenant)
    const query = { pageSize: maxRows, ...(input.keyword === undefined ? {} : { keyword: input.keyword }) }
    return listTickets(world.chat, merchant, query)
  }),
  'chat.ticket': view(Type.Object({ tenant, ticket }), async ({ world }, input) => {
    const merchant = await merchantOf(world, input.tenant)
    const ticket = await readTicket(world.chat, merchant, input.ticket)
    const form = await world.store.read((reader) => currentForm(reader, merchant.code, ticket.formCode))
    const next = form === undefined ? [] : allowedTransitions(definitionOf(form).workflow, ticket.status)
    return { ...ticket, next }
  }),
  'chat.widget': view(Type.Object({ tenant }), async ({ world }, input) => {
    const merchant = await merchantOf(world, input.tenant)
    const { tenantKey, origins, look } = await readWidget(world.chat, merchant.code)
    return { tenantKey, origins, look, forms: (await listForms(world.chat, merchant)).items.length }
  }),
}
