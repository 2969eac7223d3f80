import { refuseFaults, usernameFault } from '../../src/cli/arguments/validate.ts'
import { warnOfClock } from '../../src/cli/context/clock-warning.ts'
import { checkDay, dayFrom } from '../../src/cli/framework/day.ts'
import { Args, bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { tableText } from '../../src/cli/terminal/table.ts'
import { printable, utcText } from '../../src/cli/terminal/text.ts'
import { ReconcileCommand } from '../../src/cli/topics/reconcile/command.ts'
import { isBreakId } from '../../src/domain/reconcile/breaks.ts'
import { dayFields } from '../../src/domain/reconcile/daily.ts'
import { isDay } from '../../src/domain/time/calendar.ts'
import { Problem } from '../../src/kit/problem.ts'
import type {
  DayExplained,
  Explained,
  PlayerExplained,
  SlipExplained,
} from '../../src/operator/reconcile/explain/schema.ts'

export default class ReconcileExplain extends ReconcileCommand {
  static override summary = 'Explain a difference: parts of the figures, possible causes, next steps'
  static override description = [
    'The subject is a day (all players with differences, or one with --player), a slip ID or a break ID.',
    'For a day, both sides are compared as in "reconcile daily", and the slips of each player are listed with their revisions: when each was written, its number in its month and in the book, and the day it changed. For a slip, the current round of the platform is added. For a wallet break, all movements since the previous reading are listed. Changes no bet, transfer or break.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile explain 2026-03-29 --player amy',
    'countroom reconcile explain 01K7Q2M3V4W5X6Y7Z8A9B0C1D2',
    'countroom reconcile explain daily-3fa91c07be',
  ]
  static override exits = ['permission', 'not-found', 'conflict', 'temporary', 'inconclusive'] as const
  static override files = ['the book (COUNTROOM_BOOK): read only']
  static override completes = { book: 'files', player: 'users' }
  static override args = {
    subject: Args.string({ description: 'Day (YYYY-MM-DD, today, yesterday), slip ID or break ID', required: true }),
  }
  static override flags = {
    player: Flags.string({ summary: 'With a day: this player only', helpValue: 'USER' }),
    offline: Flags.boolean({ summary: 'Use the book only, for a slip or a break' }),
    'trace-pages': Flags.integer({
      summary: 'Maximum number of pages of 1,000 records per day',
      default: 200,
      min: 1,
      max: 100_000,
      helpValue: 'N',
    }),
    ...bookFlag,
  }
  static override data = ({ explain }: Shapes) => explain.Explained

  override async run() {
    const { args, flags } = await this.parse(ReconcileExplain)
    const { subject } = args
    const kind = kindOf(subject)
    refuseFaults([flags.player === undefined ? undefined : usernameFault(flags.player)])
    if (flags.player !== undefined && kind !== 'day') throw new Problem('INVALID_USAGE', '--player requires a day')
    if (flags.offline && kind === 'day') throw new Problem('INVALID_USAGE', 'A day cannot be explained with --offline')
    const [{ explainDay, explainSlip, tenancyOf }, { explainBreak }] = await Promise.all([
      import('../../src/operator/reconcile/explain/explain.ts'),
      import('../../src/operator/reconcile/explain/explain-break.ts'),
    ])
    const clients = flags.offline ? undefined : await this.services.casino()
    const { book } = clients ? await this.bookToReconcile(clients) : await this.services.book()
    const now = clients ? await clients.now() : Date.now()
    const progress = this.progress(`Analyzing ${subject.slice(0, 40)}`)
    const work = {
      platform: clients?.casino,
      book,
      tenant: clients?.casinoAccess ?? (await tenancyOf(book)),
      now: () => now,
      here: Date.now,
      signal: this.stop,
      onStep: (step: string) => progress.update(0, step),
    }
    const options = { player: flags.player, tracePages: flags['trace-pages'] }
    const found = await (kind === 'day'
      ? explainDay(work, dayFrom(subject, now, work.tenant.timezone), options)
      : kind === 'slip'
        ? explainSlip(work, subject)
        : explainBreak(work, subject.toLowerCase(), options)
    ).finally(() => progress.end('done'))
    const explained = this.screen.complete(found)
    if (clients && kind === 'day') warnOfClock(this, clients, [subject])
    await this.#tell(explained)
    return explained
  }

  async #tell(explained: Explained): Promise<void> {
    const { slip, round, day, wallet, transfer, next, breaks } = explained
    if (explained.break) {
      const { id, state, message, reason, owner } = explained.break
      this.#title(
        `${id}, ${state}${reason === null ? '' : ` (${reason})`}${owner === null ? '' : `, assigned to ${owner}`}`,
      )
      this.log(printable(message))
    }
    if (slip) this.#slip(slip)
    if (round) this.log(`Current round at the platform: ${round.status}, revision ${round.rev}.`)
    if (day) await this.#day(day, explained.subject.kind === 'day' || explained.break?.kind === 'daily')
    if (wallet) await this.#wallet(wallet)
    if (transfer)
      this.#rows(
        transfer.txnId,
        [
          { side: 'platform', ...(transfer.platform ?? { state: 'not found' }) },
          { side: 'journal', ...(transfer.journal ?? { state: 'not found' }) },
        ],
        [
          'side',
          'state',
          'player',
          { key: 'dir', title: 'direction' },
          { key: 'amount', kind: 'amount' },
          'currency',
          'at',
        ],
      )
    if (breaks.length > 0)
      this.#list(
        'Breaks of this subject',
        breaks.map(({ id, state, message }) => `${id} (${state}): ${message}`),
      )
    this.#list('Next', next)
  }

  #slip(slip: SlipExplained): void {
    this.#title(`Slip ${slip.slipId}`)
    const { player, currency, game, tableId, roundId, placedAt, date, timezone, wallet } = slip
    this.fields({
      player,
      game: `${game} at ${tableId}`,
      round: roundId,
      placed: placedAt,
      'counts on': `${date} in ${timezone}`,
      'wallet effect': `${wallet} ${currency}`,
    })
    this.#rows('', slip.revisions, revisionColumns)
    for (const each of slip.revisions)
      if (each.writtenOn !== slip.date)
        this.log(
          `- Revision ${each.rev}, written on ${each.writtenOn}, changed the win/loss of ${slip.date} by ${each.change} ${currency}.`,
        )
    this.#list('Contradictions', slip.contradictions)
    this.#list('Alarms', slip.alarms)
  }

  async #day(day: DayExplained, isCompared: boolean): Promise<void> {
    const [{ signed }] = await Promise.all([import('../../src/operator/reconcile/restated.ts')])
    const { date, timezone, verdict, reconciled } = day
    this.#title(isCompared ? `${date} in ${timezone}: ${verdictWords[verdict]}` : `${date} in ${timezone}`)
    if (reconciled)
      this.log(
        `Reconciled first at ${reconciled.at} by run ${reconciled.runId}, last at ${reconciled.latestAt} by run ${reconciled.latestRunId}.`,
      )
    this.#list(
      'Reasons for an inconclusive result',
      day.reasons.map(({ message }) => message),
    )
    this.#list(
      'Possible causes',
      day.explanations.map(({ message }) => message),
    )
    for (const player of day.players) this.#player(player)
    for (const { date, since, players } of day.restated)
      this.#list(
        `Changed since run ${since.runId} of ${utcText(since.at)}`,
        players.flatMap(({ player, currency, slips }) =>
          slips.map(
            ({ slipId, from, to, change, writtenAt }) =>
              `${player}: slip ${slipId} of ${date}, revision ${from?.rev ?? 'none'} to ${to.rev} (${to.status}), written ${writtenAt}: win/loss ${signed(change)} ${currency}`,
          ),
        ),
      )
  }

  #player({ player, currency, platform, book, slips, slipsLeftOut }: PlayerExplained): void {
    const isCompared = Object.values(book).some((text) => text !== '')
    const figures = dayFields.map((field) => ({ field, platform: platform[field], book: book[field] }))
    if (isCompared)
      this.#rows(`${player}${currency === null ? '' : `, ${currency}`}`, figures, [
        'field',
        { key: 'platform', kind: 'amount' },
        { key: 'book', kind: 'amount' },
      ])
    const told = slips.slice(0, mostRows - 1).map(slipText)
    const more = slips.length - told.length + slipsLeftOut
    this.#list(
      `Slips of ${player} in the book`,
      more > 0 ? [...told, `and ${more} more ${more === 1 ? 'slip' : 'slips'}: see --json`] : told,
    )
  }

  async #wallet({
    proof,
    isReadingKept,
    movements,
    movementsLeftOut,
  }: NonNullable<Explained['wallet']>): Promise<void> {
    const { walletText } = await import('../../src/operator/balances/messages.ts')
    this.log(printable(walletText(proof)))
    const { opening, openingHeld, deposits, withdrawals, adjustments, slips, expected, balance, difference } = proof
    this.fields({
      opening,
      'held at opening': openingHeld,
      deposits,
      withdrawals,
      adjustments,
      slips,
      makes: expected,
      platform: balance,
      difference,
    })
    this.#list(
      'Possible causes',
      proof.leads.map(({ message }) => message),
    )
    if (!isReadingKept)
      this.log('The previous reading is no longer stored, so the movements since then cannot be listed.')
    const count = movements.length + movementsLeftOut
    const title = count > mostRows ? `Movements since then, the newest ${mostRows} of ${count}` : 'Movements since then'
    this.#rows(title, movements.slice(-mostRows), [
      { key: 'at', title: 'at (UTC)', whole: true, show: secondText },
      'what',
      { key: 'id', whole: true },
      'rev',
      { key: 'change', kind: 'amount' },
    ])
  }

  #title(text: string): void {
    this.log(this.screen.paintOut('bold', printable(text)))
  }

  #list(title: string, lines: readonly string[]): void {
    if (lines.length === 0) return
    this.log()
    this.#title(title)
    for (const line of lines.slice(0, mostRows)) this.log(`- ${printable(line)}`)
    if (lines.length > mostRows) this.log(`- and ${lines.length - mostRows} more: see --json`)
  }

  #rows(title: string, rows: readonly object[], columns: readonly (Column | string)[]): void {
    if (rows.length === 0) return
    const all = columns.map((column): Column => (typeof column === 'string' ? { key: column } : column))
    const { paintOut: paint, width } = this.screen
    this.log()
    if (title !== '') this.#title(title)
    this.log(tableText(rows, all, { width: width(), paint, hasHeader: true }).trimEnd())
  }
}

