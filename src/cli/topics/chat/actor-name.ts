import { isProblem } from '../../../kit/problem.ts'
import type { CommandContext } from '../../context/context.ts'

/** Returns the author: the given name, else that of the profile's agent, so that people see a name. */
export async function actorName({ services }: CommandContext, name: string | undefined): Promise<string | undefined> {
  if (name !== undefined) return name
  const tickets = await services.tickets()
  // If the agent API cannot be reached, the author stays empty instead of failing the command.
  const me = await tickets.me().catch((error: unknown) => {
    if (isProblem(error)) return undefined
    throw error
  })
  return me?.displayName
}
