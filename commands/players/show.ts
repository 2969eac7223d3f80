import { playerSchema, thePlayer } from '../../src/cli/arguments/player.ts'
import { refuseFaults } from '../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { usernameFault } from '../../src/domain/wallet/transfer-faults.ts'

const columns: readonly (Column | string)[] = [
  'username',
  'nickname',
  {
    key: 'status',
    show: (status) => (status === 'no_bet' ? 'no_bet (can watch, cannot bet)' : String(status)),
    tint: (status) => (status === 'active' ? 'green' : status === 'locked' ? 'red' : 'yellow'),
  },
  'balance',
  'currency',
  { key: 'online', show: (online) => (online ? 'yes' : 'no'), tint: (online) => (online ? 'green' : undefined) },
  'createdAt',
  { key: 'lastLoginAt', show: (at) => (at === null ? 'never' : String(at)) },
]

export default class PlayersShow extends CountroomCommand {
  static override summary = 'Show the status, balance and session of a player'
  static override examples = ['countroom players show amy', 'countroom players show amy --json']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = { user: Args.string({ required: true, description: 'Player username' }) }
  static override data = playerSchema

  override async run() {
    const { args } = await this.parse(PlayersShow)
    refuseFaults([usernameFault(args.user)])
    const { casino } = await this.services.casino()
    const player = await thePlayer(casino, this.settings.paths, args.user)
    this.fields(player, columns)
    return player
  }
}
