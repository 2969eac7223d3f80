import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class SimScenarioRun extends CountroomCommand {
  static override summary = "Play a scenario on the world's clock and check its outcome"
  static override description = [
    'A scenario is a list of steps: deposits, rounds, payments, chats, faults, clock changes and checks. It plays on the demo world, through the same clients and checks as other callers, with retries. Faults that it sets are removed at its end. The developer guide documents the file format.',
    'Exits with 9 if a check fails; the other steps are still played. To restore the world afterwards, save a snapshot first.',
  ].join('\n\n')
  static override examples = [
    'countroom sim scenario run normal-day',
    { command: 'countroom sim scenario run ./refunds.yaml --json', description: 'Play a scenario of your own' },
    {
      command: 'countroom sim scenario run worst-day --print > mine.yaml',
      description: 'Start from a built-in scenario',
    },
  ]
  static override exits = ['conflict', 'differences', 'not-found', 'temporary'] as const
  static override writes = true
  static override completes = { scenario: 'scenarios' }
  static override args = {
    scenario: Args.string({
      required: true,
      description: 'Name of a built-in scenario, or a YAML file (with a folder or a dot in its name)',
    }),
  }
  static override flags = {
    print: Flags.boolean({ summary: 'Print the file of the scenario, without playing it' }),
    ...dryRunFlag,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      scenario: Type.String(),
      status: Type.Enum(['passed', 'failed', 'not-run']),
      steps: Type.Array(
        Type.Object({
          line: Type.Integer({ description: 'Line in the file.' }),
          action: Type.String(),
          at: Type.String({ description: 'World time at its end.' }),
          status: Type.Enum(['done', 'passed', 'failed']),
          detail: Type.String(),
        }),
      ),
    })

  override async run() {
    const { args, flags } = await this.parse(SimScenarioRun)
    const { playScenario } = await import('../../../src/cli/topics/sim/scenarios.ts')
    return playScenario(this, args.scenario, flags)
  }
}
