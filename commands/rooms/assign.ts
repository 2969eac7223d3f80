import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { agentFrom } from '../../src/cli/topics/chat/agent-name.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'
import { RoomChangeCommand } from '../../src/cli/topics/rooms/command.ts'

export default class RoomsAssign extends RoomChangeCommand {
  static override summary = 'Assign a room to an agent, or unassign it'
  static override description = 'Fails if another agent took the room in the meantime. To take it anyway, use --take.'
  static override examples = ['countroom rooms assign room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 me']
  static override args = {
    ...roomArg,
    agent: Args.string({ required: true, description: 'Agent name or ID, "me" or "none"' }),
  }
  static override flags = { take: Flags.boolean({ summary: 'Take the room from another agent' }), ...dryRunFlag }

  override async run() {
    const { args, flags } = await this.parse(RoomsAssign)
    const agent = await this.services.agent()
    const given = await agentFrom(args.agent, await this.services.tickets())
    const agentId = given?.agentId ?? null
    const room = await agent.room({ params: { roomId: args.room } })
    const holder = room.assignee?.agentId ?? null
    // Without --take the room must be unassigned, or assigned to this agent.
    const expected = flags.take ? holder : holder === agentId ? holder : null
    return this.change(
      'assign',
      args.room,
      { params: { roomId: args.room }, body: { agentId, expectedAssignee: agentId === null ? holder : expected } },
      agentId === null ? 'The room is unassigned.' : `The room is assigned to ${given?.displayName}.`,
    )
  }
}
