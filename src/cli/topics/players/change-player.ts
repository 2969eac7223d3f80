import { usernameFault } from '../../../domain/wallet/transfer-faults.ts'
import type { Player, PlayerUpdate } from '../../../services/casino/api/schemas/index.ts'
import { thePlayer } from '../../arguments/player.ts'
import { refuseFaults } from '../../arguments/validate.ts'
import type { CommandContext } from '../../context/context.ts'
import { type PlannedRequest, plannedRequest, plannedText } from '../../outcome/dry-run.ts'
import { type Change, changesBetween, changesText } from '../../terminal/field-changes.ts'
import { glyphsFor } from '../../terminal/glyphs.ts'

/** Changes of a player, which are reported as a comparison with the state before. */

/** Result of a change to a player. */
export interface ChangedPlayer {
  readonly player: Player
  readonly changes: readonly Change[]
  readonly dryRun: boolean
  readonly request: PlannedRequest | null
}

/** Changes the given fields, and asks first if an online player is affected. `unseen` are changes of fields that the API does not return. */
export async function changePlayer(
  context: CommandContext,
  username: string,
  fields: Omit<PlayerUpdate, 'username'>,
  unseen: readonly Change[] = [],
): Promise<ChangedPlayer> {
  refuseFaults([usernameFault(username)])
  const { casino } = await context.services.casino()
  const before = await thePlayer(casino, context.settings.paths, username)
  const body = { username: before.username, ...fields }
  const target = { ...before, ...shownFields(fields) }
  const isOut = fields.status === 'locked' && before.online
  if (isOut) target.online = false
  const planned = [...playerChanges(before, target), ...unseen]
  if (context.isDryRun) return showPlanned(context, before, planned, plannedRequest('updatePlayer', { body }))
  const question = questionBefore(before, fields)
  if (question !== undefined) await context.confirmDanger(question)
  else if (planned.length > 0)
    await context.confirmEdit(`Change the ${planned.map(({ field }) => field).join(' and the ')} of ${before.username}`)
  const after = await casino.updatePlayer({ body })
  const changes = [...playerChanges(before, after), ...unseen]
  return showChanged(context, after, changes, `${after.username} is already in this state.`)
}

/** Ends all sessions of a player. */
export async function kickPlayer(context: CommandContext, username: string): Promise<ChangedPlayer> {
  refuseFaults([usernameFault(username)])
  const { casino } = await context.services.casino()
  const before = await thePlayer(casino, context.settings.paths, username)
  const body = { username: before.username }
  const after = { ...before, online: false }
  const changes = playerChanges(before, after)
  if (context.isDryRun) return showPlanned(context, before, changes, plannedRequest('logout', { body }))
  if (before.online) await context.confirmDanger(`End the sessions of ${before.username}`)
  await casino.logout({ body })
  return showChanged(context, after, changes, `${before.username} has no session.`)
}

function showPlanned(
  context: CommandContext,
  player: Player,
  changes: readonly Change[],
  request: PlannedRequest,
): ChangedPlayer {
  context.log(plannedText(request))
  context.footnote(`Valid; nothing was sent.${changes.length > 0 ? ' Changes:' : ' Nothing would change.'}`)
  if (changes.length > 0) context.footnote(changesText(changes, glyphsFor(process.stderr, context.settings.env)))
  return { player, changes, dryRun: true, request }
}

function showChanged(
  context: CommandContext,
  player: Player,
  changes: readonly Change[],
  unchanged: string,
): ChangedPlayer {
  if (changes.length === 0) context.log(unchanged)
  else context.log(`${player.username}\n${changesText(changes, glyphsFor(process.stdout, context.settings.env))}`)
  return { player, changes, dryRun: false, request: null }
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
function questionBefore(player: Player, { status }: Omit<PlayerUpdate, 'username'>): string | undefined {
  if (!player.online || status === undefined || status === player.status) return undefined
  if (status === 'locked') return `Lock ${player.username}, who is online, and end the session`
  if (status === 'no_bet') return `Disable betting for ${player.username}, who is online`
  return undefined
}
