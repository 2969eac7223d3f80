import { parameterFault, refuseFaults } from '../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { glyphsFor } from '../../src/cli/terminal/glyphs.ts'
import { printable } from '../../src/cli/terminal/text.ts'
import type { GameName } from '../../src/domain/games/game.ts'
import { minuteText } from '../../src/kit/moment.ts'
import type { Round } from '../../src/services/casino/api/schemas/index.ts'

const gameTitles: Readonly<Record<GameName, string>> = {
  baccarat: 'Baccarat',
  dragontiger: 'Dragon tiger',
  holdem: "Texas Hold'em",
  niuniu: 'Niu Niu',
}

export default class RoundsShow extends CountroomCommand {
  static override summary = 'Show the cards and the result of a round'
  static override description =
    'A round can be read once it is settled. Cards are drawn with suits if the terminal supports it, else written as in the API: rank and suit, T for ten.'
  static override examples = [
    'countroom rounds show 01JQ7Z6Y3V8T2M9K4H5N0B1C2D',
    'countroom rounds show 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --json',
  ]
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = { round: Args.string({ required: true, description: 'Round ID' }) }
  static override data = ({ Type, casino }: Shapes) =>
    Type.Object({
      ...casino.Round.properties,
      game: Type.Union([Type.String(), Type.Null()], { description: 'Null if the round does not show its game.' }),
      explained: Type.Array(Type.String(), { description: 'Result in sentences.' }),
    })

  override async run() {
    const { args } = await this.parse(RoundsShow)
    // The API accepts upper case only; a ULID is the same in lower case.
    const roundId = args.round.toUpperCase()
    const isWrong = !/^[0-9A-Z]{26}$/.test(roundId)
    refuseFaults([parameterFault('roundId', isWrong, `A round ID has 26 letters and digits; received ${args.round}`)])
    const { casino } = await this.services.casino()
    const [round, { gameOf, roundStory, roundText }] = await Promise.all([
      casino.round({ params: { roundId } }),
      import('../../src/cli/topics/sim/round-view.ts'),
    ])
    const story = roundStory(round, gameOf(round) ?? (await this.#gameAt(round.tableId)))
    this.#tell(round, story.game)
    this.log(roundText(story, glyphsFor(process.stdout, this.settings.env), this.screen.paintOut))
    return { ...round, game: story.game, explained: [...story.sentences] }
  }

  /** Returns the game of a table, for rounds without cards. Undefined if the table no longer exists. */
  async #gameAt(tableId: string): Promise<GameName | null> {
    const { casino } = await this.services.casino()
    const { tables } = await casino.tables({})
    return tables.find((table) => table.tableId === tableId)?.game ?? null
  }

  #tell(round: Round, game: GameName | null): void {
    const { paintOut: paint } = this.screen
    const color = { settled: 'green', void: 'yellow', disputed: 'red' } as const
    const title = `${game === null ? 'Round' : gameTitles[game]} at ${round.tableId}`
    const where = round.shoe === '' ? `hand ${round.round}` : `shoe ${round.shoe}, round ${round.round}`
    this.log(`${paint('bold', printable(title))}, ${printable(where)}  ${paint(color[round.status], round.status)}`)
    this.log(
      [
        round.roundId,
        `revision ${round.rev}`,
        ...(round.code === null ? [] : [`code ${printable(round.code)}`]),
        ...(round.settledAt === null ? [] : [`settled ${minuteText(round.settledAt)}`]),
      ].join('  '),
    )
    this.log()
  }
}
