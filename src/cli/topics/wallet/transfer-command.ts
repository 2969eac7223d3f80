import { withoutPassword } from '../../../db/engines/database-name.ts'
import type { BookTransferRow } from '../../../db/schema/book.ts'
import { aboveLimits, approvalLimits } from '../../../domain/wallet/approval.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Player } from '../../../services/casino/api/schemas/index.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import type { Config } from '../../../world/config/config.ts'
import { findPlayer, noPlayer } from '../../arguments/player.ts'
import { amountFault, currencyFault, refuseFaults, txnFault, usernameFault } from '../../arguments/validate.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { Args, attemptsFlag, Flags, moneyFlags } from '../../framework/flags.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import type { PlannedRequest } from '../../outcome/dry-run.ts'
import { moneyExits } from '../../outcome/exit-codes.ts'

export const transferArgs = {
  user: Args.string({ required: true, description: 'The player' }),
  amount: Args.string({ required: true, description: 'Decimal text above zero, at most 4 decimals' }),
  currency: Args.string({ required: true, description: "The player's currency" }),
}

/** On every command that reads or writes the book. */
export const bookFlag = {
  book: Flags.string({ summary: 'The book: a file, or a postgres:// address (COUNTROOM_BOOK)', helpValue: 'PATH|URL' }),
}

export const transferFlags = {
  txn: Flags.string({
    summary: 'The id of this transfer: sends the same one again, or goes on with it',
    helpValue: 'ID',
  }),
  ...attemptsFlag,
  ...bookFlag,
  ...moneyFlags,
}

/** What is said of a transfer, as typed and as found. */
interface Wanted {
  readonly user: string
  readonly amount: string
  readonly currency: string
  readonly txn: string | undefined
  readonly create: boolean
}

const words = { in: 'wallet deposit', out: 'wallet withdraw' } as const
const order = {
  in: (amount: string, player: string) => `Deposit ${amount} to ${player}`,
  out: (amount: string, player: string) => `Withdraw ${amount} from ${player}`,
} as const
const done = {
  in: (amount: string, player: string) => `Deposited ${amount} to ${player}`,
  out: (amount: string, player: string) => `Withdrew ${amount} from ${player}`,
} as const

/**
 * What deposit and withdraw have in common: look before anything moves, write down before anything is sent, and never end
 * without either a result or the command that finds one.
 */
export abstract class TransferCommand extends CountroomCommand {
  static override writes = true
  static override exits = [...moneyExits, 'differences', 'locked'] as const
  static override files = ['the book: every transfer is in it before it is sent (COUNTROOM_BOOK)']
  static override data = async () => {
    const { Type } = await import('typebox')
    const { plannedSchema } = await import('../../outcome/dry-run.ts')
    const orNull = <T extends import('typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])
    return Type.Object({
      txnId: orNull(Type.String({ description: 'Null in a dry run without --txn: it is made before sending' })),
      username: Type.String(),
      dir: Type.Enum(['in', 'out']),
      amount: Type.String(),
      currency: Type.String(),
      status: orNull(Type.Literal('done')),
      balance: orNull(Type.String({ description: 'Right after the transfer' })),
      duplicate: orNull(
        Type.Boolean({
          description: 'It had been carried out before the attempt that was answered; the money moved once',
        }),
      ),
      created: Type.Boolean({ description: 'The player did not exist before' }),
      knownBy: orNull(Type.Enum(['reply', 'look-up'])),
      attempts: Type.Integer({ description: 'How often it was sent, over all runs' }),
      dryRun: Type.Boolean(),
      request: await plannedSchema(),
    })
  }

  protected async move(dir: 'in' | 'out', wanted: Wanted) {
    const { user, amount, currency, txn } = wanted
    refuseFaults([usernameFault(user), amountFault(amount), currencyFault(currency), txnFault(txn)])
    const clients = await this.clients()
    const { plainOrder } = await import('../../../operator/transfers/journal.ts')
    const txnId = txn ?? realAmbient().id()
    const plain = plainOrder({ txnId, username: user, dir, amount, currency })
    const known = txn === undefined ? undefined : await this.#known(clients, plain)
    if (known?.state === 'done') return this.#send(clients, plain, wanted, undefined)
    if (known === undefined) this.#refuseAboveLimit(plain)
    const player = await this.#player(clients, plain, wanted)
    const { plannedRequest, plannedText } = await import('../../outcome/dry-run.ts')
    if (this.isDryRun) {
      const body = { ...plain, txnId: txn ?? '(made before sending)' }
      const { username, amount: sum, currency: coin } = plain
      const request = plannedRequest(dir === 'in' ? 'deposit' : 'withdraw', {
        body: { username, txnId: body.txnId, amount: sum, currency: coin },
      })
      this.log(plannedText(request))
      this.footnote(
        `Checked; nothing was sent. ${order[dir](`${sum} ${coin}`, player?.username ?? user)} would follow.`,
      )
      if (player && dir === 'out') await this.#warnIfShort(player, plain.amount)
      return this.#result(plain, { created: player === undefined, txnId: txn ?? null, request })
    }
    await this.confirmMoney({
      order: order[dir](`${plain.amount} ${plain.currency}`, player?.username ?? user),
      amount: plain.amount,
      currency: plain.currency,
      player: player?.username ?? user,
    })
    return this.#send(clients, plain, wanted, player)
  }

  /** Above the set limit nobody moves money alone: a plan of one row has the second pair of eyes. */
  #refuseAboveLimit({ username, dir, amount, currency }: Plain): void {
    const { approvalAbove } = this.settings.settings
    const limits = approvalAbove === undefined ? undefined : (approvalLimits(approvalAbove) ?? undefined)
    if (aboveLimits([{ amount, currency }], limits).length === 0) return
    throw new Problem(
      'APPROVAL_NEEDED',
      `${order[dir](`${amount} ${currency}`, username)} is more than approvalAbove (${approvalAbove}) lets one person decide. Nothing was sent; make a plan of it with "countroom wallet plan", for somebody else to approve`,
      { username, dir, amount, currency, approvalAbove },
    )
  }

