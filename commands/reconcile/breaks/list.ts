import { durationOf } from '../../../src/cli/arguments/moments.ts'
import { refuseFaults, usernameFault } from '../../../src/cli/arguments/validate.ts'
import { bookFlag, Flags, listFlags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { BreaksCommand, breakColumns } from '../../../src/cli/topics/reconcile/breaks-command.ts'
import { foldUsername } from '../../../src/domain/players/player.ts'
import {
  ageText,
  type BreakKind,
  type BreakState,
  breakKinds,
  breakStates,
} from '../../../src/domain/reconcile/breaks.ts'
import { isDay } from '../../../src/domain/time/calendar.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class ReconcileBreaksList extends BreaksCommand {
  static override summary = 'List breaks, oldest first'
  static override description =
    'Reads the book only. A difference is one break, however often it is found. A later run that no longer finds it clears the break. A break closed by a person stays closed unless it is found with other figures. The age counts from the last opening.'
  static override examples = [
    'countroom reconcile breaks list',
    {
      command: 'countroom reconcile breaks list --fail-if-older 48h --quiet',
      description: 'Exit with 9 in a cron job if a break is older than 48 hours',
    },
    'countroom reconcile breaks list --state all --player amy --csv',
  ]
  static override exits = ['differences'] as const
  static override files = ['the book (COUNTROOM_BOOK), if it exists: read only']
  static override completes = { book: 'files', player: 'users' }
  static override flags = {
    state: Flags.string({
      summary: 'Breaks in this state only',
      options: [...breakStates, 'all'],
      default: 'open',
    }),
    kind: Flags.string({ summary: 'Breaks of this kind only (repeatable)', options: [...breakKinds], multiple: true }),
    player: Flags.string({ summary: 'Breaks of this player only', helpValue: 'USER' }),
    date: Flags.string({ summary: "Breaks of this day only, in the tenant's time zone", helpValue: 'YYYY-MM-DD' }),
    owner: Flags.string({
      summary: 'Breaks assigned to this person only; "nobody" for unassigned ones',
      helpValue: 'NAME',
    }),
    older: Flags.string({ summary: 'Breaks open for at least this long only', helpValue: 'DURATION' }),
    'fail-if-older': Flags.string({
      summary: 'Exit with 9 if a listed break has been open for longer',
      helpValue: 'DURATION',
    }),
    limit: Flags.integer({ summary: 'Maximum number of results', default: 200, min: 1, max: 100_000, helpValue: 'N' }),
    ...bookFlag,
    ...listFlags,
  }
  static override data = ({ Type, breaks }: Shapes) =>
    Type.Object({
      breaks: Type.Array(breaks.BreakShown),
      count: Type.Integer({ description: 'Number of matching breaks, including those beyond --limit.' }),
      oldestMs: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Age of the oldest listed break, in milliseconds.',
      }),
    })

  override async run() {
    const { flags } = await this.parse(ReconcileBreaksList)
    refuseFaults([flags.player === undefined ? undefined : usernameFault(flags.player)])
    if (flags.date !== undefined && !isDay(flags.date) && !/^\d{4}-\d{2}$/.test(flags.date))
      throw new Problem(
        'INVALID_USAGE',
        `"${flags.date.slice(0, 40)}" is not a day; expected YYYY-MM-DD, or YYYY-MM for a bill`,
      )
    const older = durationOf('older', flags.older)
    const limitMs = durationOf('fail-if-older', flags['fail-if-older'])
    const now = Date.now()
    const { rows, count } = await this.#rows(flags, older === undefined ? undefined : now - older)
    const { toBreakShown } = await import('../../../src/operator/reconcile/breaks/record.ts')
    const breaks = rows.map((row) => toBreakShown(row, now))
    const shown = breaks.map((each) => ({ ...each, age: each.ageMs === null ? '' : ageText(each.ageMs) }))
    const isForPrograms = flags.csv || flags.columns !== undefined
    const columns = breakColumns(isForPrograms, this.screen.width())
    const isDated = shown.some(({ date }) => date !== null)
    this.table(
      shown,
      isForPrograms ? columns : columns.filter(({ key }) => key !== 'date' || isDated),
      flags.state === 'open' ? 'No open breaks.' : 'No breaks match.',
    )
    if (count > breaks.length) this.footnote(`Showing ${breaks.length} of ${count}. To see more, raise --limit`)
    const ages = breaks.flatMap(({ ageMs }) => ageMs ?? [])
    const oldestMs = ages.length === 0 ? null : Math.max(...ages)
    const late = limitMs === undefined ? [] : breaks.filter(({ ageMs }) => ageMs !== null && ageMs > limitMs)
    if (late.length > 0)
      this.endWith(
        'BREAKS_OLD',
        `${late.length === 1 ? '1 break has' : `${late.length} breaks have`} been open for longer than ${flags['fail-if-older']}, the oldest for ${ageText(oldestMs ?? 0)}: ${late
          .slice(0, 5)
          .map(({ id }) => id)
          .join(', ')}${late.length > 5 ? ' and more' : ''}`,
        { category: 'differences', breaks: late.map(({ id }) => id) },
      )
    return { breaks, count, oldestMs }
  }

  async #rows(
    flags: {
      state: string
      kind: string[] | undefined
      player: string | undefined
      date: string | undefined
      owner: string | undefined
      limit: number
    },
    openedBy: number | undefined,
  ) {
    const [{ bookUrlOf, isBookThere }, { openBook }, { listBreaks }] = await Promise.all([
      import('../../../src/world/clients/book-location.ts'),
      import('../../../src/operator/book/book.ts'),
      import('../../../src/operator/reconcile/breaks/store.ts'),
    ])
    if (!isBookThere(this.settings, this.profile)) return { rows: [], count: 0 }
    const book = await openBook(bookUrlOf(this.settings, this.profile))
    this.closeLater(() => book.close())
    return listBreaks(book, {
      states: flags.state === 'all' ? undefined : [flags.state as BreakState],
      kinds: flags.kind as BreakKind[] | undefined,
      player: flags.player === undefined ? undefined : foldUsername(flags.player),
      owner: flags.owner === 'nobody' ? null : flags.owner,
      date: flags.date,
      openedBy,
      limit: flags.limit,
    })
  }
}
