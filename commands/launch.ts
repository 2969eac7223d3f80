import { langFlag } from '../src/cli/arguments/language.ts'
import { findPlayer, noPlayer } from '../src/cli/arguments/player.ts'
import { currencyFault, parameterFault, refuseFaults, usernameFault } from '../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../src/cli/framework/command.ts'
import { Args, dangerFlags, Flags } from '../src/cli/framework/flags.ts'
import { typedCommand } from '../src/cli/framework/shell-quote.ts'
import { plannedRequest, plannedSchema, plannedText } from '../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../src/cli/outcome/result-schema.ts'
import { hide } from '../src/cli/outcome/secrets-mask.ts'
import { limitProfileFault, limitProfileOf } from '../src/cli/topics/wallet/player-command.ts'
import { languages } from '../src/domain/players/player.ts'
import { isLoopback } from '../src/http/server/public-url.ts'
import { isProblem, Problem } from '../src/kit/problem.ts'
import type { LaunchOrder, Player } from '../src/services/casino/api/schemas/index.ts'
import type { Clients } from '../src/world/clients/casino.ts'

export default class Launch extends CountroomCommand {
  static override summary = 'Create a one-time game link for a player'
  static override description =
    'Anyone who opens the link is logged in as the player, so it is printed on stdout only. It works once, within 60 seconds. A new link ends the open sessions of the player and replaces an unused link, so the command asks first if the player is online. It is not retried when the response is lost, because the first request may have succeeded. An unknown player is rejected without --create.'
  static override examples = [
    'countroom launch amy',
    {
      command: 'countroom launch amy --table BAC-01 --lang ENG --open',
      description: 'Open a table in this browser',
    },
    {
      command: 'countroom launch zoe --create --currency EUR --nickname Zoe',
      description: 'Create the player too',
    },
    { command: 'countroom launch amy --dry-run', description: 'Show the request without sending it' },
  ]
  static override writes = true
  static override exits = ['confirmation', 'permission', 'not-found', 'conflict', 'temporary'] as const
  static override args = { user: Args.string({ required: true, description: 'Player username' }) }
  static override flags = {
    table: Flags.string({ summary: 'Table to open (default: the lobby)', helpValue: 'ID' }),
    lang: langFlag({ summary: `Language of the player page: ${languages.join(', ')}` }),
    device: Flags.string({ summary: 'Layout of the player page', options: ['pc', 'mobile'] }),
    variant: Flags.string({ summary: 'Preferred baccarat variant', options: ['classic', 'nocomm'] }),
    'lobby-url': Flags.string({ summary: 'URL of the back link', helpValue: 'URL' }),
    'limit-profile': Flags.string({ summary: 'Bet limit profile to assign to the player', helpValue: 'ID|default' }),
    create: Flags.boolean({ summary: 'Create the player if the name does not exist' }),
    currency: Flags.string({ summary: 'Currency of the new player', dependsOn: ['create'], helpValue: 'CUR' }),
    nickname: Flags.string({ summary: 'Nickname of the new player', dependsOn: ['create'] }),
    open: Flags.boolean({ summary: 'Open the link in the browser' }),
    ...dangerFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const orNull = <T extends import('typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])
    return Type.Object({
      username: Type.String(),
      url: orNull(Type.String({ description: 'Secret link: logs in as the player. Null in a dry run.' })),
      expiresIn: orNull(Type.Integer({ description: 'Seconds' })),
      table: orNull(Type.String()),
      created: Type.Boolean({ description: 'True if the player did not exist before.' }),
      opened: Type.Boolean({ description: 'True if the link was passed to the browser.' }),
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(Launch)
    refuseFaults([
      usernameFault(args.user),
      flags.currency === undefined ? undefined : currencyFault(flags.currency),
      parameterFault('table', flags.table === '', '--table must not be empty'),
      parameterFault(
        'lobbyUrl',
        flags['lobby-url'] !== undefined && !/^https?:\/\//.test(flags['lobby-url']),
        '--lobby-url must start with http:// or https://',
      ),
      parameterFault('nickname', (flags.nickname ?? '').length > 100, '--nickname must have at most 100 characters'),
      limitProfileFault(flags['limit-profile']),
    ])
    const order: LaunchOrder = {
      username: args.user,
      ...(flags.nickname === undefined ? {} : { nickname: flags.nickname }),
      ...(flags.currency === undefined ? {} : { currency: flags.currency.toUpperCase() }),
      ...(flags.lang === undefined ? {} : { lang: flags.lang }),
      ...(flags.device === undefined ? {} : { device: flags.device }),
      ...(flags.table === undefined ? {} : { table: flags.table }),
      ...(flags.variant === undefined ? {} : { variant: flags.variant as 'classic' | 'nocomm' }),
      ...(flags['lobby-url'] === undefined ? {} : { lobbyUrl: flags['lobby-url'] }),
      ...limitProfileOf(flags['limit-profile']),
    }
    const clients = await this.services.casino()
    const { casino, casinoOnce } = clients
    const player = await findPlayer(casino, this.settings.paths, args.user)
    this.#judge(player, args.user, flags.create === true)
    const shared = {
      username: player?.username ?? args.user,
      table: flags.table ?? null,
      created: player === undefined,
    }
    if (this.isDryRun) {
      const request = plannedRequest('launch', { body: order })
      this.log(plannedText(request))
      this.note(
        `Valid; nothing was sent.${player?.online ? ` ${player.username} is online; a launch ends the session.` : ''}`,
      )
      return { ...shared, url: null, expiresIn: null, opened: false, dryRun: true, request }
    }
    if (player?.online) await this.confirmDanger(`Launch ${player.username}, who is online, and end the session`)
    const { url, expiresIn } = await casinoOnce.launch({ body: order }).catch((error) => {
      throw lostLaunch(error, args.user)
    })
    // The link grants access as the player, so it is written to stdout only.
    hide([url, new URL(url).search])
    this.log(url)
    this.footnote(
      `Works once, within ${expiresIn} seconds.${player === undefined ? ` ${args.user} is a new player.` : ''}`,
    )
    await this.#warnIfUnserved(clients)
    const opened = flags.open ? await this.#open(url) : false
    return { ...shared, url, expiresIn, opened, dryRun: false, request: null }
  }

  /** Rejects launches that the platform would reject. Without it, a launch with a mistyped name would create a player. */
  #judge(player: Player | undefined, username: string, create: boolean): void {
    if (player === undefined) {
      if (create) return
      throw noPlayer(this.settings.paths, username, 'To create the player, add --create')
    }
    if (player.status === 'locked')
      throw new Problem(
        'PLAYER_LOCKED',
        `${player.username} is locked. Unlock first: ${typedCommand('players unlock', [player.username], {})}`,
        { username: player.username },
      )
    if (player.status === 'no_bet') this.warn(`${player.username} can watch but cannot bet (no_bet)`)
  }

  /** A local world creates links even when no process serves it. Such a link would open nothing, so fail early. */
  async #warnIfUnserved({ servedAt }: Clients): Promise<void> {
    if (this.profile.profile.kind !== 'local') return
    const url = await servedAt()
    const isAnswered = url !== null && (!isLoopback(new URL(url).hostname) || (await isThere(url)))
    if (!isAnswered)
      this.warn(
        `No process serves this world${url === null ? '' : ` at ${url}`}. Run "countroom serve", then launch again`,
      )
  }

  async #open(url: string): Promise<boolean> {
    const { openInBrowser } = await import('../src/cli/terminal/open-url.ts')
    const why = await openInBrowser(url)
    if (why === undefined) this.footnote('Opened in the browser.')
    else this.warn(`Could not open the browser: ${why}`)
    return why === undefined
  }
}

/** Returns whether a server responds at a local address. */
async function isThere(url: string): Promise<boolean> {
  const { overHttp } = await import('../src/http/client/transport.ts')
  const door = overHttp(url, { connectTimeoutMs: 500, headersTimeoutMs: 1_000 })
  try {
    // Requests "/" instead of the link, because a request would use up the link.
    await door({ method: 'GET', path: '/', headers: {} })
    return true
  } catch {
    return false
  } finally {
    await door.close()
  }
}

/** Explains a lost response: the launch may have been carried out. */
function lostLaunch(error: unknown, username: string): unknown {
  if (!isProblem(error)) return error
  const { status, outcome } = error.detail
  const isLost = outcome === 'unknown' || (typeof status === 'number' && status >= 500)
  if (!isLost) return error
  return new Problem(
    error.code,
    `${error.message}. The launch may have ended the sessions of ${username} and created a link; nobody received it, and it expires within 60 seconds. It is safe to launch again`,
    { ...error.detail, username },
    { cause: error },
  )
}