  /** What the book has under a txnId that was given. A dry run looks only where there is something, and makes nothing. */
  async #known(clients: Clients, plain: Plain): Promise<BookTransferRow | undefined> {
    const { isBookThere } = await import('../../../world/clients/book-location.ts')
    const { findTransferFor } = await import('../../../operator/transfers/journal.ts')
    if (this.isDryRun && !isBookThere(this.settings, this.profile)) return undefined
    return findTransferFor(await this.#book(clients), plain)
  }

  #opened: Promise<import('../../../operator/book/book.ts').Book> | undefined
  /** Opened once, and before anything is asked of the platform: a transfer that cannot be written down is not begun. */
  #book(clients: Clients) {
    this.#opened ??= this.#openBook(clients)
    return this.#opened
  }

  async #openBook({ casinoAccess }: Clients) {
    const { openBookOf } = await import('../../../world/clients/book-location.ts')
    const book = await openBookOf(this.settings, this.profile, casinoAccess)
    this.closeLater(() => book.close())
    return book
  }

  /** The player as far as there is one. A deposit to a mistyped name would make a player of that name: that has to be meant. */
  async #player(clients: Clients, { username, currency, dir }: Plain, { create }: Wanted): Promise<Player | undefined> {
    const { paths } = this.settings
    if (!this.isDryRun) await this.#book(clients)
    const player = await findPlayer(clients.casino, paths, username)
    if (player === undefined) {
      if (dir === 'in' && create) return undefined
      throw noPlayer(paths, username, dir === 'in' ? ' A deposit would make one: say --create if that is meant' : '')
    }
    if (player.currency.toUpperCase() !== currency)
      throw new Problem(
        'CURRENCY_MISMATCH',
        `${player.username} has an account in ${player.currency}, not in ${currency}. Nothing was sent`,
        { username: player.username, currency: player.currency, remoteCode: null },
      )
    return player
  }

  async #warnIfShort(player: Player, amount: string): Promise<void> {
    const { parseUnits, playerScale } = await import('../../../domain/money.ts')
    const isShort = parseUnits(amount, playerScale) > parseUnits(player.balance, playerScale)
    if (isShort) this.warn(`The balance is ${player.balance} ${player.currency} now: this withdrawal would be refused`)
  }

  async #send(clients: Clients, plain: Plain, wanted: Wanted, player: Player | undefined) {
    const [{ transfer }, { realSleep }, { attemptsOf }] = await Promise.all([
      import('../../../operator/transfers/transfer.ts'),
      import('../../../http/client/sleep.ts'),
      import('../../../world/config/timeouts.ts'),
    ])
    const { retryText } = await import('../../outcome/request-log.ts')
    const book = await this.#book(clients)
    const end = await transfer(
      {
        book,
        transport: clients.casinoTransport,
        patience: {
          sleep: realSleep,
          random: Math.random,
          now: Date.now,
          ...attemptsOf(this.settings),
          observe: (retry) => this.note(retryText(retry)),
        },
        platformNow: clients.platformNow,
        stop: this.stop,
      },
      plain,
    )
    if (end.kind !== 'done') throw this.#undone(end, wanted, plain)
    if (end.unrecorded)
      this.warn(
        `It is done, but the book could not be told (${end.unrecorded.code}): "${this.#lookUp(plain)}" mends that`,
      )
    const created = player === undefined && wanted.create && !end.isEarlier
    const { username, currency, dir } = plain
    const { amount } = end.row
    this.note(
      `${done[dir](`${amount} ${currency}`, player?.username ?? username)}${end.isEarlier ? ' before this; nothing moved now' : ''}.`,
    )
    if (created) this.footnote(`${username} is a new player.`)
    this.fields({ txnId: plain.txnId, player: player?.username ?? username, amount, currency, balance: end.balance }, [
      'txnId',
      'player',
      'amount',
      'currency',
      'balance',
    ])
    return this.#result(plain, {
      txnId: plain.txnId,
      username: player?.username ?? end.row.username,
      created,
      status: 'done',
      balance: end.balance,
      duplicate: end.duplicate,
      knownBy: end.knownBy,
      attempts: end.row.attempts,
    })
  }

  #result(plain: Plain, found: Partial<TransferReport> & Pick<TransferReport, 'txnId' | 'created'>): TransferReport {
    const { username, dir, amount, currency } = plain
    return {
      username,
      dir,
      amount,
      currency,
      status: null,
      balance: null,
      duplicate: null,
      knownBy: null,
      attempts: 0,
      dryRun: this.isDryRun,
      request: null,
      ...found,
    }
  }

  #undone(
    end: Exclude<
      Awaited<ReturnType<typeof import('../../../operator/transfers/transfer.ts').transfer>>,
      { kind: 'done' }
    >,
    wanted: Wanted,
    plain: Plain,
  ): Problem {
    const { problem, kind, row } = end
    const { txnId, username, dir, amount, currency } = plain
    const about = { txnId, username, dir, amount, currency, attempts: row.attempts }
    const again = this.#again(plain, wanted)
    if (kind === 'refused') {
      return new Problem(problem.code, problem.message, { ...problem.detail, ...about }, { cause: problem })
    }
    if (kind === 'unsent') {
      const message = `${problem.message}. Nothing was carried out; "${again}" goes on with this very transfer`
      return new Problem(problem.code, message, { ...problem.detail, ...about, next: [again] }, { cause: problem })
    }
    const lookUp = this.#lookUp(plain)
    return new Problem(
      'MONEY_UNKNOWN',
      `It is not known whether this was done: ${order[dir](`${amount} ${currency}`, username)}, txnId ${txnId}. "${again}" finds out and finishes it; never send it under another id`,
      { ...about, reason: problem.code, next: [again, lookUp] },
      { cause: problem },
    )
  }

  /** The command that sends the same transfer again. */
  #again({ txnId, username, amount, currency, dir }: Plain, { create }: Wanted): string {
    const total = `${amount}:${currency}`
    return typedCommand(words[dir], [username, amount, currency], {
      txn: txnId,
      create: create || undefined,
      ...this.#placeFlags(),
      ...(this.isLive ? { yes: true, 'confirm-total': total } : {}),
    })
  }

  #lookUp({ txnId, username }: Plain): string {
    return typedCommand('wallet transfer', [txnId], { user: username, ...this.#placeFlags() })
  }

  #placeFlags() {
    return placeFlags(this.settings)
  }

  private get isLive(): boolean {
    const { profile } = this.profile
    return profile.kind === 'remote' && profile.environment === 'live'
  }
}

/** Where this run named its profile and its book, the next one has to: it must reach the same platform, and know the same transfers. */
export function placeFlags({ settings, sources }: Config): { profile: string | undefined; book: string | undefined } {
  const isNamed = (name: 'profile' | 'book') => sources[name].from === 'flag' || sources[name].from === 'environment'
  return {
    profile: isNamed('profile') ? settings.profile : undefined,
    book: isNamed('book') && settings.book !== undefined ? withoutPassword(settings.book) : undefined,
  }
}

type Plain = import('../../../operator/transfers/journal.ts').TransferOrder

/** What is told of a transfer: the `data` of the command. */
export interface TransferReport {
  readonly txnId: string | null
  readonly username: string
  readonly dir: 'in' | 'out'
  readonly amount: string
  readonly currency: string
  readonly status: 'done' | null
  readonly balance: string | null
  readonly duplicate: boolean | null
  readonly created: boolean
  readonly knownBy: 'reply' | 'look-up' | null
  readonly attempts: number
  readonly dryRun: boolean
  readonly request: PlannedRequest | null
}
