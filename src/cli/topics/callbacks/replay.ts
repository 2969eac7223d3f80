import type { BookCallbackRow } from '../../../db/schema/book.ts'
import { Problem } from '../../../kit/problem.ts'
import type { CallbackQuery } from '../../../operator/callbacks/inbox.ts'
import type { Replayed } from '../../../operator/callbacks/replay.ts'
import { momentFrom } from '../../arguments/moments.ts'
import { bookFlag, dryRunFlag, Flags } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import type { Column } from '../../terminal/table.ts'
import { CallbackCommand, forwardUrl, type Mail, secretFlag } from './command.ts'
import { identityFields, identityOfRow, identitySchemas } from './view.ts'

/** Waits before the retries of one run. */
const retryWaitsMs = [500, 2_000, 5_000, 10_000, 20_000]

export const replayFlags = {
  to: Flags.string({ summary: 'Target URL (default: the last --forward of "listen")', helpValue: 'URL' }),
  since: Flags.string({ summary: 'Received at or after this time', helpValue: 'ISO' }),
  unforwarded: Flags.boolean({ summary: 'Callbacks that no target has accepted yet' }),
  retries: Flags.integer({
    summary: 'Number of retries with growing waits, if the target does not accept',
    default: 0,
    min: 0,
    max: retryWaitsMs.length,
    helpValue: 'N',
  }),
  ...dryRunFlag,
  ...secretFlag,
  ...bookFlag,
}

export const replayData = (mail: Mail) => (shapes: Shapes) => {
  const { Type } = shapes
  const answered = Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the response.' })
  const error = Type.Union([Type.String(), Type.Null()])
  const attempt = Type.Object({ at: Type.String(), answered, error, tookMs: Type.Integer() })
  const row = Type.Object({
    ...identitySchemas(shapes, mail),
    answered,
    error,
    attempts: Type.Array(attempt),
    resigned: Type.Boolean({ description: 'True if the signature had expired and was renewed.' }),
  })
  return Type.Object({
    to: Type.String(),
    taken: Type.Integer(),
    resigned: Type.Integer(),
    [namesOf[mail.topic]]: Type.Array(row),
  })
}

/** Name of the list of callbacks in JSON output. */
export const namesOf = { webhooks: 'webhooks', ipn: 'callbacks' } as const

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

/** Sends stored callbacks again. */
export abstract class ReplayCommand extends CallbackCommand {
  protected async replay(
    given: readonly string[] | undefined,
    flags: ReplayFlags,
    narrowed: Pick<CallbackQuery, 'event' | 'kind'>,
  ) {
    const { form, noun, topic } = this.mail
    const named = flags.to === undefined ? undefined : forwardUrl(flags.to, '--to')
    const since = flags.since === undefined ? undefined : momentFrom(flags.since)
    const book = await this.bookIfThere()
    const [{ lastForwardedTo, listCallbacks }, { openForwarder }, { replayCallbacks }, { realSleep }] =
      await Promise.all([
        import('../../../operator/callbacks/inbox.ts'),
        import('../../../operator/callbacks/forward.ts'),
        import('../../../operator/callbacks/replay.ts'),
        import('../../../http/client/sleep.ts'),
      ])
    const to = named ?? (book && (await lastForwardedTo(book, form.channel)))
    if (to === undefined)
      throw new Problem('INVALID_USAGE', `No target: pass --to URL, because no ${noun} was forwarded before`)
    const ids = given && given.length > 0 ? given : undefined
    const asked = { channel: form.channel, ids, since, unforwarded: flags.unforwarded, ...narrowed }
    const rows = book ? await listCallbacks(book, asked) : []
    const missing = ids?.find((id) => !rows.some((row) => row.id === id || row.subject === id))
    if (missing !== undefined) throw new Problem('NOT_FOUND', `The book has no ${noun} ${missing}`)
    const old = rows.filter((row) => form.hasRunOut(row, Date.now()))
    const secret = old.length > 0 ? await this.secret(flags['secret-file']) : undefined
    if (old.length > 0)
      this.note(`Renewing ${old.length} of ${rows.length} signatures, which are older than 300 seconds.`)
    this.note(
      `${this.isDryRun ? 'Would send' : 'Sending'} ${rows.length} ${rows.length === 1 ? noun : `${noun}s`} to ${to}`,
    )
    const sent: ReturnType<typeof this.view>[] = []
    if (this.isDryRun || !book) for (const row of rows) sent.push(this.view(row, { resigned: old.includes(row) }))
    else {
      const forwarder = openForwarder(to)
      this.closeLater(() => forwarder.close())
      const progress = this.progress('Sending', rows.length)
      const waitsMs = retryWaitsMs.slice(0, flags.retries)
      const options = { book, form, forwarder, secret, now: Date.now, waitsMs, sleep: realSleep, stop: this.stop }
      for await (const replayed of replayCallbacks(options, rows)) {
        sent.push(this.view(replayed.row, replayed))
        progress.update(sent.length)
      }
      progress.end(`${sent.length} sent`)
    }
    const failed = sent.filter((row) => row.error !== null)
    const tried = sent.some(({ attempts }) => attempts.length > 1) ? [attemptsColumn] : []
    this.table(sent, [...identityFields(this.mail), 'answered', 'error', ...tried, 'resigned'])
    if (failed.length > 0)
      this.endWith(
        failed.length < sent.length ? 'BATCH_PARTLY' : 'REMOTE_UNAVAILABLE',
        `The target did not accept ${failed.length} of ${sent.length} ${sent.length === 1 ? noun : `${noun}s`}`,
        { failed: failed.length },
      )
    const taken = this.isDryRun ? 0 : sent.length - failed.length
    return { to, taken, resigned: sent.filter((row) => row.resigned).length, [namesOf[topic]]: sent }
  }

  private view(row: BookCallbackRow, end: Partial<Replayed>) {
    const { status = null, error = null, attempts = [], resigned = false } = end
    return {
      ...this.mail.form.told(identityOfRow(row)),
      answered: status,
      error,
      attempts: attempts.map(({ at, status: answered, error, tookMs }) => ({ at, answered, error, tookMs })),
      resigned,
    }
  }
}
