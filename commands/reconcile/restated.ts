import { personHere } from '../../src/cli/context/operator-name.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { checkDay, dayFrom } from '../../src/cli/framework/day.ts'
import { asFlag, bookFlag, dryRunFlag, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { utcText } from '../../src/cli/terminal/text.ts'
import { checkedNote } from '../../src/cli/topics/reconcile/breaks/arguments.ts'
import { type BreakReason, breakReasonCodes } from '../../src/domain/reconcile/breaks.ts'
import { type Day, dayAfter, dayOf } from '../../src/domain/time/day.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { RestatedDay } from '../../src/operator/reconcile/breaks/schema.ts'

const job = 'reconcile restated'

export default class ReconcileRestated extends CountroomCommand {
  static override summary = 'List days whose figures changed after they were reconciled'
  static override description = [
    'A correction or void belongs to the day of the first settlement of its slip, so it changes a day that was already reconciled. Each day is compared with the figures of its first reconciliation or, after --accept, with the accepted ones. Another run of "reconcile daily" accepts nothing.',
    'Uses the book only, so run "bets sync" first. Each restated day is recorded as a break.',
    '--accept accepts the current figures and records who did it and why. To accept some days only, name them with --day.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile restated',
    { command: 'countroom reconcile restated --days 35 --csv', description: 'Print one row per day and player' },
    { command: 'countroom reconcile restated --per slip --csv', description: 'Print one row per slip' },
    'countroom reconcile restated --accept --day 2026-03-29 --note "Booked with March, voucher 311"',
  ]
  static override exits = ['not-found', 'differences', 'inconclusive'] as const
  static override files = ['the book (COUNTROOM_BOOK): bets are read; breaks are recorded']
  static override completes = { book: 'files' }
  static override flags = {
    since: Flags.string({ summary: 'This day and later ones only', helpValue: 'DATE', exclusive: ['days'] }),
    days: Flags.integer({ summary: 'Number of past days to check', min: 1, max: 100_000, helpValue: 'N' }),
    day: Flags.string({ summary: 'This day only (repeatable)', multiple: true, helpValue: 'DATE' }),
    per: Flags.string({
      summary: 'One row per player and day, or per slip',
      options: ['player', 'slip'],
      default: 'player',
    }),
    accept: Flags.boolean({ summary: 'Accept the current figures of restated days' }),
    reason: Flags.string({
      summary: 'With --accept: reason (default late-correction)',
      options: [...breakReasonCodes],
      dependsOn: ['accept'],
    }),
    note: Flags.string({
      summary: 'With --accept: note for the history',
      helpValue: 'TEXT',
      dependsOn: ['accept'],
    }),
    ...asFlag,
    ...dryRunFlag,
    ...bookFlag,
    ...listFlags,
  }
  static override data = ({ Type, breaks }: Shapes) =>
    Type.Object({
      days: Type.Integer({ description: 'Number of reconciled days that were checked.' }),
      restated: Type.Array(breaks.RestatedDay),
      accepted: Type.Array(Type.String(), { description: 'Days accepted by this run.' }),
      dryRun: Type.Boolean(),
    })

  override async run() {
    const { flags } = await this.parse(ReconcileRestated)
    for (const text of [flags.since, ...(flags.day ?? [])]) if (text !== undefined) checkDay(text)
    const [who, note] = [personHere(this.settings).name, checkedNote(flags.note)]
    const reason = (flags.reason ?? 'late-correction') as BreakReason
    if (flags.accept && reason === 'other' && note === null)
      throw new Problem('INVALID_USAGE', 'The reason "other" requires --note')
    const { book } = await this.services.book()
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
      this.note(`Only ${asked.dates.join(', ')} ${asked.dates.length === 1 ? 'was' : 'were'} checked.`)
    await this.#tell(restated, flags)
    const ids = restated.flatMap(({ breakId }) => breakId ?? [])
    if (flags.accept && ids.length > 0 && !this.isDryRun) {
      const { orderBreaks } = await import('../../src/operator/reconcile/breaks/store.ts')
      await orderBreaks(book, ids, who, { what: 'closed', reason, note })
    }
    const dates = restated.map(({ date }) => date)
    if (flags.accept && dates.length > 0)
      this.footnote(`${this.isDryRun ? 'Would accept' : 'Accepted'}: ${dates.join(', ')}`)
    else if (dates.length > 0)
      this.endWith(
        'RESTATED',
        `${dates.length === 1 ? '1 day' : `${dates.length} days`} changed after reconciliation: ${dates.slice(0, 5).join(', ')}${dates.length > 5 ? ' and more' : ''}. To accept the new figures, add --accept`,
        { category: 'differences', dates },
      )
    return { days, restated, accepted: flags.accept && !this.isDryRun ? dates : [], dryRun: this.isDryRun }
  }

  /** A range without reconciled days is a warning; a named day must have been reconciled. */
  #nothingReconciled({ dates }: { dates: readonly Day[] | undefined }): void {
    const next = 'Run first: countroom reconcile daily'
    if (dates === undefined) this.warn(`No day in this range was reconciled with this book. ${next}`)
    else this.endWith('CANNOT_CONCLUDE', `Not reconciled with this book: ${dates.join(', ')}. ${next}`)
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
      this.table(restated.flatMap(slipRows), columns, 'No restated days.')
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
    this.table(restated.flatMap(playerRows), columns, 'No restated days.')
    if (isForPrograms) return
    for (const { date, since, players } of restated) {
      this.log()
      this.log(`${date}, reconciled ${utcText(since.at)} by run ${since.runId}:`)
      for (const { player, slips } of players)
        for (const { slipId, from, to, writtenAt } of slips.slice(0, mostSlips))
          this.log(
            `- ${slipId} of ${player}: revision ${to.rev} (${to.status}) written ${utcText(writtenAt)}, win/loss ${from?.winLoss ?? 'none'} to ${to.winLoss}`,
          )
    }
  }
}

/** Maximum number of slips per player on a terminal; CSV and JSON have all. */
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
