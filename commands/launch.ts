import { langFlag } from '../src/cli/arguments/language.ts'
import { findPlayer, noPlayer } from '../src/cli/arguments/player.ts'
import { currencyFault, parameterFault, refuseFaults, usernameFault } from '../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../src/cli/framework/command.ts'
import { Args, dangerFlags, Flags } from '../src/cli/framework/flags.ts'
import { plannedRequest, plannedSchema, plannedText } from '../src/cli/outcome/dry-run.ts'
import { hide } from '../src/cli/outcome/secrets-mask.ts'
import { limitProfileFault, limitProfileOf } from '../src/cli/topics/wallet/player-command.ts'
import { languages } from '../src/domain/players/player.ts'
import { isLoopback } from '../src/http/server/public-url.ts'
import { isProblem, Problem } from '../src/kit/problem.ts'
import type { LaunchOrder, Player } from '../src/services/casino/api/schemas/index.ts'
import type { Clients } from '../src/world/clients/casino.ts'

export default class Launch extends CountroomCommand {
  static override summary = 'Make a one-time link into the game for a player'
  static override description =
    'The link is printed on stdout and nowhere else: whoever opens it is the player. It works once, within 60 seconds. Making one ends the sessions the player has open and replaces a link that was not opened yet, so a player who is online is asked about first. It is never tried again after an answer was lost: the first try may have done all of that. An unknown player is refused unless --create says that a new one is meant.'
  static override examples = [
    'countroom launch amy',
    {
      command: 'countroom launch amy --table BAC-01 --lang ENG --open',
      description: 'Straight to a table, in this browser',
    },
    {
      command: 'countroom launch zoe --create --currency EUR --nickname Zoe',
      description: 'A player who is not there yet',
    },
    { command: 'countroom launch amy --dry-run', description: 'See the request, send nothing' },
  ]
  static override writes = true
  static override exits = ['confirmation', 'permission', 'not-found', 'conflict', 'temporary'] as const
  static override args = { user: Args.string({ required: true, description: 'The player' }) }
  static override flags = {
    table: Flags.string({ summary: 'Straight into this table instead of the lobby', helpValue: 'ID' }),
    lang: langFlag({ summary: `The language of the player's page: ${languages.join(', ')}` }),
    device: Flags.string({ summary: 'The layout', options: ['pc', 'mobile'] }),
    variant: Flags.string({ summary: 'The baccarat variant the player prefers', options: ['classic', 'nocomm'] }),
    'lobby-url': Flags.string({ summary: 'Where the player goes back to', helpValue: 'URL' }),
    'limit-profile': Flags.string({ summary: 'The bet-limit profile to keep for the player', helpValue: 'ID|default' }),
    create: Flags.boolean({ summary: 'Make the player if there is none of that name' }),
    currency: Flags.string({ summary: "The new player's currency", dependsOn: ['create'], helpValue: 'CUR' }),
    nickname: Flags.string({ summary: "The new player's nickname", dependsOn: ['create'] }),
    open: Flags.boolean({ summary: 'Open it in the browser of this machine' }),
    ...dangerFlags,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const orNull = <T extends import('typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])
    return Type.Object({
      username: Type.String(),
      url: orNull(
        Type.String({ description: 'A secret: it lets whoever opens it in as the player. Null in a dry run' }),
      ),
      expiresIn: orNull(Type.Integer({ description: 'Seconds' })),
      table: orNull(Type.String()),
      created: Type.Boolean({ description: 'The player did not exist before' }),
      opened: Type.Boolean({ description: 'It was handed to the browser of this machine' }),
      dryRun: Type.Boolean(),
      request: await plannedSchema(),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(Launch)
    refuseFaults([
      usernameFault(args.user),
      flags.currency === undefined ? undefined : currencyFault(flags.currency),
      parameterFault('table', flags.table === '', 'The table has no name'),
      parameterFault(
        'lobbyUrl',
        flags['lobby-url'] !== undefined && !/^https?:\/\//.test(flags['lobby-url']),
        'The lobby URL does not begin with http:// or https://',
      ),
      parameterFault('nickname', (flags.nickname ?? '').length > 100, 'The nickname is longer than 100 characters'),
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
    const clients = await this.clients()
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
        `Checked; nothing was sent.${player?.online ? ` ${player.username} is online and would be put out.` : ''}`,
      )
      return { ...shared, url: null, expiresIn: null, opened: false, dryRun: true, request }
    }
    if (player?.online) await this.confirmDanger(`Launch ${player.username}, who is online and whose session it ends`)
    const { url, expiresIn } = await casinoOnce.launch({ body: order }).catch((error) => {
      throw lostLaunch(error, args.user)
    })
    // Whoever has it is the player: it leaves by stdout alone.
    hide([url, new URL(url).search])
    this.log(url)
    this.footnote(
      `Works once, within ${expiresIn} seconds.${player === undefined ? ` ${args.user} is a new player.` : ''}`,
    )
    await this.#warnIfUnserved(clients)
    const opened = flags.open ? await this.#open(url) : false
    return { ...shared, url, expiresIn, opened, dryRun: false, request: null }
  }

  /** Refuses what would be refused, before anything is sent; a launch by a mistyped name would make a player of that name. */
  #judge(player: Player | undefined, username: string, create: boolean): void {
    if (player === undefined) {
      if (create) return
      throw noPlayer(this.settings.paths, username, ' A launch would make one: say --create if that is meant')
    }
    if (player.status === 'locked')
      throw new Problem(
        'PLAYER_LOCKED',
        `${player.username} is locked and cannot enter: countroom players unlock ${player.username} lets in again`,
        { username: player.username },
      )
    if (player.status === 'no_bet') this.warn(`${player.username} may enter and watch, but not bet (no_bet)`)
  }

  /** A local world makes links whether or not somebody serves it; one that leads nowhere is better said now. */
  async #warnIfUnserved({ servedAt }: Clients): Promise<void> {
    if (this.profile.profile.kind !== 'local') return
    const url = await servedAt()
    const isAnswered = url !== null && (!isLoopback(new URL(url).hostname) || (await isThere(url)))
    if (!isAnswered)
      this.warn(
        `Nobody serves this world${url === null ? '' : ` at ${url}`}: start "countroom serve", then launch again`,
      )
  }

  async #open(url: string): Promise<boolean> {
    const { openInBrowser } = await import('../src/cli/terminal/open-url.ts')
    const why = await openInBrowser(url)
    if (why === undefined) this.footnote('Handed to the browser.')
    else this.warn(`The browser was not opened: ${why}`)
    return why === undefined
  }
}

/** Whether something answers at an address of this machine. */
async function isThere(url: string): Promise<boolean> {
  const { overHttp } = await import('../src/http/client/transport.ts')
  const door = overHttp(url, { connectTimeoutMs: 500, headersTimeoutMs: 1_000 })
  try {
    // Not the link itself, which would be used up by looking at it.
    await door({ method: 'GET', path: '/', headers: {} })
    return true
  } catch {
    return false
  } finally {
    await door.close()
  }
}

/** A launch whose answer was lost may have been carried out; whoever repeats it has to know what that means. */
function lostLaunch(error: unknown, username: string): unknown {
  if (!isProblem(error)) return error
  const { status, outcome } = error.detail
  const isLost = outcome === 'unknown' || (typeof status === 'number' && status >= 500)
  if (!isLost) return error
  return new Problem(
    error.code,
    `${error.message}. A link may have been made and the sessions of ${username} ended; it reached nobody and lapses within 60 seconds. Launch again when that is wanted`,
    { ...error.detail, username },
    { cause: error },
  )
}
