import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { changedRoundSchema, roundArg } from '../../src/cli/topics/sim/round-fields.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class SimCorrect extends CountroomCommand {
  static override summary = 'Correct the result of a dealt round and settle it again'
  static override description = [
    'Works like a correction by the source: every slip gets a new revision, balances follow, and the tenants get round.corrected. Write the cards in the notation of the game ("rounds show" shows the current ones); for Hold\'em only public cards can change. A source without cards reports a code instead.',
    'If a correction is not allowed (more than 24 hours after the first settlement, or if a balance would become negative), the original result stays and the round becomes disputed. A round that is already void or disputed is not changed (exit 6).',
  ].join('\n\n')
  static override examples = [
    'countroom sim correct 01J9ZK8S5T3V6W7X8Y9ZABCDEF --card-info 5H4S3C5D----',
    'countroom sim correct 01J9ZK8S5T3V6W7X8Y9ZABCDEF --card-info "AH 7C 2D 9S 4H||QH 4D" --dry-run',
    {
      command: 'countroom sim correct 01J9ZK8S5T3V6W7X8Y9ZABCDEF --code 4',
      description: 'Correct a source without cards',
    },
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = roundArg
  static override flags = {
    ...dryRunFlag,
    'card-info': Flags.string({ summary: 'All cards of the round, in the notation of its game', helpValue: 'CARDS' }),
    code: Flags.string({ summary: 'Result code of a source without cards', helpValue: 'CODE' }),
    points: Flags.string({
      summary: 'With --code: points of a hand, such as player=7 (repeatable)',
      helpValue: 'HAND=N',
      multiple: true,
    }),
    'suited-tie': Flags.boolean({ summary: 'With --code: the dragon tiger tie was suited', allowNo: true }),
    winner: Flags.string({
      summary: 'With --code: winner of a Niu Niu hand, such as P1=P (repeatable)',
      helpValue: 'HAND=P|B',
      multiple: true,
    }),
    button: Flags.integer({
      summary: "No-limit Hold'em: seat with the button, if it was another one",
      min: 1,
      max: 9,
      helpValue: 'SEAT',
    }),
  }
  static override data = changedRoundSchema

  override async run() {
    const { args, flags } = await this.parse(SimCorrect)
    const { 'card-info': cardInfo, code, button } = flags
    if ((cardInfo === undefined) === (code === undefined))
      throw new Problem('INVALID_USAGE', 'Pass the corrected result with either --card-info or --code')
    const result = {
      ...(cardInfo === undefined ? {} : { cardInfo }),
      ...(code === undefined ? {} : { code }),
      ...(flags.points ? { points: wholesOf(flags.points) } : {}),
      ...(flags['suited-tie'] === undefined ? {} : { suitedTie: flags['suited-tie'] }),
      ...(flags.winner ? { winners: winnersOf(flags.winner) } : {}),
      ...(button === undefined ? {} : { button }),
    }
    const { changeDealtRound } = await import('../../src/cli/topics/sim/change-round.ts')
    return changeDealtRound(this, args.round, { correct: result })
  }
}

/** Splits `name=value` into a pair. */
function pairOf(text: string, flag: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new Problem('INVALID_USAGE', `${flag} must have the form NAME=VALUE; received "${text}"`)
  return [name, value]
}

function wholesOf(texts: readonly string[]): Record<string, number> {
  const pairs = texts.map((text) => pairOf(text, '--points'))
  const wrong = pairs.find(([, value]) => !/^\d{1,2}$/.test(value))
  if (wrong)
    throw new Problem('INVALID_USAGE', `The points of ${wrong[0]} must be a whole number; received "${wrong[1]}"`)
  return Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)]))
}

function winnersOf(texts: readonly string[]): Record<string, 'P' | 'B'> {
  return Object.fromEntries(
    texts.map((text) => {
      const [hand, winner] = pairOf(text, '--winner')
      if (!/^P[123]$/.test(hand) || (winner !== 'P' && winner !== 'B'))
        throw new Problem('INVALID_USAGE', `"${text}" is not the winner of a hand; expected P1, P2 or P3, = and P or B`)
      return [hand, winner] as const
    }),
  )
}
