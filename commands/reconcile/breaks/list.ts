import { refuseFaults, usernameFault } from '../../../src/cli/arguments/validate.ts'
import { Flags, listFlags } from '../../../src/cli/framework/flags.ts'
import { durationOf } from '../../../src/cli/topics/reconcile/book-command.ts'
import { BreaksCommand, breakColumns } from '../../../src/cli/topics/reconcile/breaks-command.ts'
import { bookFlag } from '../../../src/cli/topics/wallet/transfer-command.ts'
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
  static override summary = 'List the differences that runs of reconciliation found, the one open for longest first'
  static override description =
    'Nobody is asked: this is what runs noted in the book. A difference is one break however often it is found again; a run that looks again and finds it gone clears it, and what a person has closed stays closed unless it is found with other figures. The age counts from when it was opened last.'
  static override examples = [
    'countroom reconcile breaks list',
    {
      command: 'countroom reconcile breaks list --fail-if-older 48h --quiet',
      description: 'For cron: exit 9 when something lies too long',
    },
    'countroom reconcile breaks list --state all --player amy --csv',
  ]
  static override exits = ['differences'] as const
  static override files = ['the book, where there is one (COUNTROOM_BOOK): read and not changed']
  static override completes = { book: 'files', player: 'users' }
  static override flags = {
    state: Flags.string({
      summary: 'Only those in this state; open ones unless said',
      options: [...breakStates, 'all'],
      default: 'open',
    }),
    kind: Flags.string({ summary: 'Only what this kind of run found', options: [...breakKinds], multiple: true }),
    player: Flags.string({ summary: 'Only those of this player', helpValue: 'USER' }),
    date: Flags.string({ summary: "Only those of this day, the tenant's", helpValue: 'YYYY-MM-DD' }),
    owner: Flags.string({ summary: 'Only those of this person; "nobody" for the others', helpValue: 'NAME' }),
    older: Flags.string({ summary: 'Only those open for so long', helpValue: 'DURATION' }),
    'fail-if-older': Flags.string({
      summary: 'End in 9 when one of those listed has been open for longer',
      helpValue: 'DURATION',
    }),
    limit: Flags.integer({ summary: 'At most so many', default: 200, min: 1, max: 100_000, helpValue: 'N' }),
    ...bookFlag,
    ...listFlags,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const { BreakShown } = await import('../../../src/operator/reconcile/breaks/schema.ts')
    return Type.Object({
      breaks: Type.Array(BreakShown),
      count: Type.Integer({ description: 'How many there are, those beyond --limit too.' }),
      oldestMs: Type.Union([Type.Integer(), Type.Null()], { description: 'The greatest age among those listed.' }),
    })
  }

  override async run() {
    const { flags } = await this.parse(ReconcileBreaksList)
    refuseFaults([flags.player === undefined ? undefined : usernameFault(flags.player)])
    if (flags.date !== undefined && !isDay(flags.date) && !/^\d{4}-\d{2}$/.test(flags.date))
      throw new Problem(
        'INVALID_USAGE',
        `"${flags.date.slice(0, 40)}" is no day: say YYYY-MM-DD, or YYYY-MM for a bill`,
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
      flags.state === 'open' ? 'No open breaks.' : 'No such breaks.',
    )
    if (count > breaks.length) this.footnote(`${breaks.length} of ${count}: --limit shows more`)
    const ages = breaks.flatMap(({ ageMs }) => ageMs ?? [])
    const oldestMs = ages.length === 0 ? null : Math.max(...ages)
    const late = limitMs === undefined ? [] : breaks.filter(({ ageMs }) => ageMs !== null && ageMs > limitMs)
    if (late.length > 0)
      this.endWith(
        'BREAKS_OLD',
        `${late.length === 1 ? 'A break has' : `${late.length} breaks have`} been open for longer than ${flags['fail-if-older']}, the oldest for ${ageText(oldestMs ?? 0)}: ${late
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
