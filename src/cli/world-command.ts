import { Problem } from '../kit/problem.ts'
import type { World } from '../world/world.ts'
import { bannerOf, CountroomCommand } from './command.ts'

/**
 * What the commands stand on that only the platform's own staff has, or that make the pretended outside world move:
 * they open the world itself. It works beside a running `serve` on the same database, and takes effect there at once.
 */
export abstract class WorldCommand extends CountroomCommand {
  #world: Promise<World> | undefined

  /** The world of the local profile. Opened at the first call; settled and closed when the command ends. */
  protected world(): Promise<World> {
    this.#world ??= this.#open()
    return this.#world
  }

  async #open(): Promise<World> {
    const { name, profile } = this.profile
    if (profile.kind !== 'local')
      throw new Problem('INVALID_USAGE', `This works on a local world, and the profile "${name}" is a remote one`, {
        profile: name,
      })
    const { openLocalWorld, closeWorld } = await import('../world/clients.ts')
    const isRehearsal = this.isDryRun
    if (isRehearsal) this.note('Dry run: everything is checked, nothing is changed.')
    else if (this.isWriting) this.note(bannerOf(this.profile))
    const world = await openLocalWorld(profile, this.settings, { isRehearsal })
    this.closeLater(() => (isRehearsal ? world.close() : closeWorld(world)))
    return world
  }

  /** A key or secret as it is told, this once. One of a dry run was never anybody's and would be taken for a real one. */
  protected onceTold(secret: string): string {
    return this.isDryRun ? '***' : secret
  }

  /** The tenant the command is about: the one named, or the profile's. */
  protected async tenantCode(named: string | undefined): Promise<string> {
    if (named !== undefined) return named.toUpperCase()
    const { profile } = this.profile
    const { tenantIn } = await import('../world/clients.ts')
    const world = await this.world()
    const { code } = await tenantIn(world, profile.kind === 'local' ? profile : { kind: 'local', db: '' })
    return profile.kind === 'local' && profile.environment === 'sandbox' ? `${code}-SBX` : code
  }
}
