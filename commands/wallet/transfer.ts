import { refuseFaults, txnFault, usernameFault } from '../../src/cli/arguments/validate.ts'
import { placeFlags } from '../../src/cli/context/suggested-command.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import { typedCommand } from '../../src/cli/framework/shell-quote.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import type { BookTransferRow } from '../../src/db/schema/book.ts'
import { isProblem, Problem } from '../../src/kit/problem.ts'

export default class WalletTransfer extends CountroomCommand {
  static override summary = 'Look up a transfer and update its state in the book'
  static override description =
    'Moves nothing. Without a player, the platform searches the current and the previous three months (UTC). For a transfer in the book the player is known, which finds any successful transfer. A transfer that is not found was not carried out or is still in progress; for a transfer in the book, the command that finishes it is printed.'
  static override examples = [
    'countroom wallet transfer 01JQ7Z6Y3V8T2M9K4H5N0B1C2D',
    'countroom wallet transfer cashout-4711 --user amy',
  ]
  static override exits = ['permission', 'not-found', 'conflict', 'temporary', 'differences'] as const
  static override files = ['the book (COUNTROOM_BOOK), if it exists']
  static override args = { txn: Args.string({ required: true, description: 'Transfer ID' }) }
  static override flags = { ...bookFlag, user: Flags.string({ summary: 'Player of the transfer', helpValue: 'USER' }) }
  static override data = ({ Type, casino }: Shapes) =>
    Type.Object({
      ...casino.TransferRecord.properties,
      ours: Type.Boolean({ description: 'True if the book has this transfer.' }),
    })

  override async run() {
    const { args, flags } = await this.parse(WalletTransfer)
    refuseFaults([txnFault(args.txn), flags.user === undefined ? undefined : usernameFault(flags.user)])
    const clients = await this.services.casino()
    const [{ openBookIfThere }, { resolveTransfer }, { transferOf }, { realSleep }, { attemptsOf }] = await Promise.all(
      [
        import('../../src/world/clients/book-location.ts'),
        import('../../src/operator/transfers/transfer.ts'),
        import('../../src/operator/transfers/journal.ts'),
        import('../../src/http/client/sleep.ts'),
        import('../../src/world/config/timeouts.ts'),
      ],
    )
    const book = await openBookIfThere(this.settings, this.profile, clients.casinoAccess)
    if (book) this.closeLater(() => book.close())
    const retryOptions = { sleep: realSleep, random: Math.random, now: Date.now, ...attemptsOf(this.settings) }
    const { casinoTransport: transport, platformNow } = clients
    const context = { book, transport, retryOptions, platformNow, stop: this.stop }
    try {
      const { record, row, isOurs } = await resolveTransfer(context, { txnId: args.txn, username: flags.user })
      if (row && !isOurs) this.#tellOther(row)
      this.fields(record, ['txnId', 'username', 'dir', 'amount', 'status', 'balance', 'at'])
      return { ...record, ours: isOurs }
    } catch (error) {
      if (!isProblem(error, 'TXN_NOT_FOUND')) throw error
      throw this.#notFound(error, book && (await transferOf(book, args.txn)))
    }
  }

  #tellOther(row: BookTransferRow): void {
    const dir = row.dir === 'in' ? 'deposit' : 'withdrawal'
    this.endWith(
      'DIFFERENCES',
      `The book has ${row.txn_id} as the ${dir} of ${row.amount} ${row.currency}, player ${row.username}; the casino has a different transfer with this ID`,
      { txnId: row.txn_id, username: row.username, dir: row.dir, amount: row.amount, currency: row.currency },
    )
  }

  /** Explains "not found" and names the next command. */
  #notFound(problem: Problem, row: BookTransferRow | undefined): Problem {
    if (row === undefined) return problem
    const said = `${row.dir === 'in' ? 'deposit' : 'withdrawal'} of ${row.amount} ${row.currency}, player ${row.username}`
    const detail = { ...problem.detail, state: row.state, username: row.username, refusal: row.refusal }
    const tell = (more: string, next: readonly string[] = []) =>
      new Problem(
        'TXN_NOT_FOUND',
        `The casino has no transfer ${row.txn_id} (${said}). ${more}`,
        { ...detail, next },
        { cause: problem },
      )
    if (row.state === 'done')
      return new Problem(
        'DIFFERENCES',
        `The book has ${row.txn_id} (${said}) as done, but the casino has no such transfer`,
        detail,
      )
    if (row.state === 'refused') return tell(`It was rejected with ${row.refusal}`)
    const again = typedCommand(
      row.dir === 'in' ? 'wallet deposit' : 'wallet withdraw',
      [row.username, row.amount, row.currency],
      {
        txn: row.txn_id,
        ...placeFlags(this.settings),
      },
    )
    return tell(`It was not carried out or is still in progress. To finish it: ${again}`, [again])
  }
}
