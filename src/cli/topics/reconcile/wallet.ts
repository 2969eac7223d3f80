import { usernameFault } from '../../../domain/wallet/transfer-faults.ts'
import { realSleep } from '../../../http/client/sleep.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText, partText } from '../../../kit/text/count-text.ts'
import { playersToReconcile } from '../../../operator/balances/players.ts'
import { reconcileWallets } from '../../../operator/balances/reconcile.ts'
import type { WalletRun } from '../../../operator/balances/schema.ts'
import { durationOf } from '../../arguments/moments.ts'
import { refuseFaults } from '../../arguments/validate.ts'
import { warnOfClock } from '../../context/clock-warning.ts'
import type { CommandContext } from '../../context/context.ts'
import { endedAfter } from '../../terminal/progress.ts'
import { openBookJob } from './book-job.ts'
import type { BookJobFlags } from './flags.ts'
import { notifyingOfBreaks } from './notify-of-breaks.ts'
import { printBalances, printWalletTable } from './wallet-view.ts'

interface WalletFlags extends BookJobFlags {
  readonly complete: boolean
  readonly csv: boolean
  readonly columns?: string | undefined
}

/** Reconciles the balances of the named players, or of all players in the book, and prints the result. */
export async function reconcilePlayers(context: CommandContext, named: readonly string[], flags: WalletFlags) {
  refuseFaults(named.map(usernameFault))
  durationOf('wait', flags.wait)
  const { clients, book, now, platform } = await openBookJob(context, 'reconcile-wallet', flags)
  const usernames = await playersToReconcile(book, named)
  const progress = context.progress('Reading balances', usernames.length)
  const ambient = realAmbient()
  const reconciling = notifyingOfBreaks(context, book, () =>
    reconcileWallets(
      {
        platform,
        book,
        environment: clients.casinoAccess.environment,
        here: Date.now,
        there: now,
        sleep: realSleep,
        signal: context.stop,
        onStep: (count) => progress.update(count),
      },
      { usernames, isWhole: flags.complete, id: () => ambient.id() },
    ),
  )
  const result = await endedAfter(progress, reconciling, () => countText(usernames.length, 'player'))
  const run = context.screen.complete(result)
  warnOfClock(context, clients)
  if (flags.csv || flags.columns !== undefined) printWalletTable(context, run)
  else printBalances(context, run)
  conclude(context, run, named.length > 0)
  return run
}

/** Sets the exit code by the verdicts. A difference counts also without an open break: the amounts of closed ones are in the proof. */
function conclude(context: CommandContext, { verdict, players, counts }: WalletRun, isNamed: boolean): void {
  const missing = players.filter(({ reasons }) => reasons.some(({ code }) => code === 'PLAYER_NOT_FOUND'))
  if (isNamed && missing.length === players.length && missing.length > 0)
    throw new Problem(
      'PLAYER_NOT_FOUND',
      `The platform does not know: ${missing.map(({ player }) => player).join(', ')}`,
    )
  const differing = players.filter((each) => each.verdict === 'differences')
  if (differing.length > 0)
    context.endWith(
      'DIFFERENCES',
      `${countText(differing.length, 'balance does', 'balances do')} not reconcile: ${differing
        .slice(0, 5)
        .map(({ player, difference, currency }) => `${player} ${difference} ${currency}`)
        .join(', ')}${differing.length > 5 ? ' and more' : ''}`,
      { breaks: differing.flatMap(({ breakId }) => breakId ?? []), counts },
    )
  else if (verdict !== 'balanced')
    context.endWith(
      'CANNOT_CONCLUDE',
      `Inconclusive for ${partText(counts['cannot-conclude'], players.length, 'player')}`,
      { counts },
    )
}
