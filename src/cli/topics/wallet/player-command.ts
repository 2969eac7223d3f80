import type { Player, PlayerUpdate } from '../../../services/casino/api/schemas/index.ts'
import { playerSchema, thePlayer } from '../../arguments/player.ts'
import { type Fault, parameterFault, refuseFaults, usernameFault } from '../../arguments/validate.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { Args, dangerFlags } from '../../framework/flags.ts'
import { type PlannedRequest, plannedRequest, plannedSchema, plannedText } from '../../outcome/dry-run.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import { type Change, changesBetween, changesSchema, changesText } from '../../terminal/field-changes.ts'
import { glyphsFor } from '../../terminal/glyphs.ts'

export const playerArgs = { user: Args.string({ required: true, description: 'Player username' }) }
export const playerFlags = { ...dangerFlags }

/** Result of a change to a player. */
export interface ChangedPlayer {
  readonly player: Player
  readonly changes: readonly Change[]
  readonly dryRun: boolean
  readonly request: PlannedRequest | null
}

/** Base class of commands that change a player: they read first and report the changes. */
export abstract class PlayerCommand extends CountroomCommand {
  static override writes = true
  static override exits = ['confirmation', 'permission', 'not-found', 'temporary'] as const
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      player: playerSchema(shapes),
      changes: changesSchema(shapes),
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  /** Changes the given fields, and asks first if an online player is affected. */
  protected async change(
    username: string,
    fields: Omit<PlayerUpdate, 'username'>,
    { unseen = [] }: { unseen?: readonly Change[] } = {},
  ): Promise<ChangedPlayer> {
    const { casino } = await this.services.casino()
    const before = await thePlayer(casino, this.settings.paths, username)
    const body = { username: before.username, ...fields }
    const wanted = { ...before, ...shownFields(fields) }
    const isOut = fields.status === 'locked' && before.online
    if (isOut) wanted.online = false
    if (this.isDryRun) return this.#planned(before, wanted, unseen, plannedRequest('updatePlayer', { body }))
    const order = orderOf(before, fields)
    if (order !== undefined) await this.confirmDanger(order)
    const after = await casino.updatePlayer({ body })
    return this.#changed(before, after, unseen)
  }

  /** Ends all sessions of a player. */
  protected async kick(username: string): Promise<ChangedPlayer> {
    const { casino } = await this.services.casino()
    const before = await thePlayer(casino, this.settings.paths, username)
    const body = { username: before.username }
    if (this.isDryRun)
      return this.#planned(before, { ...before, online: false }, [], plannedRequest('logout', { body }))
    if (before.online) await this.confirmDanger(`End the sessions of ${before.username}`)
    await casino.logout({ body })
    return this.#changed(before, { ...before, online: false }, [], `${before.username} has no session.`)
  }

  #planned(before: Player, wanted: Player, unseen: readonly Change[], request: PlannedRequest): ChangedPlayer {
    const changes = [...playerChanges(before, wanted), ...unseen]
    this.log(plannedText(request))
    this.footnote(`Valid; nothing was sent.${changes.length > 0 ? ' Changes:' : ' Nothing would change.'}`)
    if (changes.length > 0) this.footnote(changesText(changes, glyphsFor(process.stderr, this.settings.env)))
    return { player: before, changes, dryRun: true, request }
  }

  #changed(
    before: Player,
    after: Player,
    unseen: readonly Change[],
    same = `${after.username} is already in this state.`,
  ): ChangedPlayer {
    const changes = [...playerChanges(before, after), ...unseen]
    if (changes.length === 0) this.log(same)
    else this.log(`${after.username}\n${changesText(changes, glyphsFor(process.stdout, this.settings.env))}`)
    return { player: after, changes, dryRun: false, request: null }
  }

  /** Rejects an invalid username before any request. */
  protected check(username: string, faults: readonly (Fault | undefined)[] = []): void {
    refuseFaults([usernameFault(username), ...faults])
  }
}

const playerChanges = (before: Player, after: Player): Change[] =>
  changesBetween(before, after, ['status', 'nickname', 'online'])

function shownFields({ status, nickname }: Omit<PlayerUpdate, 'username'>): Partial<Player> {
  return {
    ...(status === undefined ? {} : { status }),
    ...(nickname === undefined ? {} : { nickname: nickname === '' ? null : nickname }),
  }
}

/** Returns the question to ask first; undefined if no player at a table is affected. */
function orderOf(player: Player, { status }: Omit<PlayerUpdate, 'username'>): string | undefined {
  if (!player.online || status === undefined || status === player.status) return undefined
  if (status === 'locked') return `Lock ${player.username}, who is online, and end the session`
  if (status === 'no_bet') return `Disable betting for ${player.username}, who is online`
  return undefined
}

/** Validates `--limit-profile`: the ID of a profile, or `default`. */
export function limitProfileFault(text: string | undefined): Fault | undefined {
  const isWrong = text !== undefined && text !== 'default' && !/^[1-9][0-9]{0,14}$/.test(text)
  return parameterFault('limitProfileId', isWrong, '--limit-profile must be a whole number above 0, or "default"')
}

/** Returns the request field; empty if the flag is absent. */
export function limitProfileOf(text: string | undefined): { limitProfileId?: number | null } {
  if (text === undefined) return {}
  return { limitProfileId: text === 'default' ? null : Number.parseInt(text, 10) }
}
