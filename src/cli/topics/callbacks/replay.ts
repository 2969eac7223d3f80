import type { BookCallbackRow } from '../../../db/schema/book.ts'
import { realSleep } from '../../../http/client/sleep.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText, partText } from '../../../kit/text/count-text.ts'
import type { Book } from '../../../operator/book/book.ts'
import { type CallbackQuery, lastForwardedTo, listCallbacks } from '../../../operator/callbacks/inbox.ts'
import { type Replayed, replayCallbacks } from '../../../operator/callbacks/replay.ts'
import { momentFrom } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import type { Column } from '../../terminal/table.ts'
import { formOf, forwarderTo, forwardUrl, signingSecret } from './sources.ts'
import type { CallbackTopic } from './topics.ts'
import { identityFields, identityOfRow, listNames } from './view.ts'

/** Waits before the retries of one run. */
const retryWaitsMs = [500, 2_000, 5_000, 10_000, 20_000]

/** Formats the outcome of each attempt: `500, no response, 204`. */
const attemptsColumn: Column = {
  key: 'attempts',
  show: (attempts) =>
    Array.isArray(attempts) ? attempts.map(({ answered }) => answered ?? 'no response').join(', ') : '',
}

interface ReplayFlags {
  readonly to?: string | undefined
  readonly since?: string | undefined
  readonly unforwarded: boolean
  readonly retries: number
  readonly 'secret-file'?: string | undefined
}

/** Sends stored callbacks again: those named, or all that match. */
export async function replayStored(
  context: CommandContext,
  topic: CallbackTopic,
  named: readonly string[] | undefined,
  flags: ReplayFlags,
  narrowed: Pick<CallbackQuery, 'event' | 'kind'>,
) {
  const target = flags.to === undefined ? undefined : forwardUrl(flags.to, '--to')
  const since = flags.since === undefined ? undefined : momentFrom(flags.since)
  const book = await context.services.bookIfThere()
  const to = target ?? (book && (await lastForwardedTo(book, topic.channel)))
  if (to === undefined)
    throw new Problem('INVALID_USAGE', `No target: pass --to URL, because no ${topic.noun} was forwarded before`)
  const rows = await findRows(book, topic, named, { since, unforwarded: flags.unforwarded, ...narrowed })
  const secret = await secretToRenew(context, topic, rows, flags)
  context.note(`${context.isDryRun ? 'Would send' : 'Sending'} ${countText(rows.length, topic.noun)} to ${to}`)
  const sent = await send(context, topic, { book, rows, secret, to, retries: flags.retries })
  const failed = sent.filter((row) => row.error !== null)
  const tried = sent.some(({ attempts }) => attempts.length > 1) ? [attemptsColumn] : []
  context.table(sent, [...identityFields(topic), 'answered', 'error', ...tried, 'resigned'])
  if (failed.length > 0)
    context.endWith(
      failed.length < sent.length ? 'BATCH_PARTLY' : 'REMOTE_UNAVAILABLE',
      `The target did not accept ${partText(failed.length, sent.length, topic.noun)}`,
      { failed: failed.length },
    )
  const accepted = context.isDryRun ? 0 : sent.length - failed.length
  return { to, taken: accepted, resigned: sent.filter((row) => row.resigned).length, [listNames[topic.words]]: sent }
}

async function findRows(
  book: Book | undefined,
  { channel, noun, words }: CallbackTopic,
  named: readonly string[] | undefined,
  query: Pick<CallbackQuery, 'since' | 'unforwarded' | 'event' | 'kind'>,
): Promise<BookCallbackRow[]> {
  const ids = named && named.length > 0 ? named : undefined
  const rows = book ? await listCallbacks(book, { channel, ids, ...query }) : []
  const missing = ids?.find((id) => !rows.some((row) => row.id === id || row.subject === id))
  if (missing !== undefined)
    throw new Problem('NOT_FOUND', `The book has no ${noun} ${missing}. To list them: countroom ${words} list`)
  return rows
}

/** Returns the secret if signatures have expired and must be renewed. */
async function secretToRenew(
  context: CommandContext,
  topic: CallbackTopic,
  rows: readonly BookCallbackRow[],
  flags: ReplayFlags,
): Promise<string | undefined> {
  const old = rows.filter((row) => formOf(topic).hasRunOut(row, Date.now()))
  if (old.length === 0) return undefined
  const secret = await signingSecret(context, topic, flags['secret-file'])
  context.note(`Renewing ${partText(old.length, rows.length, 'signature')}, which are older than 300 seconds.`)
  return secret
}

interface Sending {
  readonly book: Book | undefined
  readonly rows: readonly BookCallbackRow[]
  readonly secret: string | undefined
  readonly to: string
  readonly retries: number
}

async function send(context: CommandContext, topic: CallbackTopic, { book, rows, secret, to, retries }: Sending) {
  const form = formOf(topic)
  if (context.isDryRun || !book)
    return rows.map((row) => rowView(topic, row, { resigned: form.hasRunOut(row, Date.now()) }))
  const forwarder = forwarderTo(context, to)
  const progress = context.progress('Sending', rows.length)
  const waitsMs = retryWaitsMs.slice(0, retries)
  const options = { book, form, forwarder, secret, now: Date.now, waitsMs, sleep: realSleep, stop: context.stop }
  const sent: ReturnType<typeof rowView>[] = []
  for await (const replayed of replayCallbacks(options, rows)) {
    sent.push(rowView(topic, replayed.row, replayed))
    progress.update(sent.length)
  }
  progress.end(`${sent.length} sent`)
  return sent
}

function rowView(topic: CallbackTopic, row: BookCallbackRow, end: Partial<Replayed>) {
  const { status = null, error = null, attempts = [], resigned = false } = end
  return {
    ...formOf(topic).identityView(identityOfRow(row)),
    answered: status,
    error,
    attempts: attempts.map(({ at, status: answered, error, tookMs }) => ({ at, answered, error, tookMs })),
    resigned,
  }
}
