import { durationOf } from '../../src/cli/arguments/moments.ts'
import { refuseFaults, usernameFault } from '../../src/cli/arguments/validate.ts'
import { warnOfClock } from '../../src/cli/context/clock-warning.ts'
import { Args, bookFlag, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { printable } from '../../src/cli/terminal/text.ts'
import { ReconcileCommand, shareFlag } from '../../src/cli/topics/reconcile/command.ts'
import { foldUsername } from '../../src/domain/players/player.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { WalletResult, WalletRun } from '../../src/operator/balances/schema.ts'

export default class ReconcileWallet extends ReconcileCommand {
  static override summary = 'Reconcile player balances with all transfers and slips'
  static override description = [
    'Each balance is read between two reads of the end of the bet records, so that it is known which records it includes. It must equal the previous balance, plus the transfers of the journal and of reconciled ledgers (adjustments included), plus the changes by slip revisions. The proof starts with the first transfer of the player if the book reaches back that far, else with the first reading. Later runs prove the change since the last reading.',
    'Stakes of open rounds are missing from a balance and are in no record yet. A missing amount is a difference only if the player was away for longer than a session, or a later run knows the slips of those rounds. A difference is checked twice. If something may have been in progress, the result is inconclusive.',
    'Without USER, checks all players in the book. Run "bets sync" first. Differences are recorded as breaks; a closed break counts as settled.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile wallet amy',
    { command: 'countroom reconcile wallet --quiet', description: 'Hourly job for all players' },
    'countroom reconcile wallet --csv --columns player,verdict,balance,difference',
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'inconclusive', 'locked'] as const
  static override files = ['the book (COUNTROOM_BOOK): bets and journal are read; balances and breaks are recorded']
  static override completes = { book: 'files', user: 'users' }
  static override args = {
    user: Args.string({ description: 'Player usernames (default: all players in the book)', multiple: true }),
  }
  static override flags = {
    whole: Flags.boolean({
      summary: 'Journal and ledgers are complete: an unexplained opening balance is a difference',
    }),
    ...shareFlag,
    ...bookFlag,
    ...listFlags,
  }
  static override data = ({ balances }: Shapes) => balances.WalletRun

  override async run() {
    const { args, flags } = await this.parse(ReconcileWallet)
    const named = (args.user ?? []) as unknown as string[]
    refuseFaults(named.map(usernameFault))
    durationOf('wait', flags.wait)
    const clients = await this.services.casino()
    const { book, url } = await this.bookToReconcile(clients)
    await this.lockJob(book, url, 'reconcile-wallet', flags.wait)
    const now = await this.platformNow(clients)
    const platform = await this.sharedCasino(clients, flags['rate-share'])
    const [{ reconcileWallets }, { knownPlayers }, { realAmbient }, { realSleep }] = await Promise.all([
      import('../../src/operator/balances/reconcile.ts'),
      import('../../src/operator/balances/readings.ts'),
      import('../../src/kit/ambient.ts'),
      import('../../src/http/client/sleep.ts'),
    ])
    const usernames =
      named.length > 0
        ? [...new Map(named.map((name) => [foldUsername(name), name])).values()]
        : await book.store.read(knownPlayers)
    if (usernames.length === 0) {
      const { bookState } = await import('../../src/operator/bets/slips-by-day.ts')
      const { position } = await book.store.read(bookState)
      if (!position?.cursor)
        throw new Problem(
          'CANNOT_CONCLUDE',
          'The book is empty and has no players. Run first: countroom bets sync --out DIR',
        )
    }
    const progress = this.progress('Reading balances', usernames.length)
    const ambient = realAmbient()
    const found = await reconcileWallets(
      {
        platform,
        book,
        environment: clients.casinoAccess.environment,
        here: Date.now,
        there: now,
        sleep: realSleep,
        signal: this.stop,
        onStep: (count) => progress.update(count),
      },
      { usernames, isWhole: flags.whole, id: () => ambient.id() },
    ).finally(() => progress.end(`${usernames.length} ${usernames.length === 1 ? 'player' : 'players'}`))
    const run = this.screen.complete(found)
    warnOfClock(this, clients)
    await this.#tell(run, flags)
    this.#conclude(run, named.length > 0)
    return run
  }

  async #tell({ players, next }: WalletRun, flags: { csv: boolean; columns?: string | undefined }): Promise<void> {
    if (flags.csv || flags.columns !== undefined) {
      this.table(players.map(toRow), programColumns, 'No players.')
      return
    }
    const { walletText } = await import('../../src/operator/balances/messages.ts')
    const paint = this.screen.paintOut
    if (players.length === 0) this.note('The book has no players yet.')
    const told = players.length > mostPlain ? players.filter(({ verdict }) => verdict !== 'balanced') : players
    for (const each of told.slice(0, mostTold)) {
      this.log(paint(colours[each.verdict], printable(walletText(each))))
      if (each.verdict !== 'differences') continue
      for (const line of proofLines(each)) this.log(`    ${line}`)
      for (const { message } of each.leads.slice(0, 6)) this.log(`    - ${printable(message)}`)
    }
    if (told.length > mostTold) this.log(`and ${told.length - mostTold} more: see --csv or --json`)
    if (told.length < players.length)
      this.log(`${players.length - told.length} more ${players.length - told.length === 1 ? 'is' : 'are'} balanced.`)
    if (next.length === 0) return
    this.log()
    this.log(paint('bold', 'Next'))
    for (const [i, step] of next.entries()) this.log(`${i + 1}. ${step}`)
  }

  #conclude({ verdict, players, counts }: WalletRun, isNamed: boolean): void {
    const missing = players.filter(({ reasons }) => reasons.some(({ code }) => code === 'PLAYER_NOT_FOUND'))
    if (isNamed && missing.length === players.length && missing.length > 0)
      throw new Problem(
        'PLAYER_NOT_FOUND',
        `Unknown at the platform: ${missing.map(({ player }) => player).join(', ')}`,
      )
    const open = players.filter(({ breakId }) => breakId !== null)
    if (open.length > 0)
      this.endWith(
        'DIFFERENCES',
        `${open.length === 1 ? '1 balance does' : `${open.length} balances do`} not reconcile: ${open
          .slice(0, 5)
          .map(({ player, difference, currency }) => `${player} ${difference} ${currency}`)
          .join(', ')}${open.length > 5 ? ' and more' : ''}`,
        { breaks: open.map(({ breakId }) => breakId), counts },
      )
    else if (verdict !== 'balanced' && counts['cannot-conclude'] > 0)
      this.endWith(
        'CANNOT_CONCLUDE',
        `Inconclusive for ${counts['cannot-conclude']} of ${players.length} ${players.length === 1 ? 'player' : 'players'}`,
        { counts },
      )
  }
}

