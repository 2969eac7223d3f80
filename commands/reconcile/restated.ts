import { checkDay, dayFrom } from '../../src/cli/framework/day.ts'
import { asFlag, dryRunFlag, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import { personHere } from '../../src/cli/framework/operator-name.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { BookCommand } from '../../src/cli/topics/reconcile/book-command.ts'
import { checkedNote } from '../../src/cli/topics/reconcile/breaks-command.ts'
import { bookFlag } from '../../src/cli/topics/wallet/transfer-command.ts'
import { type BreakReason, breakReasonCodes } from '../../src/domain/reconcile/breaks.ts'
import { type Day, dayAfter, dayOf } from '../../src/domain/time/day.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { RestatedDay } from '../../src/operator/reconcile/breaks/schema.ts'

const job = 'reconcile restated'

export default class ReconcileRestated extends BookCommand {
  static override summary = 'Tell which days changed after they had been reconciled, by how much, and by which slips'
  static override description = [
    'A correction or void is written when it happens and belongs to the day the slip was first settled on: so it changes a day that "reconcile daily" found in order, perhaps booked long ago. Each day is held to the figures of its first reconciliation, and after --accept to the accepted ones; a later run of "reconcile daily" accepts nothing.',
    'Nobody is asked: the book knows what arrived when, so "bets sync" comes first. What is found is noted as a break per day.',
    'With --accept the days are accepted as they are now, with who and why; --day names the ones that are meant.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile restated',
    { command: 'countroom reconcile restated --days 35 --csv', description: 'A row per day and player' },
    { command: 'countroom reconcile restated --per slip --csv', description: 'A row per slip' },
    'countroom reconcile restated --accept --day 2026-03-29 --note "Booked with March, voucher 311"',
  ]
  static override exits = ['not-found', 'differences', 'inconclusive'] as const
  static override files = ['the book (COUNTROOM_BOOK): its bets are read and not changed']
  static override completes = { book: 'files' }
  static override flags = {
    since: Flags.string({ summary: 'Only this day and later ones', helpValue: 'DATE', exclusive: ['days'] }),
    days: Flags.integer({ summary: 'Only the last so many days', min: 1, max: 100_000, helpValue: 'N' }),
    day: Flags.string({ summary: 'Only this day; may be given again', multiple: true, helpValue: 'DATE' }),
    per: Flags.string({
      summary: 'What a row is: a player of a day, or a slip',
      options: ['player', 'slip'],
      default: 'player',
    }),
    accept: Flags.boolean({ summary: 'Accept what is restated: the days are held to their new figures from now on' }),
    reason: Flags.string({
      summary: 'With --accept: why; late-correction unless said',
      options: [...breakReasonCodes],
      dependsOn: ['accept'],
    }),
    note: Flags.string({
      summary: 'With --accept: the same in your own words',
      helpValue: 'TEXT',
      dependsOn: ['accept'],
    }),
    ...asFlag,
    ...dryRunFlag,
    ...bookFlag,
    ...listFlags,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const { RestatedDay } = await import('../../src/operator/reconcile/breaks/schema.ts')
    return Type.Object({
      days: Type.Integer({ description: 'Reconciled days that were looked at.' }),
      restated: Type.Array(RestatedDay),
      accepted: Type.Array(Type.String(), { description: 'The days that were accepted by this run.' }),
      dryRun: Type.Boolean(),
    })
  }

  override async run() {
    const { flags } = await this.parse(ReconcileRestated)
    for (const text of [flags.since, ...(flags.day ?? [])]) if (text !== undefined) checkDay(text)
    const [who, note] = [personHere(this.settings).name, checkedNote(flags.note)]
    const reason = (flags.reason ?? 'late-correction') as BreakReason
    if (flags.accept && reason === 'other' && note === null)
      throw new Problem('INVALID_USAGE', 'The reason "other" says nothing by itself: add --note')
    const { book } = await this.bookThere()
    const [{ bookState }, { platformTime }, { findRestated, restatementsShown }, { realAmbient }] = await Promise.all([
      import('../../src/operator/bets/slips-by-day.ts'),
      import('../../src/operator/book/cursor-position.ts'),
      import('../../src/operator/reconcile/restated.ts'),
      import('../../src/kit/ambient.ts'),
    ])
    const { owner, position } = await book.store.read(bookState)
    const zone = owner?.timezone ?? 'UTC'
    const now = platformTime(position, Date.now())
    const asked = { since: sinceOf(flags, now, zone), dates: flags.day?.map((day) => dayFrom(day, now, zone)) }
    const run = { id: realAmbient().id(), who: job }
    const { days, restated } = this.isDryRun
      ? await book.store.read(async (reader) => {
          const { reconciledDays } = await import('../../src/operator/reconcile/daily/closed-days.ts')
          const known = await reconciledDays(reader, asked.since)
          const looked = known.filter(({ date }) => asked.dates?.includes(date) ?? true)
          return { days: looked.length, restated: await restatementsShown(reader, asked) }
        })
      : await findRestated(book, run, asked)
    if (days === 0) this.#nothingReconciled(asked)
    else if (restated.length === 0 && asked.dates !== undefined)
      this.note(`Only ${asked.dates.join(', ')} ${asked.dates.length === 1 ? 'was' : 'were'} looked at.`)
    await this.#tell(restated, flags)
    const ids = restated.flatMap(({ breakId }) => breakId ?? [])
    if (flags.accept && ids.length > 0 && !this.isDryRun) {
      const { orderBreaks } = await import('../../src/operator/reconcile/breaks/store.ts')
      await orderBreaks(book, ids, who, { what: 'closed', reason, note })
    }
    const dates = restated.map(({ date }) => date)
    if (flags.accept && dates.length > 0)
      this.footnote(`${this.isDryRun ? 'Would be accepted' : 'Accepted'}: ${dates.join(', ')}`)
    else if (dates.length > 0)
      this.endWith(
        'RESTATED',
        `${dates.length === 1 ? 'A day' : `${dates.length} days`} changed after being reconciled: ${dates.slice(0, 5).join(', ')}${dates.length > 5 ? ' and more' : ''}; --accept accepts it`,
        { category: 'differences', dates },
      )
    return { days, restated, accepted: flags.accept && !this.isDryRun ? dates : [], dryRun: this.isDryRun }
  }

  /** Of no day that was reconciled none has changed, which is worth saying; a day that is named must have been. */
  #nothingReconciled({ dates }: { dates: readonly Day[] | undefined }): void {
    const next = '"countroom reconcile daily" comes first'
    if (dates === undefined) this.warn(`No such day was reconciled with this book yet: ${next}`)
    else this.endWith('CANNOT_CONCLUDE', `${dates.join(', ')}: not reconciled with this book yet: ${next}`)
  }

  async #tell(restated: readonly RestatedDay[], flags: { per: string; csv: boolean; columns?: string | undefined }) {
    const { signed } = await import('../../src/operator/reconcile/restated.ts')
    const isForPrograms = flags.csv || flags.columns !== undefined
    const show = (text: unknown) => signed(String(text))
    const day: Column[] = [{ key: 'date', whole: true }, { key: 'player' }, { key: 'currency', title: 'cur' }]
    if (flags.per === 'slip') {
      const columns: Column[] = [
        ...day,
        { key: 'slipId', whole: true },
        { key: 'revisions', title: 'rev' },
        { key: 'status' },
        { key: 'was', title: 'win/loss was', kind: 'amount' },
        { key: 'is', title: 'is', kind: 'amount' },
        { key: 'change', kind: 'amount', show },
        ...(isForPrograms ? ['writtenAt', 'roundId', 'tableId', 'game', 'breakId'].map((key) => ({ key })) : []),
      ]
      this.table(restated.flatMap(slipRows), columns, 'No day has changed.')
      return
    }
    const columns: Column[] = [
      ...day,
      { key: 'slips', kind: 'count' },
      { key: 'was', title: 'win/loss was', kind: 'amount' },
      { key: 'is', kind: 'amount' },
      { key: 'change', kind: 'amount', show },
      ...(isForPrograms ? ['since', 'breakId', 'slipIds'].map((key) => ({ key })) : [{ key: 'others', title: 'also' }]),
    ]
    this.table(restated.flatMap(playerRows), columns, 'No day has changed.')
    if (isForPrograms) return
    for (const { date, since, players } of restated) {
      this.log()
      this.log(`${date}, reconciled ${since.at.slice(0, 16).replace('T', ' ')} UTC by run ${since.runId}:`)
      for (const { player, slips } of players)
        for (const { slipId, from, to, writtenAt } of slips.slice(0, mostSlips))
          this.log(
            `- ${slipId} of ${player}: revision ${to.rev} (${to.status}) written ${writtenAt.slice(0, 16).replace('T', ' ')} UTC, win/loss ${from?.winLoss ?? 'nothing'} to ${to.winLoss}`,
          )
    }
  }
}

