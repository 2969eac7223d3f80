import { Problem } from '../../../kit/problem.ts'
import type { World } from '../../../world/world.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { bannerOf } from '../../framework/profile-banner.ts'

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
      throw new Problem(
        'INVALID_USAGE',
        `This works on a local world, and the profile "${name}" is a remote one; --profile local names the one of this machine`,
        { profile: name },
      )
    const { openLocalWorld, closeWorld } = await import('../../../world/clients/casino.ts')
    const isRehearsal = this.isDryRun
    if (isRehearsal) this.note('Dry run: everything is checked, nothing is changed.')
    else if (this.isWriting) this.note(bannerOf(this.profile))
    const world = await openLocalWorld(profile, this.settings, { isRehearsal })
    this.closeLater(() => (isRehearsal ? world.close() : closeWorld(world)))
    const { args } = await this.parse(this.ctor)
    if (typeof args['code'] === 'string') await logInto(world, args['code'])
    return world
  }

  /** A key or secret as it is told, this once. One of a dry run was never anybody's and would be taken for a real one. */
  protected onceTold(secret: string): string {
    return this.isDryRun ? '***' : secret
  }

  /** The tenant the command is about: the one named, or the profile's. */
  protected async tenantCode(named: string | undefined): Promise<string> {
    const world = await this.world()
    const code = named?.toUpperCase() ?? (await this.#ownTenant(world))
    await logInto(world, code)
    return code
  }

  async #ownTenant(world: World): Promise<string> {
    const { profile } = this.profile
    const { tenantIn } = await import('../../../world/clients/casino.ts')
    const { code } = await tenantIn(world, profile.kind === 'local' ? profile : { kind: 'local', db: '' })
    return profile.kind === 'local' && profile.environment === 'sandbox' ? `${code}-SBX` : code
  }
}

/** Whoever runs such a command about a tenant is in that tenant's Console: a demo tenant's tables that paused come back. */
async function logInto({ casino }: World, code: string): Promise<void> {
  const { logIntoConsole } = await import('../../../services/casino/account/demo-idle.ts')
  await logIntoConsole(casino, code)
}
