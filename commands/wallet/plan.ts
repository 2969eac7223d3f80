import { basename } from 'node:path'
import { currencyFault, parameterFault, refuseFaults } from '../../src/cli/arguments/validate.ts'
import { placeFlags } from '../../src/cli/context/suggested-command.ts'
import { knownNames, rememberNames } from '../../src/cli/framework/completion.ts'
import { Args, asFlag, attemptsFlag, bookFlag, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { shareFlags, usualShare } from '../../src/cli/framework/rate-share-flags.ts'
import { typedCommand } from '../../src/cli/framework/shell-quote.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { readBytes } from '../../src/cli/terminal/read-input.ts'
import { WalletPlanCommand } from '../../src/cli/topics/wallet/batch-command.ts'
import { type PlanReport, planFields, planRowSchema, rowReport } from '../../src/cli/topics/wallet/batch-view.ts'
import { foldUsername } from '../../src/domain/players/player.ts'
import { type KnownPlayer, type PlanRow, planIdPattern } from '../../src/domain/wallet/batch.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { Book } from '../../src/operator/book/book.ts'
import { faultyRows, type TransferFile, transfersFrom } from '../../src/operator/transfers/batch-file.ts'
import { batchWarnings, named, withSimilarNames } from '../../src/operator/transfers/batch-warnings.ts'
import type { Clients } from '../../src/world/clients/casino.ts'

/** Number of players that are looked up in parallel. */
const atOnce = 8

interface PlanFlags {
  readonly dir?: string | undefined
  readonly currency?: string | undefined
  readonly repeats?: boolean
  readonly id?: string | undefined
  readonly as?: string | undefined
  readonly create?: boolean
  readonly again?: boolean
  readonly note?: string | undefined
  readonly rate?: number | undefined
  readonly 'rate-share': number
}

export default class WalletPlan extends WalletPlanCommand {
  static override summary = 'Create a batch of transfers from a file, without sending it'
  static override description = [
    'The file is CSV with a header (username, amount, currency and optionally dir, txnId, note), a JSON list of such objects, or one object per line. Without dir, a negative amount is a withdrawal, unless --dir sets the direction of all rows. The separator can be a comma, semicolon or tab.',
    'All errors of the file are reported at once, with line numbers. Then every player is looked up: the name, the currency, and whether withdrawals are covered, in the order of the file. A batch is created only if there is no error. It is stored in the book with a transfer ID for every row, so each row is one transfer, however often it is applied. With --id the transfer IDs are derived from your own ID.',
    'A file whose transfers are already in a batch is rejected, even if it was saved again or sorted; to repeat it, pass --again. Next steps: "wallet approve" and "wallet apply".',
  ].join('\n\n')
  static override examples = [
    'countroom wallet plan payday.csv --profile house',
    { command: 'countroom wallet plan payday.csv --dry-run', description: 'Validate the file only' },
    {
      command: 'countroom wallet plan bonus.csv --dir in --currency USD --note "Spring bonus"',
      description: 'Use a file with names and amounts only',
    },
    { command: 'countroom wallet plan - --create --json', description: 'Read stdin, and create missing players' },
  ]
  static override writes = true
  static override exits = ['permission', 'not-found', 'conflict', 'temporary', 'stopped'] as const
  static override completes = { file: 'files', book: 'files' }
  static override args = {
    file: Args.string({ required: true, description: 'File with the transfers, or - for stdin' }),
  }
  static override flags = {
    dir: Flags.string({ summary: 'Direction of all rows: in (deposit) or out (withdrawal)', options: ['in', 'out'] }),
    currency: Flags.string({ summary: 'Currency of all rows', helpValue: 'CUR' }),
    create: Flags.boolean({ summary: 'Create players that do not exist' }),
    repeats: Flags.boolean({ summary: 'Allow rows with the same player, direction and amount' }),
    again: Flags.boolean({ summary: 'Allow transfers that are already in another batch' }),
    id: Flags.string({ summary: 'Batch ID, used once (default: generated)', helpValue: 'ID' }),
    note: Flags.string({ summary: 'Purpose of the batch', helpValue: 'TEXT' }),
    ...asFlag,
    ...attemptsFlag,
    ...shareFlags,
    ...bookFlag,
    ...dryRunFlag,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const [{ planId, digest, madeAt, ...fields }, row] = [planFields(shapes), planRowSchema(shapes)]
    const { txnId, ...cells } = row.properties
    const unmade = { description: 'Null in a dry run without --id, because it is derived from the ID.' }
    return Type.Object({
      ...fields,
      planId: Type.Union([planId, Type.Null()], { description: 'Null in a dry run.' }),
      digest: Type.Union([digest, Type.Null()], unmade),
      madeAt: Type.Union([madeAt, Type.Null()], { description: 'Null in a dry run.' }),
      transfers: Type.Array(Type.Object({ ...cells, txnId: Type.Union([txnId, Type.Null()], unmade) })),
      newPlayers: Type.Array(Type.String(), { description: 'Players that the deposits would create.' }),
      dryRun: Type.Boolean(),
      next: Type.Array(Type.String()),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(WalletPlan)
    refuseFaults([
      flags.currency === undefined ? undefined : currencyFault(flags.currency),
      noteFault(flags.note),
      idFault(flags.id),
    ])
    const by = this.person
    const name = args.file === '-' ? 'stdin' : basename(args.file)
    const bytes = await this.#bytes(args.file)
    const file = await transfersFrom(bytes, {
      name,
      dir: flags.dir as 'in' | 'out' | undefined,
      currency: flags.currency,
      repeats: flags.repeats === true,
    })
    const [{ sha256Hex }, { madeTxnId }] = await Promise.all([
      import('../../src/kit/hmac.ts'),
      import('../../src/domain/wallet/batch.ts'),
    ])
    const clients = await this.services.casino()
    const book = await this.#book(clients)
    const planId = flags.id ?? realAmbient().id()
    if (book && flags.id !== undefined) await this.#refuseNamesake(book, flags.id)
    const wanted = file.rows.map(({ txnId, ...row }, i): PlanRow => {
      const place = i + 1
      return { ...row, place, txnId: txnId ?? madeTxnId(planId, place) }
    })
    const sourceSha256 = sha256Hex(bytes)
    if (book) await this.#refuseKnown(book, file, { sourceSha256, rows: wanted, again: flags.again === true })
    const players = await this.#players(clients, file, flags)
    // Uses the platform's spelling of the name if the player exists.
    const rows = wanted.map((row) => ({
      ...row,
      username: players.get(foldUsername(row.username))?.username ?? row.username,
    }))
    const { companyCode, environment, target } = clients.casinoAccess
    const draft = {
      ...{ planId, companyCode, environment, target, source: name, sourceSha256, by, rows },
      note: flags.note ?? null,
      creates: flags.create === true,
    }
    const kept = await this.#keep(this.isDryRun ? undefined : book, draft, flags)
    const report = this.reportOf(kept, [], { done: 0, refused: 0, unknown: 0 })
    const newPlayers = [...new Set(rows.map(({ username }) => foldUsername(username)))].filter(
      (key) => !players.has(key),
    )
    if (!this.isDryRun) return this.#told(report, rows, newPlayers)
    const given = new Set(file.rows.flatMap(({ txnId }) => txnId ?? []))
    return this.#rehearsed(report, { args, flags, given, rows, newPlayers })
  }

  async #bytes(file: string): Promise<Uint8Array> {
    try {
      return await readBytes(file)
    } catch (error) {
      if (error instanceof Problem && /^[0-9A-Z]{26}$/i.test(file))
        throw new Problem(
          error.code,
          `${error.message}. To show a batch: ${this.next('wallet plans', file)}`,
          error.detail,
        )
      throw error
    }
  }

  /** A dry run reads an existing book but does not create one. */
  async #book({ casinoAccess }: Clients): Promise<Book | undefined> {
    const { openBookIfThere, openBookOf } = await import('../../src/world/clients/book-location.ts')
    const open = this.isDryRun ? openBookIfThere : openBookOf
    const book = await open(this.settings, this.profile, casinoAccess)
    if (book) this.closeLater(() => book.close())
    return book
  }

  async #refuseNamesake(book: Book, planId: string): Promise<void> {
    const { refuseNamesake } = await import('../../src/operator/transfers/batches.ts')
    await refuseNamesake(book, planId)
  }

  /** Rejects what the book alone can reject: used transfer IDs and transfers of an earlier batch. */
  async #refuseKnown(
    book: Book,
    { rows: asked, unit }: TransferFile,
    { sourceSha256, rows, again }: { sourceSha256: string; rows: readonly PlanRow[]; again: boolean },
  ): Promise<void> {
    const { findDuplicate, planExists, usedText, usedTxnIds } = await import('../../src/operator/transfers/batches.ts')
    const given = new Map(asked.flatMap(({ txnId, line }) => (txnId === undefined ? [] : [[txnId, line] as const])))
    const used = await usedTxnIds(book, [...given.keys()])
    // Every ID of a repeated file is used; the useful message is that the file is already in a batch.
    const twin = again ? undefined : await findDuplicate(book, { sourceSha256, rows })
    if (twin) throw planExists(twin)
    if (used.length === 0) return
    const faults = used.map((each) => ({
      ...{ line: given.get(each.txnId) ?? 0, field: 'txnId', code: 'TXN_CONFLICT' },
      message: `the transfer ID ${each.txnId} ${usedText(each)}`,
    }))
    throw faultyRows('TXN_CONFLICT', faults, unit, rows.length)
  }

  /** Looks up all players, and rejects all rows at once that would fail now. */
  async #players({ casinoTransport, casinoAccess }: Clients, { rows, unit }: TransferFile, flags: PlanFlags) {
    const [{ playersNamed }, { withinShare }, { foresee }, { patienceHere }] = await Promise.all([
      import('../../src/operator/transfers/batch-players.ts'),
      import('../../src/operator/rate-share/transport.ts'),
      import('../../src/domain/wallet/batch.ts'),
      import('../../src/cli/framework/rate-share-flags.ts'),
    ])
    const retryOptions = patienceHere(this.settings, (text) => this.note(text), this.stop)
    const share = { environment: casinoAccess.environment, rateShare: flags['rate-share'], rate: flags.rate }
    const transport = await withinShare(casinoTransport, share, retryOptions)
    const names = rows.map(({ username }) => username)
    const total = new Set(names.map(foldUsername)).size
    const progress = this.progress('Looking up players', total)
    let players: ReadonlyMap<string, KnownPlayer>
    try {
      players = await playersNamed(transport, names, {
        ...{ retryOptions, atOnce, stop: this.stop },
        onPlayer: (done) => progress.update(done),
      })
      progress.end(`${players.size} of ${total} found`)
    } catch (error) {
      progress.end('stopped; no batch was created')
      throw error
    }
    const creates = flags.create === true
    const foreseen = foresee(rows, players, { creates })
    const [first] = foreseen
    if (first)
      throw faultyRows(
        first.code,
        withSimilarNames(foreseen, knownNames(this.settings.paths, 'users')),
        unit,
        rows.length,
      )
    for (const warning of batchWarnings(rows, players)) this.warn(warning)
    return players
  }

  async #keep(
    book: Book | undefined,
    draft: import('../../src/operator/transfers/batches.ts').PlanDraft,
    { again }: PlanFlags,
  ) {
    const { keepWalletPlan, plannedRow } = await import('../../src/operator/transfers/batches.ts')
    if (book === undefined) return plannedRow(draft, Date.now())
    const kept = await keepWalletPlan(book, draft, { again: again === true })
    rememberNames(this.settings.paths, 'plans', [kept.id])
    return kept
  }

  #told(report: PlanReport, rows: readonly PlanRow[], newPlayers: readonly string[]) {
    const next = [this.next('wallet approve', report.planId), this.next('wallet apply', report.planId)]
    this.tellPlan(report)
    if (newPlayers.length > 0) this.footnote(`New players: ${named(newPlayers)}.`)
    this.footnote(
      `Nothing is sent yet. ${report.needsAnother ? 'A second person approves it with' : 'To approve it:'}\n  ${next[0]}\n${report.needsAnother ? 'and it is applied with' : 'To apply it:'}\n  ${next[1]}`,
    )
    return { ...report, transfers: rows.map(untried), newPlayers, dryRun: false, next }
  }

  /** Leaves out the ID and everything derived from it, because the real batch will have another one. */
  #rehearsed(
    report: PlanReport,
    {
      args,
      flags,
      given,
      rows,
      newPlayers,
    }: {
      args: { file: string }
      flags: PlanFlags
      given: ReadonlySet<string>
      rows: readonly PlanRow[]
      newPlayers: readonly string[]
    },
  ) {
    const { dir, currency, create, repeats, again, id, note, as, rate, 'rate-share': share } = flags
    const told = {
      ...{
        dir,
        currency,
        id,
        note,
        as,
        rate: rate?.toString(),
        'rate-share': share === usualShare ? undefined : `${share}`,
      },
      ...{ create: create || undefined, repeats: repeats || undefined, again: again || undefined },
    }
    const next = [typedCommand('wallet plan', [args.file], { ...told, ...placeFlags(this.settings) })]
    this.tellPlan(report, { isRehearsal: true })
    if (newPlayers.length > 0) this.footnote(`New players: ${named(newPlayers)}.`)
    this.footnote(`Valid; no batch was created and nothing was sent. To create it:\n  ${next[0]}`)
    const isKnown = (txnId: string) => id !== undefined || given.has(txnId)
    return {
      ...report,
      ...{ planId: null, madeAt: null, digest: id === undefined ? null : report.digest },
      transfers: rows.map((row) => ({ ...untried(row), txnId: isKnown(row.txnId) ? row.txnId : null })),
      newPlayers,
      dryRun: true,
      next,
    }
  }
}

const untried = (row: PlanRow) =>
  rowReport(row, undefined, { outcome: 'left', code: null, message: null, balance: null, attempts: 0 })

function idFault(id: string | undefined) {
  const message = '--id must have 1 to 40 letters, digits or _ . -, and start with a letter or digit'
  return parameterFault('id', id !== undefined && !planIdPattern.test(id), message)
}

function noteFault(note: string | undefined) {
  const isLong = note !== undefined && (note.length > 200 || /\p{Cc}/u.test(note))
  return parameterFault('note', isLong, '--note must be one line of at most 200 characters')
}