/** How many slips of a player are told to people; the files have them all. */
const mostSlips = 20

function sinceOf(
  { since, days }: { since?: string | undefined; days?: number | undefined },
  now: number,
  zone: string,
) {
  if (since !== undefined) return dayFrom(since, now, zone)
  return days === undefined ? undefined : dayAfter(dayOf(now, zone), -days)
}

const playerRows = ({ date, breakId, since, players }: RestatedDay) =>
  players.map(({ player, currency, fields, winLoss, slips }) => {
    const told = fields.find(({ field }) => field === 'winLoss')
    return {
      date,
      player,
      currency,
      slips: slips.length,
      was: told?.before ?? '',
      is: told?.after ?? '',
      change: winLoss,
      others: fields.flatMap(({ field }) => (field === 'winLoss' ? [] : [field])).join(' '),
      since: since.runId,
      breakId,
      slipIds: slips.map(({ slipId }) => slipId).join(' '),
    }
  })

const slipRows = ({ date, breakId, players }: RestatedDay) =>
  players.flatMap(({ player, currency, slips }) =>
    slips.map(({ slipId, from, to, change, writtenAt, roundId, tableId, game }) => ({
      date,
      player,
      currency,
      slipId,
      revisions: `${from?.rev ?? '-'} to ${to.rev}`,
      status: to.status,
      was: from?.winLoss ?? '0',
      is: to.winLoss,
      change,
      writtenAt,
      roundId,
      tableId,
      game,
      breakId,
    })),
  )
