import type { BookCallbackRow } from '../../../db/schema/book.ts'
import { sendAndDisconnect } from '../../../http/client/send-and-disconnect.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { digits } from '../../../kit/ids.ts'
import { Problem } from '../../../kit/problem.ts'
import { typedCommand } from '../../../kit/shell-quote.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { listCallbacks } from '../../../operator/callbacks/inbox.ts'
import { replayable } from '../../../operator/callbacks/replay.ts'
import { inWords, minRounds } from '../../../operator/callbacks/torture/sequence.ts'
import { shellOutput } from '../../../operator/callbacks/torture/shell.ts'
import { type Breakage, type Target, torture, type Verdict } from '../../../operator/callbacks/torture/torture.ts'
import { momentFrom } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { formOf, forwarderTo, forwardUrl, signingSecret } from './sources.ts'
import type { CallbackTopic } from './topics.ts'

interface TortureFlags {
  readonly to: string
  readonly probe: string
  readonly reset: string
  readonly seed?: string | undefined
  readonly rounds: number
  readonly since?: string | undefined
  readonly 'secret-file'?: string | undefined
  readonly book?: string | undefined
}

/** Maximum number of callbacks: each is sent in every round. */
const maxCallbacks = 200

/** Sends stored callbacks in ways that break handlers, and finds the shortest sequence that does. */
export async function tortureHandler(
  context: CommandContext,
  topic: CallbackTopic,
  named: readonly string[] | undefined,
  flags: TortureFlags,
) {
  const to = forwardUrl(flags.to, '--to')
  const rows = await findRows(context, topic, named, flags.since)
  const seed = flags.seed ?? digits(6, realAmbient().random)
  const rounds = flags.rounds
  if (context.isDryRun) {
    context.log(`Would send ${countText(rows.length, 'callback')} to ${to} in ${rounds} rounds`)
    return view({ context, topic, rows, flags, seed, verdict: { status: 'passed', runs: 0 } })
  }
  const target = await targetOf(context, topic, rows, { ...flags, to })
  const progress = context.progress('Rounds', rounds)
  const verdict = await torture(target, {
    ...{ callbacks: rows.length, seed, rounds, stop: context.stop },
    onRound: (round) => progress.update(round),
  })
  progress.end(verdict.status)
  const result = view({ context, topic, rows, flags, seed, verdict })
  print(context, result, verdict, rounds)
  return result
}

async function findRows(
  context: CommandContext,
  { channel, noun, words }: CallbackTopic,
  named: readonly string[] | undefined,
  since: string | undefined,
): Promise<BookCallbackRow[]> {
  const ids = named && named.length > 0 ? named : undefined
  const book = await context.services.bookIfThere()
  const from = since === undefined ? undefined : momentFrom(since)
  const rows = book ? await listCallbacks(book, { channel, ids, since: from }) : []
  const missing = ids?.find((id) => !rows.some((row) => row.id === id || row.subject === id))
  if (missing !== undefined)
    throw new Problem('NOT_FOUND', `The book has no ${noun} ${missing}. To list them: countroom ${words} list`)
  if (rows.length === 0)
    throw new Problem('CANNOT_CONCLUDE', `The book has no ${noun}s to send. To record some: countroom ${words} listen`)
  if (rows.length > maxCallbacks)
    throw new Problem(
      'INVALID_USAGE',
      `${rows.length} ${noun}s match, and at most ${maxCallbacks} can be sent: name some by ID, or use --since`,
    )
  return rows
}

async function targetOf(
  context: CommandContext,
  topic: CallbackTopic,
  rows: readonly BookCallbackRow[],
  flags: TortureFlags,
): Promise<Target> {
  const form = formOf(topic)
  // A signature with a time expires while the rounds run.
  const isDated = rows.some((row) => row.signed_at !== null)
  const secret = isDated ? await signingSecret(context, topic, flags['secret-file']) : undefined
  const forwarder = forwarderTo(context, flags.to)
  const captured = (index: number) => {
    const row = rows[index]
    if (row === undefined) throw new Error('a sequence names a callback that exists')
    return replayable(form, row, Date.now(), secret)
  }
  return {
    reset: async () => void (await shellOutput(flags.reset, '--reset', context.stop)),
    probe: () => shellOutput(flags.probe, '--probe', context.stop),
    send: async (index) => (await forwarder.send(captured(index), context.stop)).error === null,
    async lose(index) {
      const { headers, body } = captured(index)
      const hop = /^(connection|content-length|host|keep-alive|transfer-encoding)$/i
      const sent = headers.filter(([name]) => !hop.test(name))
      await sendAndDisconnect(flags.to, { headers: Object.fromEntries(sent), body })
    },
  }
}

