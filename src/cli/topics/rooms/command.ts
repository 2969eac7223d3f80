import type { Room } from '../../../services/chat/api/schemas.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { chatFlags } from '../../framework/flags.ts'
import { plannedSchema, plannedText } from '../../outcome/dry-run.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import { plannedCall } from '../chat/arguments.ts'
import { roomSchema } from './view.ts'

type AgentContract = typeof import('../../../services/chat/api/contract.ts')['agent']
type RoomCall = 'assign' | 'close' | 'reopen' | 'read' | 'unread'
type RoomInput<Name extends RoomCall> = import('../../../http/contract/contract.ts').Input<
  AgentContract['endpoints'][Name]
>

/** Base class of commands that change the state of a room. */
export abstract class RoomChangeCommand extends CountroomCommand {
  static override baseFlags = chatFlags
  static override writes = true
  static override exits = ['permission', 'not-found', 'conflict', 'temporary'] as const
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      room: Type.Union([roomSchema(shapes), Type.Null()], { description: 'Null in a dry run.' }),
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  /** Makes the call, or shows it in a dry run, and prints the new state. */
  protected async change<Name extends RoomCall>(name: Name, roomId: string, input: RoomInput<Name>, told: string) {
    const agent = await this.services.agent()
    if (this.isDryRun) {
      const contracts = await import('../../../services/chat/api/contract.ts')
      const request = plannedCall(contracts.agent, name, input)
      this.log(plannedText(request))
      this.footnote('Nothing was sent.')
      return { room: null, dryRun: true, request }
    }
    // The method of that name takes that input; TypeScript cannot relate the two.
    const call = agent[name] as (input: RoomInput<Name>) => Promise<unknown>
    await call(input)
    const room: Room = await agent.room({ params: { roomId } })
    this.log(told)
    return { room, dryRun: false, request: null }
  }
}
