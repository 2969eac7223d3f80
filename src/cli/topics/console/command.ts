import { Problem } from '../../../kit/problem.ts'
import type { World } from '../../../world/world.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { bannerOf } from '../../framework/profile-banner.ts'

/**
 * Base class of commands that act as the platform's staff or the outside world. They open the world itself. They work
 * next to a running `serve` on the same database, and take effect there at once.
 */
export abstract class WorldCommand extends CountroomCommand {
  #world: Promise<World> | undefined

  /** The world of the local profile. Opened by the first call; closed when the command ends. */
  protected world(): Promise<World> {
    this.#world ??= this.#open()
    return this.#world
  }

  async #open(): Promise<World> {
    const { name, profile } = this.profile
    if (profile.kind !== 'local')
      throw new Problem(
        'INVALID_USAGE',
        `This command needs a local world, but profile "${name}" is remote. For the world of this machine, pass --profile local`,
        { profile: name },
      )
    const { openLocalWorld, closeWorld } = await import('../../../world/clients/casino.ts')
    const isRehearsal = this.isDryRun
    if (isRehearsal) this.note('Dry run: everything is validated, nothing is changed.')
    else if (this.isWriting) this.note(bannerOf(this.profile))
    const world = await openLocalWorld(profile, this.settings, { isRehearsal })
    this.closeLater(() => (isRehearsal ? world.close() : closeWorld(world)))
    const { args } = await this.parse(this.ctor)
    if (typeof args['code'] === 'string') await logInto(world, args['code'])
    return world
  }

  /** Returns a new key or secret for display. In a dry run it is hidden, because it will never be valid. */
  protected onceTold(secret: string): string {
    return this.isDryRun ? '***' : secret
  }

  /** Returns the tenant: the named one, else that of the profile. */
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

/** A command about a tenant counts as a Console login: paused tables of a demo tenant come back. */
async function logInto({ casino }: World, code: string): Promise<void> {
  const { logIntoConsole } = await import('../../../services/casino/account/demo-idle.ts')
  await logIntoConsole(casino, code)
}