interface Ended {
  readonly context: CommandContext
  readonly topic: CallbackTopic
  readonly rows: readonly BookCallbackRow[]
  readonly flags: TortureFlags
  readonly seed: string
  readonly verdict: Verdict
}

function view({ context, topic, rows, flags, seed, verdict }: Ended) {
  const { to, probe, reset, rounds, book } = flags
  const repeat = typedCommand(
    `${topic.words} torture`,
    rows.map(({ id }) => id),
    {
      ...{ to, probe, reset, seed, rounds: String(rounds), book, 'secret-file': flags['secret-file'] },
      profile: context.profile.name === 'local' ? undefined : context.profile.name,
    },
  )
  const broken = verdict.status === 'broken' ? verdict.breakage : undefined
  return {
    status: verdict.status,
    seed,
    rounds: flags.rounds,
    runs: verdict.runs,
    callbacks: rows.length,
    reason: verdict.status === 'inconclusive' ? verdict.reason : null,
    sequence: broken ? sequenceView(broken, rows) : [],
    expected: broken?.expected ?? null,
    actual: broken?.actual ?? null,
    refused: broken ? broken.refused.map((index) => rows[index]?.id ?? '') : [],
    repeat,
  }
}

function sequenceView({ sequence }: Breakage, rows: readonly BookCallbackRow[]) {
  const nameOf = (index: number) => {
    const row = rows[index]
    return row === undefined ? '' : `${row.event} of ${row.subject ?? row.owner ?? 'the account'} (${row.id})`
  }
  const words = inWords(sequence, nameOf)
  return sequence.map(({ how, callbacks }, i) => ({
    how,
    ids: callbacks.map((index) => rows[index]?.id ?? ''),
    words: words[i] ?? '',
  }))
}

function print(context: CommandContext, result: ReturnType<typeof view>, verdict: Verdict, rounds: number): void {
  if (verdict.status === 'inconclusive') {
    context.endWith('CANNOT_CONCLUDE', `The handler cannot be judged: ${verdict.reason}`)
    return
  }
  if (verdict.status === 'passed') {
    context.log(
      `The handler did the same in ${rounds === 1 ? '1 round' : `all ${rounds} rounds`} (${verdict.runs} runs, seed ${result.seed}).`,
    )
    if (rounds < minRounds)
      context.warn(`${rounds} of the ${minRounds} kinds of disturbance were tried. To try all: --rounds ${minRounds}`)
    return
  }
  context.log('Shortest sequence that breaks the handler:')
  for (const [i, { words }] of result.sequence.entries()) context.log(`  ${i + 1}. ${words}`)
  context.log()
  for (const line of differenceOf(verdict.breakage)) context.log(line)
  context.log(`To repeat it: ${result.repeat}`)
  const count = result.sequence.length
  context.endWith(
    'DIFFERENCES',
    `The handler breaks after ${countText(count, 'step')} of round ${verdict.breakage.round + 1}`,
  )
}

/** Returns the first line that differs, as both runs print it. */
function differenceOf({ expected, actual, refused }: Breakage): string[] {
  if (expected === actual)
    return [`The handler never accepted ${refused.length === 1 ? 'one of them' : `${refused.length} of them`}.`]
  const [wanted, found] = [expected.split('\n'), actual.split('\n')]
  const at = wanted.findIndex((line, i) => line !== found[i])
  const line = at < 0 ? wanted.length : at
  return [
    `In the recorded order, the probe prints: ${wanted[line] ?? '(no line)'}`,
    `After this sequence, it prints:          ${found[line] ?? '(no line)'}`,
  ]
}
