import { durationMs, momentFrom } from '../../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { faultView, faultViewSchema } from '../../../src/cli/topics/sim/fault-view.ts'
import {
  answerFaults,
  callbackFaults,
  type FaultKind,
  faultKinds,
  faultStatuses,
  faultyServices,
  isFaultKind,
} from '../../../src/domain/faults.ts'
import { Problem } from '../../../src/kit/problem.ts'

const meanings = Object.entries({ ...answerFaults, ...callbackFaults }).map(
  ([kind, { means }]) => `  ${kind.padEnd(10)}  ${means}`,
)

export default class SimFaultsAdd extends CountroomCommand {
  static override summary = 'Inject a fault: late or failed responses, lost or duplicate callbacks'
  static override description =
    `Kinds:\n${meanings.join('\n')}\n\nThe fault is active in a running serve when this command ends, for all API requests with any key. Pages, reference documents and console commands are not affected. If several faults match, the first one applies. The --for of a response is measured by the clock of this machine; that of a callback, and --until, by the clock of the world.`
  static override examples = [
    {
      command: 'countroom sim faults add cut-after --service casino --endpoint deposit --times 1',
      description: 'Carry out the next deposit and lose the response',
    },
    {
      command: 'countroom sim faults add status --status 429 --retry-after 2 --service gateway --every 3',
      description: 'Respond to every third gateway request with 429',
    },
    {
      command: 'countroom sim faults add refuse --code POOL_EXHAUSTED --service gateway --times 1',
      description: 'Reject the next payment with POOL_EXHAUSTED',
    },
    {
      command: 'countroom sim faults add late --for 3s --chance 0.1 --until 1h',
      description: 'Delay 10% of responses for an hour',
    },
    {
      command: 'countroom sim faults add lose --endpoint finished',
      description: 'Lose all callbacks about finished payments',
    },
  ]
  static override exits = ['conflict'] as const
  static override writes = true
  static override args = {
    kind: Args.string({ required: true, description: 'Kind of fault', options: [...faultKinds] }),
  }
  static override flags = {
    ...dryRunFlag,
    service: Flags.string({
      summary: 'Service to affect (default: all services)',
      options: [...faultyServices],
    }),
    endpoint: Flags.string({
      summary:
        'Requests to affect: an endpoint name ("withdraw"), a method and path ("POST /wallet/*"), or an event of callbacks',
      helpValue: 'PATTERN',
    }),
    times: Flags.integer({
      summary: 'Maximum number of times to apply in total',
      min: 1,
      max: 1_000_000,
      helpValue: 'N',
    }),
    every: Flags.integer({ summary: 'Apply to every Nth matching request', min: 1, max: 1_000_000, helpValue: 'N' }),
    chance: Flags.string({
      summary: 'Probability of applying, from 0 to 1; reproducible with "serve --seed"',
      helpValue: 'PROBABILITY',
    }),
    until: Flags.string({ summary: 'End: a time of the world, or a duration from now', helpValue: 'ISO|DURATION' }),
    for: Flags.string({ summary: 'Length of the delay', helpValue: 'DURATION' }),
    status: Flags.string({ summary: 'HTTP status of the response', options: faultStatuses.map(String) }),
    code: Flags.string({
      summary: 'Error code for "refuse"; must be a code of the endpoint',
      helpValue: 'CODE',
    }),
    'retry-after': Flags.integer({
      summary: 'Retry-After of the response, in seconds',
      min: 0,
      max: 86_400,
      helpValue: 'SECONDS',
    }),
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      fault: faultViewSchema(shapes),
      takenUp: Type.Boolean({
        description: 'False if the world is marked as served, but its process did not respond.',
      }),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(SimFaultsAdd)
    const kind = kindFrom(args.kind)
    const chance = flags.chance === undefined ? undefined : chanceFrom(flags.chance)
    const forMs = flags.for === undefined ? undefined : lengthFrom(flags.for)
    const { faults, clock } = await this.services.world()
    const fault = await faults.set({
      kind,
      service: faultyServices.find((each) => each === flags.service),
      endpoint: flags.endpoint,
      times: flags.times,
      every: flags.every,
      chance,
      until: flags.until === undefined ? undefined : await this.#until(flags.until, clock.now),
      forMs,
      code: flags.code,
      status: faultStatuses.find((each) => String(each) === flags.status),
      retryAfterSeconds: flags['retry-after'],
    })
    const takenUp = this.isDryRun || (await faults.activation(fault.id)) !== 'not served'
    if (!takenUp)
      this.warn('The process that serves this world did not confirm the fault. Check that "countroom serve" is running')
    const view = faultView(fault)
    this.fields(view, ['id', 'kind', 'service', 'endpoint', 'often', 'does'])
    return { fault: view, takenUp }
  }

  async #until(text: string, now: () => Promise<number>): Promise<number> {
    const span = durationMs(text)
    return span === undefined ? momentFrom(text) : (await now()) + span
  }
}

function kindFrom(text: string): FaultKind {
  if (isFaultKind(text)) return text
  throw new Problem('INVALID_USAGE', `KIND must be one of ${faultKinds.join(', ')}; received ${text}`)
}

function chanceFrom(text: string): number {
  if (/^(0?\.\d{1,6}|1(\.0*)?)$/.test(text)) return Number(text)
  throw new Problem('INVALID_USAGE', `--chance must be a number from 0 to 1, such as 0.25; received ${text}`)
}

function lengthFrom(text: string): number {
  const ms = durationMs(text)
  if (ms !== undefined && ms > 0) return ms
  throw new Problem('INVALID_USAGE', `--for must be a duration such as 500ms, 3s or 10m; received ${text}`)
}