/** Maximum number of rows of each list on a terminal; --json has all. */
const mostRows = 60
const verdictWords = { balanced: 'balanced', differences: 'differences', 'cannot-conclude': 'inconclusive' }

const secondText = (at: unknown) => (at === null ? '' : String(at).slice(0, 19).replace('T', ' '))

const revisionColumns: Column[] = [
  { key: 'rev', kind: 'count' },
  { key: 'status' },
  { key: 'recSeq', title: 'no.', kind: 'count' },
  { key: 'settledAt', title: 'written (UTC)', whole: true, show: secondText },
  { key: 'payout', kind: 'amount' },
  { key: 'winLoss', kind: 'amount' },
  { key: 'change', kind: 'amount' },
]

/** Shows a slip and its revisions as lines, because an ID column would take a third of the screen. */
function slipText({ slipId, tableId, roundId, date, revisions, contradictions }: SlipExplained): string {
  const lines = revisions.map(
    ({ rev, status, recSeq, month, settledAt, writtenOn, stake, winLoss, change, counts }) =>
      `    revision ${rev}, ${status}, no. ${recSeq} of ${month}, written ${secondText(settledAt)}: stake ${stake}, win/loss ${winLoss}${counts ? '' : ', no longer counts'}${writtenOn === date ? '' : `; it changed ${date} by ${change}`}`,
  )
  return [
    `${slipId} at ${tableId}, round ${roundId}`,
    ...lines,
    ...contradictions.map((text) => `    contradiction: ${text}`),
  ].join('\n')
}

/** Returns the kind of a subject by its format. */
function kindOf(subject: string): 'day' | 'slip' | 'break' {
  if (isDay(subject) || /^(today|yesterday)$/i.test(subject)) return 'day'
  if (isBreakId(subject.toLowerCase())) return 'break'
  if (/^\d{4}-/.test(subject)) checkDay(subject)
  if (/^[A-Za-z0-9_.:-]{1,64}$/.test(subject)) return 'slip'
  throw new Problem('INVALID_USAGE', `${JSON.stringify(subject.slice(0, 60))} is not a day, slip ID or break ID`)
}
