import { langFlag } from '../src/cli/arguments/language.ts'
import { CountroomCommand } from '../src/cli/framework/command.ts'
import { Args, dangerFlags, Flags } from '../src/cli/framework/flags.ts'
import { plannedSchema } from '../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../src/cli/outcome/result-schema.ts'
import { languages } from '../src/domain/players/player.ts'

export default class Launch extends CountroomCommand {
  static override summary = 'Create a one-time game link for a player'
  static override description = [
    'Anyone who opens the link is logged in as the player, so it is printed on stdout only. It works once, within 60 seconds. A new link ends the open sessions of the player and replaces an unused link, so the command asks first if the player is online.',
    'The command is not retried when the response is lost, because the first request may have succeeded. An unknown player is rejected without --create.',
  ].join('\n\n')
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
    const { launchPlayer } = await import('../src/cli/topics/players/launch-player.ts')
    return launchPlayer(this, args.user, flags)
  }
}
