import { durationMs, momentFrom } from '../../../src/cli/arguments/moments.ts'
import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { WorldCommand } from '../../../src/cli/topics/console/command.ts'
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

const meanings = Object.entries({ ...answerFaults, ...callbackFaults }).map(([kind, { means }]) => `${kind}: ${means}`)

export default class SimFaultsAdd extends WorldCommand {
  static override summary =
    'Make the world misbehave on purpose: answers that come late, half or never, callbacks lost or doubled'
  static override description =
    `What can be done wrong, by the service or by a callback — ${meanings.join('; ')}. It holds in a running serve when this command ends, for every request of its APIs, with any key; pages, the references and what the console does are let be. Where several are set, the first that fits befalls. An answer's --for is by this machine's clock, since its caller waits there; a callback's, and --until, by the world's.`
  static override examples = [
    {
      command: 'countroom sim faults add cut-after --service casino --endpoint deposit --times 1',
      description: 'The next deposit happens, and its answer is lost',
    },
    {
      command: 'countroom sim faults add status --status 429 --retry-after 2 --service gateway --every 3',
      description: 'Each third request to the gateway is too many',
    },
    {
      command: 'countroom sim faults add refuse --code POOL_EXHAUSTED --service gateway --times 1',
      description: 'The next payment gets no deposit address',
    },
    { command: 'countroom sim faults add late --for 3s --chance 0.1 --until 1h', description: 'A bad hour' },
    {
      command: 'countroom sim faults add lose --endpoint finished',
      description: 'No callback tells of a finished payment',
    },
  ]
  static override exits = ['conflict'] as const
  static override writes = true
  static override args = {
    kind: Args.string({ required: true, description: 'What is done wrong', options: [...faultKinds] }),
  }
  static override flags = {
    ...dryRunFlag,
    service: Flags.string({
      summary: 'Of which service; of all that answer unless said',
      options: [...faultyServices],
    }),
    endpoint: Flags.string({
      summary:
        'Only there: an endpoint\'s name as "withdraw", a method and path as "POST /wallet/*", a callback\'s event',
      helpValue: 'PATTERN',
    }),
    times: Flags.integer({ summary: 'How often in all', min: 1, max: 1_000_000, helpValue: 'N' }),
    every: Flags.integer({ summary: 'Only each so-manieth', min: 1, max: 1_000_000, helpValue: 'K' }),
    chance: Flags.string({ summary: 'Only with this chance, from 0 to 1; it repeats with the seed', helpValue: '0.1' }),
    until: Flags.string({ summary: "Until this moment of the world's clock, or for so long", helpValue: 'ISO|1h' }),
    for: Flags.string({ summary: 'How late, how slow, or held back for how long', helpValue: 'DURATION' }),
    status: Flags.string({ summary: 'The status to answer with', options: faultStatuses.map(String) }),
    code: Flags.string({
      summary: 'Error code for "refuse"; must be one that the endpoint can answer',
      helpValue: 'CODE',
    }),
    'retry-after': Flags.integer({
      summary: 'The Retry-After of that answer, in seconds',
      min: 0,
      max: 86_400,
      helpValue: 'S',
    }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      fault: await faultViewSchema(),
      takenUp: Type.Boolean({
        description: 'False where a world is said to be served, and its process did not answer',
      }),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(SimFaultsAdd)
    const kind = kindFrom(args.kind)
    const chance = flags.chance === undefined ? undefined : chanceFrom(flags.chance)
    const forMs = flags.for === undefined ? undefined : lengthFrom(flags.for)
    const { faults, clock } = await this.world()
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
    const takenUp = this.isDryRun || (await faults.takenUp(fault.id)) !== 'not served'
    if (!takenUp)
      this.warn('The process that is said to serve this world did not take the fault up: is it still there?')
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
  throw new Problem('INVALID_USAGE', `Expected one of ${faultKinds.join(', ')}, not ${text}`)
}

function chanceFrom(text: string): number {
  if (/^(0?\.\d{1,6}|1(\.0*)?)$/.test(text)) return Number(text)
  throw new Problem('INVALID_USAGE', `--chance is a number from 0 to 1 such as 0.25, not ${text}`)
}

function lengthFrom(text: string): number {
  const ms = durationMs(text)
  if (ms !== undefined && ms > 0) return ms
  throw new Problem('INVALID_USAGE', `--for is a duration such as 500ms, 3s or 10m, not ${text}`)
}
