import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class ServeExec extends CountroomCommand {
  static override summary = 'Run a command, such as your tests, against a fresh world, then check the world'
  static override description = [
    'Starts the demo world in memory on a free port, runs COMMAND with COUNTROOM_BASE_URL and COUNTROOM_READY_FILE, and checks the world when it ends: every balance equals the sum of its movements, every gateway posting sums to zero, no transfer ID was applied twice, and every delivery is acknowledged or still due.',
    'Commands of countroom that COMMAND runs use a private configuration. The profile "world" is the world itself, so that "sim" and "console" commands change it; "world-live" and "world-sandbox" reach it over HTTP.',
    'Exits with the code of COMMAND if that is not 0, else with 9 if a check fails. stdin and stdout belong to COMMAND; the checks are printed on stderr. With --json, stdout carries the JSON object only, and the stdout of COMMAND goes to stderr.',
  ].join('\n\n')
  static override examples = [
    { command: 'countroom serve exec -- npm test', description: 'Run your tests against a world' },
    {
      command: 'countroom serve exec --seed 7 --clock 2026-03-01T00:00:00Z -- npm test',
      description: 'Run them against the same world every time',
    },
    {
      command: 'countroom serve exec --faults faults.yaml -- node checkout.test.mjs',
      description: 'Run them with injected faults',
    },
  ]
  static override exits = ['differences', 'unknown-command'] as const
  static override completes = { faults: 'files' }
  static override variables = [
    'COUNTROOM_BASE_URL: set for COMMAND, the address of the world',
    'COUNTROOM_READY_FILE: set for COMMAND, a file with addresses and keys, as of "serve --ready-file"',
  ]
  static override files = ['a private temporary folder for the ready file, profiles and the book, removed at the end']
  static override args = {
    command: Args.string({ required: true, multiple: true, description: 'Command and its arguments, after --' }),
  }
  static override flags = {
    seed: Flags.string({
      summary: 'Seed for all generated IDs, keys, deals and names (default: random)',
      helpValue: 'N',
    }),
    clock: Flags.string({ summary: 'Initial time of the world (default: now)', helpValue: 'ISO' }),
    faults: Flags.string({
      summary: 'YAML file with faults to inject, or - for stdin: a list of "kind" and flags of "sim faults add"',
      helpValue: 'FILE|-',
    }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      exitCode: Type.Integer({ description: 'Exit code of COMMAND; 128 plus the signal if it was killed.' }),
      invariants: Type.Array(
        Type.Object({
          name: Type.Enum(['balances', 'postings', 'transfers', 'deliveries']),
          status: Type.Enum(['pass', 'fail']),
          detail: Type.String(),
        }),
      ),
    })

  override async run() {
    const { args, flags } = await this.parse(ServeExec)
    const { commandOf, execWithWorld } = await import('../../src/cli/topics/serve/exec.ts')
    return execWithWorld(this, flags, commandOf(args.command))
  }
}
