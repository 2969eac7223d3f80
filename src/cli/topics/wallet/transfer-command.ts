import type { BookTransferRow } from '../../../db/schema/book.ts'
import { aboveLimits, approvalLimits } from '../../../domain/wallet/approval.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Player } from '../../../services/casino/api/schemas/index.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import { findPlayer, noPlayer } from '../../arguments/player.ts'
import { amountFault, currencyFault, refuseFaults, txnFault, usernameFault } from '../../arguments/validate.ts'
import { placeFlags } from '../../context/suggested-command.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { Args, attemptsFlag, bookFlag, Flags, moneyFlags } from '../../framework/flags.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import { type PlannedRequest, plannedRequest, plannedSchema, plannedText } from '../../outcome/dry-run.ts'
import { moneyExits } from '../../outcome/exit-codes.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

export const transferArgs = {
  user: Args.string({ required: true, description: 'Player username' }),
  amount: Args.string({ required: true, description: 'Amount above zero, with at most 4 decimals' }),
  currency: Args.string({ required: true, description: 'Currency of the player' }),
}

export const transferFlags = {
  txn: Flags.string({
    summary: 'Transfer ID; run again with the same ID to resume the transfer',
    helpValue: 'ID',
  }),
  ...attemptsFlag,
  ...bookFlag,
  ...moneyFlags,
}

/** A transfer as typed, and as found in the book. */
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
 * Base class of deposit and withdraw. They check before anything is sent, write to the book before sending, and always end
 * with a result or with the command that finds it.
 */
export abstract class TransferCommand extends CountroomCommand {
  static override writes = true
  static override exits = [...moneyExits, 'differences', 'locked'] as const
  static override files = ['the book (COUNTROOM_BOOK): every transfer is written to it before it is sent']
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const orNull = <T extends import('typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])
    return Type.Object({
      txnId: orNull(
        Type.String({ description: 'Null in a dry run without --txn, because the ID is created before sending.' }),
      ),
      username: Type.String(),
      dir: Type.Enum(['in', 'out']),
      amount: Type.String(),
      currency: Type.String(),
      status: orNull(Type.Literal('done')),
      balance: orNull(Type.String({ description: 'Balance right after the transfer.' })),
      duplicate: orNull(
        Type.Boolean({
          description: 'True if an earlier attempt had carried it out; the money moved once.',
        }),
      ),
      created: Type.Boolean({ description: 'True if the player did not exist before.' }),
      knownBy: orNull(Type.Enum(['reply', 'look-up'])),
      attempts: Type.Integer({ description: 'Number of attempts over all runs.' }),
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  protected async move(dir: 'in' | 'out', wanted: Wanted) {
    const { user, amount, currency, txn } = wanted
    refuseFaults([usernameFault(user), amountFault(amount), currencyFault(currency), txnFault(txn)])
    const clients = await this.services.casino()
    const { plainOrder } = await import('../../../operator/transfers/journal.ts')
    const txnId = txn ?? realAmbient().id()
    const plain = plainOrder({ txnId, username: user, dir, amount, currency })
    const known = txn === undefined ? undefined : await this.#known(clients, plain)
    if (known?.state === 'done') return this.#send(clients, plain, wanted, undefined)
    if (known === undefined) this.#refuseAboveLimit(plain)
    const player = await this.#player(clients, plain, wanted)
    if (this.isDryRun) {
      const body = { ...plain, txnId: txn ?? '(generated before sending)' }
      const { username, amount: sum, currency: coin } = plain
      const request = plannedRequest(dir === 'in' ? 'deposit' : 'withdraw', {
        body: { username, txnId: body.txnId, amount: sum, currency: coin },
      })
      this.log(plannedText(request))
      this.footnote(
        `Valid; nothing was sent. Without --dry-run: ${order[dir](`${sum} ${coin}`, player?.username ?? user)}.`,
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

  /** Rejects amounts above the limit: they need a second person, and so a batch of one row. */
  #refuseAboveLimit({ username, dir, amount, currency }: Plain): void {
    const { approvalAbove } = this.settings.settings
    const limits = approvalAbove === undefined ? undefined : (approvalLimits(approvalAbove) ?? undefined)
    if (aboveLimits([{ amount, currency }], limits).length === 0) return
    throw new Problem(
      'APPROVAL_NEEDED',
      `${order[dir](`${amount} ${currency}`, username)}: the amount exceeds approvalAbove (${approvalAbove}), so a second person must approve it. Nothing was sent. Put the transfer into a file and run: countroom wallet plan FILE`,
      { username, dir, amount, currency, approvalAbove },
    )
  }

  /** Returns what the book has under a given txnId. A dry run does not create the book. */
  async #known(clients: Clients, plain: Plain): Promise<BookTransferRow | undefined> {
    const { isBookThere } = await import('../../../world/clients/book-location.ts')
    const { findTransferFor } = await import('../../../operator/transfers/journal.ts')
    if (this.isDryRun && !isBookThere(this.settings, this.profile)) return undefined
    return findTransferFor(await this.#book(clients), plain)
  }

  #opened: Promise<import('../../../operator/book/book.ts').Book> | undefined
  /** Opens the book before any request: a transfer that cannot be recorded is not sent. */
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

  /** Returns the player. The platform would create one for a deposit to a mistyped name, so that needs --create. */
  async #player(clients: Clients, { username, currency, dir }: Plain, { create }: Wanted): Promise<Player | undefined> {
    const { paths } = this.settings
    if (!this.isDryRun) await this.#book(clients)
    const player = await findPlayer(clients.casino, paths, username)
    if (player === undefined) {
      if (dir === 'in' && create) return undefined
      throw noPlayer(paths, username, dir === 'in' ? 'To create the player, add --create' : '')
    }
    if (player.currency.toUpperCase() !== currency)
      throw new Problem(
        'CURRENCY_MISMATCH',
        `${player.username} has the currency ${player.currency}, not ${currency}. Nothing was sent`,
        { username: player.username, currency: player.currency, remoteCode: null },
      )
    return player
  }

  async #warnIfShort(player: Player, amount: string): Promise<void> {
    const { parseUnits, playerScale } = await import('../../../domain/money.ts')
    const isShort = parseUnits(amount, playerScale) > parseUnits(player.balance, playerScale)
    if (isShort)
      this.warn(`The balance is ${player.balance} ${player.currency}; the platform would reject this withdrawal`)
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
        retryOptions: {
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
        `Done, but the result could not be saved in the book (${end.unrecorded.code}). To save it: ${this.#lookUp(plain)}`,
      )
    const created = player === undefined && wanted.create && !end.isEarlier
    const { username, currency, dir } = plain
    const { amount } = end.row
    this.note(
      `${done[dir](`${amount} ${currency}`, player?.username ?? username)}${end.isEarlier ? ' earlier; nothing was sent now' : ''}.`,
    )
    if (created) this.footnote(`Created player ${username}.`)
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
      const message = `${problem.message}. Nothing was carried out. To continue this transfer: ${again}`
      return new Problem(problem.code, message, { ...problem.detail, ...about, next: [again] }, { cause: problem })
    }
    const lookUp = this.#lookUp(plain)
    return new Problem(
      'MONEY_UNKNOWN',
      `Unknown outcome: ${order[dir](`${amount} ${currency}`, username)}, txnId ${txnId}. To find out and finish it: ${again}. Never send it with another transfer ID`,
      { ...about, reason: problem.code, next: [again, lookUp] },
      { cause: problem },
    )
  }

  /** Returns the command that sends the same transfer again. */
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

type Plain = import('../../../operator/transfers/journal.ts').TransferOrder

/** Builds the `data` of the command. */
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
