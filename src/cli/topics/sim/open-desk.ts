import { openableUrl } from '../../../http/server/public-url.ts'
import { Problem } from '../../../kit/problem.ts'
import { type DeskClient, openDesk } from '../../../world/clients/desk.ts'
import { worldItself } from '../../../world/clock.ts'
import { proxyOf } from '../../../world/config/http-options.ts'
import type { DeskAccess } from '../../../world/config/profile-schema.ts'
import type { CommandContext } from '../../context/context.ts'

/** Opens the client of the process that serves the profile's world: only that process has its requests in memory. */
export async function openDeskOf(context: CommandContext): Promise<DeskClient> {
  const desk = openDesk(await accessOf(context), proxyOf(context.settings.env))
  context.closeLater(() => desk.close())
  return desk
}

async function accessOf(context: CommandContext): Promise<DeskAccess> {
  const { name, profile } = context.profile
  if (profile.kind === 'remote') {
    context.services.nameTarget()
    if (profile.desk) return profile.desk
    throw new Problem(
      'INVALID_USAGE',
      `Profile "${name}" is remote and has no desk section, as the ready file of "countroom serve" on this machine has. For the world of this machine, pass --profile local`,
      { profile: name },
    )
  }
  const { store } = await context.services.world()
  const { served_url: servedUrl, desk_token: token } = await store.read(worldItself)
  if (servedUrl === null)
    throw new Problem(
      'CONFLICT',
      'This world is not being served, so there are no requests. To serve it: countroom serve',
    )
  if (token === null)
    throw new Problem(
      'CONFLICT',
      'Other machines can reach this world, so it records no requests. To record them, start it with: countroom serve --record-requests',
    )
  return { baseUrl: openableUrl(servedUrl), token }
}
