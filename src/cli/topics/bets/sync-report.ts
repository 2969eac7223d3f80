import type { SyncReport } from '../../../operator/bets/sync/types.ts'
import type { Book } from '../../../operator/book/book.ts'
import { bookFigures } from '../../../operator/monitoring/figures.ts'
import type { CommandContext } from '../../context/context.ts'
import { retryText } from '../../outcome/request-log.ts'
import { hasTerminal } from '../../terminal/has-terminal.ts'

/** Shortest time between two progress lines of a following run. */
const lineEveryMs = 1_000

/** Reports the run: a progress line on a terminal, JSON lines with --follow --json, nothing under cron. */
export function openSyncReport(
  context: CommandContext,
  isFollowing: boolean,
  book: Book,
): { report: SyncReport; end: (summary: string) => void } {
  const isStream = isFollowing && context.screen.isJson
  const progress = hasTerminal() && !isStream ? context.progress('Bets') : undefined
  let lastLineAt = Number.NEGATIVE_INFINITY
  const noteIfWatched = (text: string) => {
    if (hasTerminal()) context.note(text)
  }
  return {
    end: (summary) => progress?.end(summary),
    report: {
      progress: (state) => {
        if (isFollowing && state.event === 'caught-up') context.monitoring.alive(() => bookFigures(book, Date.now()))
        progress?.update(state.added, state.event === 'caught-up' ? `${state.month}, up to date` : state.month)
        if (!isStream || (state.event === 'page' && performance.now() - lastLineAt < lineEveryMs)) return true
        lastLineAt = performance.now()
        return context.line(state, () => '')
      },
      retry: (retry) => (hasTerminal() ? context.note(retryText(retry)) : context.detail(retryText(retry))),
      waiting: (holder) =>
        noteIfWatched(`Waiting for ${holder ? `process ${holder.pid} on ${holder.host}` : 'another run'} to finish`),
      warn: (text) => void context.warn(text),
      note: noteIfWatched,
    },
  }
}
