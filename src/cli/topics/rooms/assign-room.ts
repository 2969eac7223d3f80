import { agentFrom } from '../../../operator/tickets/agent-name.ts'
import type { CommandContext } from '../../context/context.ts'
import { changeRoom } from './change-room.ts'

/** Assigns a room to an agent by name, ID or `me`, or unassigns it with `none`. */
export async function assignRoom(
  context: CommandContext,
  args: { readonly room: string; readonly agent: string },
  isTaking: boolean,
) {
  const agent = await context.services.agent()
  const assignee = await agentFrom(args.agent, await context.services.tickets())
  const agentId = assignee?.agentId ?? null
  const room = await agent.room({ params: { roomId: args.room } })
  const holder = room.assignee?.agentId ?? null
  // Without --take the room must be unassigned, or assigned to this agent.
  const expected = isTaking ? holder : holder === agentId ? holder : null
  return changeRoom(context, args.room, {
    name: 'assign',
    input: {
      params: { roomId: args.room },
      body: { agentId, expectedAssignee: agentId === null ? holder : expected },
    },
    message: agentId === null ? 'The room is unassigned.' : `The room is assigned to ${assignee?.displayName}.`,
  })
}