/** Up to this number of players all are listed; above it only those with findings, and at most this many. */
const mostPlain = 20
const mostTold = 200
const colours = { balanced: 'green', differences: 'red', 'cannot-conclude': 'yellow' } as const

function proofLines(result: WalletResult): string[] {
  const { opening, openingHeld, deposits, withdrawals, adjustments, slips, expected, balance, difference, counts } =
    result
  const parts: [string, string | null][] = [
    ['opening', opening],
    ['held at opening', openingHeld === '0' ? null : openingHeld],
    ['deposits', deposits],
    ['withdrawals', withdrawals],
    ['adjustments', adjustments === '0' ? null : adjustments],
    [`slips (${counts.revisions} ${counts.revisions === 1 ? 'revision' : 'revisions'})`, slips],
    ['makes', expected],
    ['platform', balance],
    ['difference', difference],
  ]
  const shown = parts.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]))
  const wide = Math.max(...shown.map(({ name }) => name.length))
  const long = Math.max(...shown.map(({ value }) => value.length))
  return shown.map(({ name, value }) => `${name.padEnd(wide)}  ${value.padStart(long)}`)
}

const amount = (...keys: string[]): Column[] => keys.map((key) => ({ key, kind: 'amount' }))

const programColumns: Column[] = [
  'player',
  'currency',
  'verdict',
  'since',
  'readAt',
  ...amount('opening', 'openingHeld', 'deposits', 'withdrawals', 'adjustments', 'slips'),
  ...amount('expected', 'balance', 'held', 'difference'),
  'breakId',
  'reasons',
].map((column) => (typeof column === 'string' ? { key: column } : column))

const toRow = (result: WalletResult) => ({
  ...result,
  since: result.since?.at ?? '',
  reasons: result.reasons.map(({ code }) => code).join(' '),
})
