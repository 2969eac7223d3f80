import type { Input } from '../../../http/contract/contract.ts'
import { agent as agentContract } from '../../../services/chat/api/contract.ts'
import type { CommandContext } from '../../context/context.ts'
import { plannedText } from '../../outcome/dry-run.ts'
import { plannedCall } from '../chat/planned-call.ts'

type RoomCall = 'assign' | 'close' | 'reopen' | 'read' | 'unread'
type RoomInput<Name extends RoomCall> = Input<(typeof agentContract)['endpoints'][Name]>

/** A change of the state of a room. */
export interface RoomChange<Name extends RoomCall> {
  readonly name: Name
  readonly input: RoomInput<Name>
  /** Message for people when it is done. */
  readonly message: string
}

/** Makes the call, or shows it in a dry run, and prints the new state. */
export async function changeRoom<Name extends RoomCall>(
  context: CommandContext,
  roomId: string,
  { name, input, message }: RoomChange<Name>,
) {
  const agent = await context.services.agent()
  if (context.isDryRun) {
    const request = plannedCall(agentContract, name, input)
    context.log(plannedText(request))
    context.footnote('Nothing was sent.')
    return { room: null, dryRun: true, request }
  }
  // The method of that name takes that input; TypeScript cannot relate the two.
  const call = agent[name] as (input: RoomInput<Name>) => Promise<unknown>
  await call(input)
  const room = await agent.room({ params: { roomId } })
  context.log(message)
  return { room, dryRun: false, request: null }
}
