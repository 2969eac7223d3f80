import { dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { RoundChangeCommand } from '../../src/cli/topics/sim/round-change.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class SimCorrect extends RoundChangeCommand {
  static override summary = 'Correct the result of a round that was dealt before: it is settled again'
  static override description =
    'As when the source corrects what it reported. Every slip gets a new revision, changed or not, the balances follow, and the tenants are told (round.corrected). The cards are written as the game writes them: "rounds show" tells how they read now; of Hold\'em only the public ones can be other than they were. A source without cards reports a code instead. Outside of the guardrails (later than 24 hours after the first settlement, after a void or a dispute, or where a balance would fall below zero) the original stands and the round is disputed.'
  static override examples = [
    'countroom sim correct 01J9ZK8S5T3V6W7X8Y9ZABCDEF --card-info 5H4S3C5D----',
    'countroom sim correct 01J9ZK8S5T3V6W7X8Y9ZABCDEF --card-info "AH 7C 2D 9S 4H||QH 4D" --dry-run',
    { command: 'countroom sim correct 01J9ZK8S5T3V6W7X8Y9ZABCDEF --code 4', description: 'A source without cards' },
  ]
  static override flags = {
    ...dryRunFlag,
    'card-info': Flags.string({ summary: 'All cards of the round, as its game writes them', helpValue: 'CARDS' }),
    code: Flags.string({ summary: 'The result code of a source without cards', helpValue: 'CODE' }),
    points: Flags.string({
      summary: 'With a code: the points of a hand, such as player=7',
      helpValue: 'HAND=N',
      multiple: true,
    }),
    'suited-tie': Flags.boolean({ summary: 'With a code: whether a dragon tiger tie was suited', allowNo: true }),
    winner: Flags.string({
      summary: 'With a code: who won a Niu Niu hand, such as P1=P',
      helpValue: 'HAND=P|B',
      multiple: true,
    }),
    button: Flags.integer({
      summary: 'No-limit: the seat with the button, where it was another',
      min: 1,
      max: 9,
      helpValue: 'SEAT',
    }),
  }

  override async run() {
    const { args, flags } = await this.parse(SimCorrect)
    const { 'card-info': cardInfo, code, button } = flags
    if ((cardInfo === undefined) === (code === undefined))
      throw new Problem('INVALID_USAGE', 'Name the corrected result: either --card-info or --code')
    const result = {
      ...(cardInfo === undefined ? {} : { cardInfo }),
      ...(code === undefined ? {} : { code }),
      ...(flags.points ? { points: wholesOf(flags.points) } : {}),
      ...(flags['suited-tie'] === undefined ? {} : { suitedTie: flags['suited-tie'] }),
      ...(flags.winner ? { winners: winnersOf(flags.winner) } : {}),
      ...(button === undefined ? {} : { button }),
    }
    const { casino } = await this.world()
    const { changeRound } = await import('../../src/services/casino/simulator/index.ts')
    return this.told(await changeRound(casino, args.round, { correct: result }))
  }
}

/** `name=value` as a pair. */
function pairOf(text: string, flag: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new Problem('INVALID_USAGE', `"${text}" is no ${flag}: write it as NAME=VALUE`)
  return [name, value]
}

function wholesOf(texts: readonly string[]): Record<string, number> {
  const pairs = texts.map((text) => pairOf(text, '--points'))
  const wrong = pairs.find(([, value]) => !/^\d{1,2}$/.test(value))
  if (wrong) throw new Problem('INVALID_USAGE', `The points of ${wrong[0]} are a whole number, not "${wrong[1]}"`)
  return Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)]))
}

function winnersOf(texts: readonly string[]): Record<string, 'P' | 'B'> {
  return Object.fromEntries(
    texts.map((text) => {
      const [hand, winner] = pairOf(text, '--winner')
      if (!/^P[123]$/.test(hand) || (winner !== 'P' && winner !== 'B'))
        throw new Problem('INVALID_USAGE', `"${text}" is no winner of a hand: P1, P2 or P3, and P or B`)
      return [hand, winner] as const
    }),
  )
}
