import { currencyFault, usernameFault } from '../../../domain/wallet/transfer-faults.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import type { LaunchInput, Player } from '../../../services/casino/api/schemas/index.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import { isServed } from '../../../world/clients/is-served.ts'
import { limitProfileFault, limitProfileOf } from '../../arguments/limit-profile.ts'
import { findPlayer, noPlayer } from '../../arguments/player.ts'
import { parameterFault, refuseFaults } from '../../arguments/validate.ts'
import type { CommandContext } from '../../context/context.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import { plannedRequest, plannedText } from '../../outcome/dry-run.ts'
import { hide } from '../../outcome/secrets-mask.ts'
import { openInBrowser } from '../../terminal/open-url.ts'

/** Parsed flags of `launch`. */
interface LaunchFlags {
  readonly table?: string | undefined
  readonly lang?: string | undefined
  readonly device?: string | undefined
  readonly variant?: string | undefined
  readonly 'lobby-url'?: string | undefined
  readonly 'limit-profile'?: string | undefined
  readonly create?: boolean
  readonly currency?: string | undefined
  readonly nickname?: string | undefined
  readonly open?: boolean
}

/** Creates a game link for a player, prints it, and opens it if `--open` is given. */
export async function launchPlayer(context: CommandContext, username: string, flags: LaunchFlags) {
  const input = launchInput(username, flags)
  const clients = await context.services.casino()
  const { casino, casinoOnce } = clients
  const player = await findPlayer(casino, context.settings.paths, username)
  refuseLaunch(context, player, username, flags.create === true)
  const shared = {
    username: player?.username ?? username,
    table: flags.table ?? null,
    created: player === undefined,
  }
  if (context.isDryRun) {
    const request = plannedRequest('launch', { body: input })
    context.log(plannedText(request))
    context.note(
      `Valid; nothing was sent.${player?.online ? ` ${player.username} is online; a launch ends the session.` : ''}`,
    )
    return { ...shared, url: null, expiresIn: null, opened: false, dryRun: true, request }
  }
  if (player?.online) await context.confirmDanger(`Launch ${player.username}, who is online, and end the session`)
  const { url, expiresIn } = await casinoOnce.launch({ body: input }).catch((error) => {
    throw lostLaunch(error, username)
  })
  // The link grants access as the player, so it is written to stdout only.
  hide([url, new URL(url).search])
  context.log(url)
  context.footnote(
    `Works once, within ${expiresIn} seconds.${player === undefined ? ` ${username} is a new player.` : ''}`,
  )
  await warnIfUnserved(context, clients)
  const opened = flags.open ? await openLink(context, url) : false
  return { ...shared, url, expiresIn, opened, dryRun: false, request: null }
}

/** Returns the request of a launch. Throws one problem for all invalid values. */
function launchInput(username: string, flags: LaunchFlags): LaunchInput {
  refuseFaults([
    usernameFault(username),
    flags.currency === undefined ? undefined : currencyFault(flags.currency),
    parameterFault('table', flags.table === '', '--table must not be empty'),
    parameterFault(
      'lobbyUrl',
      flags['lobby-url'] !== undefined && !/^https?:\/\//.test(flags['lobby-url']),
      '--lobby-url must start with http:// or https://',
    ),
    limitProfileFault(flags['limit-profile']),
  ])
  return {
    username,
    ...(flags.nickname === undefined ? {} : { nickname: flags.nickname }),
    ...(flags.currency === undefined ? {} : { currency: flags.currency.toUpperCase() }),
    ...(flags.lang === undefined ? {} : { lang: flags.lang }),
    ...(flags.device === undefined ? {} : { device: flags.device }),
    ...(flags.table === undefined ? {} : { table: flags.table }),
    // The parser accepts only these values.
    ...(flags.variant === undefined ? {} : { variant: flags.variant as 'classic' | 'nocomm' }),
    ...(flags['lobby-url'] === undefined ? {} : { lobbyUrl: flags['lobby-url'] }),
    ...limitProfileOf(flags['limit-profile']),
  }
}

/** Rejects launches that the platform would reject. Without it, a launch with a mistyped name would create a player. */
function refuseLaunch(context: CommandContext, player: Player | undefined, username: string, create: boolean): void {
  if (player === undefined) {
    if (create) return
    throw noPlayer(context.settings.paths, username, 'To create the player, add --create')
  }
  if (player.status === 'locked')
    throw new Problem(
      'PLAYER_LOCKED',
      `${player.username} is locked. Unlock first: ${typedCommand('players unlock', [player.username], {})}`,
      { username: player.username },
    )
  if (player.status === 'no_bet') context.warn(`${player.username} can watch but cannot bet (no_bet)`)
}

/** A local world creates links even when no process serves it. Such a link would open nothing, so a warning is printed. */
async function warnIfUnserved(context: CommandContext, { servedAt }: Clients): Promise<void> {
  if (context.profile.profile.kind !== 'local') return
  const url = await servedAt()
  const isAnswered = url !== null && (await isServed(url))
  if (!isAnswered)
    context.warn(
      `No process serves this world${url === null ? '' : ` at ${url}`}. Run "countroom serve", then launch again`,
    )
}

async function openLink(context: CommandContext, url: string): Promise<boolean> {
  const failure = await openInBrowser(url)
  if (failure === undefined) context.footnote('Opened in the browser.')
  else context.warn(`Could not open the browser: ${failure}`)
  return failure === undefined
}

/** Explains a lost response: the launch may have been carried out. */
function lostLaunch(error: unknown, username: string): unknown {
  if (!isProblem(error)) return error
  const { status, outcome } = error.detail
  const isLost = outcome === 'unknown' || (typeof status === 'number' && status >= 500)
  if (!isLost) return error
  return new Problem(
    error.code,
    `${error.message}. The launch may have ended the sessions of ${username} and created a link; it was not received, and expires within 60 seconds. It is safe to launch again`,
    { ...error.detail, username },
    { cause: error },
  )
}
