import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { agentFrom } from '../../src/cli/topics/chat/agent-name.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'
import { RoomChangeCommand } from '../../src/cli/topics/rooms/command.ts'

export default class RoomsAssign extends RoomChangeCommand {
  static override summary = 'Give a room to an agent, to yourself, or to nobody'
  static override description =
    'Refused when somebody else took the room since it was looked at, so that two agents never hold it unawares; --take takes it from whoever has it.'
  static override examples = ['countroom rooms assign room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 me']
  static override args = {
    ...roomArg,
    agent: Args.string({ required: true, description: 'An agent by name or id, me, or none' }),
  }
  static override flags = { take: Flags.boolean({ summary: 'Also from another agent' }), ...dryRunFlag }

  override async run() {
    const { args, flags } = await this.parse(RoomsAssign)
    const agent = await this.agentSide()
    const given = await agentFrom(args.agent, await this.desk())
    const agentId = given?.agentId ?? null
    const room = await agent.room({ params: { roomId: args.room } })
    const holder = room.assignee?.agentId ?? null
    // Without --take it may be free or ours already.
    const expected = flags.take ? holder : holder === agentId ? holder : null
    return this.change(
      'assign',
      args.room,
      { params: { roomId: args.room }, body: { agentId, expectedAssignee: agentId === null ? holder : expected } },
      agentId === null ? 'The room is nobody’s now.' : `The room is with ${given?.displayName} now.`,
    )
  }
}
