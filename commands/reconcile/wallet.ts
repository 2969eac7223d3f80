import { refuseFaults, usernameFault } from '../../src/cli/arguments/validate.ts'
import { Args, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { printable } from '../../src/cli/terminal/text.ts'
import { durationOf } from '../../src/cli/topics/reconcile/book-command.ts'
import { ReconcileCommand, shareFlag } from '../../src/cli/topics/reconcile/command.ts'
import { bookFlag } from '../../src/cli/topics/wallet/transfer-command.ts'
import { foldUsername } from '../../src/domain/players/player.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { WalletResult, WalletRun } from '../../src/operator/balances/schema.ts'

export default class ReconcileWallet extends ReconcileCommand {
  static override summary =
    'Prove balances: what was there before, and every transfer and slip since, make the balance of now'
  static override description = [
    'Each balance is read between two looks at the end of the bet records, so that it is known which records go with it. It must be the balance before, plus the transfers (this book\'s journal, and the ledgers that "reconcile transfers" looked up, adjustments among them), plus what the revisions of slips changed. The proof begins at the player\'s beginning where the book reaches back to it, and else at the first reading, which is noted; from the second run on it proves what moved in between.',
    'Stakes of rounds that are not over are missing from a balance and in no record yet: what is missing is only then a difference when the player has been away for longer than a session, or when a later run knows what the rounds of that moment held. A difference is looked at twice. Where something may have been under way, nothing is concluded.',
    'Without USER it is everybody whom the book knows. Run "bets sync" first. Differences are noted as breaks; one that is closed is taken as settled.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile wallet amy',
    { command: 'countroom reconcile wallet --quiet', description: 'Every hour, for all players' },
    'countroom reconcile wallet --csv --columns player,verdict,balance,difference',
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'inconclusive', 'locked'] as const
  static override files = ['the book (COUNTROOM_BOOK): bets and journal are read, balances and differences are noted']
  static override completes = { book: 'files', user: 'users' }
  static override args = {
    user: Args.string({ description: 'Players; everybody the book knows unless named', multiple: true }),
  }
  static override flags = {
    whole: Flags.boolean({
      summary: 'Journal and ledgers hold every transfer there ever was: what remains at the beginning is a difference',
    }),
    ...shareFlag,
    ...bookFlag,
    ...listFlags,
  }
  static override data = async () => (await import('../../src/operator/balances/schema.ts')).WalletRun

  override async run() {
    const { args, flags } = await this.parse(ReconcileWallet)
    const named = (args.user ?? []) as unknown as string[]
    refuseFaults(named.map(usernameFault))
    durationOf('wait', flags.wait)
    const clients = await this.clients()
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
          'Nothing was ever pulled into this book, so it knows no players: run "countroom bets sync" first',
        )
    }
    const progress = this.progress('Reading balances', usernames.length)
    const ambient = realAmbient()
    const run = await reconcileWallets(
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
    ).finally(() => progress.end(`${usernames.length} players`))
    await this.warnOfClock(clients)
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
    if (players.length === 0) this.note('The book knows no players yet.')
    const told = players.length > mostPlain ? players.filter(({ verdict }) => verdict !== 'balanced') : players
    for (const each of told.slice(0, mostTold)) {
      this.log(paint(colours[each.verdict], printable(walletText(each))))
      if (each.verdict !== 'differences') continue
      for (const line of proofLines(each)) this.log(`    ${line}`)
      for (const { message } of each.leads.slice(0, 6)) this.log(`    - ${printable(message)}`)
    }
    if (told.length > mostTold) this.log(`and ${told.length - mostTold} more: see --csv or --json`)
    if (told.length < players.length) this.log(`${players.length - told.length} more are balanced.`)
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
        `The platform does not know ${missing.map(({ player }) => player).join(', ')}`,
      )
    const open = players.filter(({ breakId }) => breakId !== null)
    if (open.length > 0)
      this.endWith(
        'DIFFERENCES',
        `${open.length === 1 ? 'A balance is' : `${open.length} balances are`} not accounted for: ${open
          .slice(0, 5)
          .map(({ player, difference, currency }) => `${player} ${difference} ${currency}`)
          .join(', ')}${open.length > 5 ? ' and more' : ''}`,
        { breaks: open.map(({ breakId }) => breakId), counts },
      )
    else if (verdict !== 'balanced' && counts['cannot-conclude'] > 0)
      this.endWith(
        'CANNOT_CONCLUDE',
        `Of ${counts['cannot-conclude']} of ${players.length} players nothing can be concluded yet`,
        { counts },
      )
  }
}

/** Up to so many players everybody is told, beyond it those of whom there is something to tell; and at most so many. */
const mostPlain = 20
const mostTold = 200
const colours = { balanced: 'green', differences: 'red', 'cannot-conclude': 'yellow' } as const

function proofLines(result: WalletResult): string[] {
  const { opening, openingHeld, deposits, withdrawals, adjustments, slips, expected, balance, difference, counts } =
    result
  const parts: [string, string | null][] = [
    ['opening', opening],
    ['held then', openingHeld === '0' ? null : openingHeld],
    ['deposits', deposits],
    ['withdrawals', withdrawals],
    ['adjustments', adjustments === '0' ? null : adjustments],
    [`slips (${counts.revisions} revisions)`, slips],
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
