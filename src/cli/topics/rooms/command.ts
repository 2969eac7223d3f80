import type { Room } from '../../../services/chat/api/schemas.ts'
import { plannedSchema, plannedText } from '../../outcome/dry-run.ts'
import { ChatCommand, plannedCall } from '../chat/command.ts'
import { roomSchema } from './view.ts'

type AgentContract = typeof import('../../../services/chat/api/contract.ts')['agent']
type RoomCall = 'assign' | 'close' | 'reopen' | 'read' | 'unread'
type RoomInput<Name extends RoomCall> = import('../../../http/contract/contract.ts').Input<
  AgentContract['endpoints'][Name]
>

/** What the commands that change the state of a room have in common. */
export abstract class RoomChangeCommand extends ChatCommand {
  static override writes = true
  static override exits = ['permission', 'not-found', 'conflict', 'temporary'] as const
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      room: Type.Union([await roomSchema(), Type.Null()], { description: 'Null in a dry run' }),
      dryRun: Type.Boolean(),
      request: await plannedSchema(),
    })
  }

  /** Makes the call, or shows it, and says how the room is then. */
  protected async change<Name extends RoomCall>(name: Name, roomId: string, input: RoomInput<Name>, told: string) {
    const agent = await this.agentSide()
    if (this.isDryRun) {
      const contracts = await import('../../../services/chat/api/contract.ts')
      const request = plannedCall(contracts.agent, name, input)
      this.log(plannedText(request))
      this.footnote('Nothing was sent.')
      return { room: null, dryRun: true, request }
    }
    // Of the client's methods the one of that name takes that input.
    const call = agent[name] as (input: RoomInput<Name>) => Promise<unknown>
    await call(input)
    const room: Room = await agent.room({ params: { roomId } })
    this.log(told)
    return { room, dryRun: false, request: null }
  }
}
