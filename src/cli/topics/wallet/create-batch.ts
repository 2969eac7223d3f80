import { basename } from 'node:path'
import { foldUsername } from '../../../domain/players/player.ts'
import { type BatchItem, type KnownPlayer, planIdPattern } from '../../../domain/wallet/batch.ts'
import { currencyFault } from '../../../domain/wallet/transfer-faults.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { grouped } from '../../../kit/text/count-text.ts'
import type { Book } from '../../../operator/book/book.ts'
import { withinShare } from '../../../operator/rate-share/transport.ts'
import { type TransferFile, transfersFrom } from '../../../operator/transfers/batch-file.ts'
import { playersNamed } from '../../../operator/transfers/batch-players.ts'
import { type BatchReport, batchReport } from '../../../operator/transfers/batch-report.ts'
import { batchWarnings, named } from '../../../operator/transfers/batch-warnings.ts'
import { type BatchDraft, batchRowOf, refuseUsedId, storeBatch } from '../../../operator/transfers/batches.ts'
import {
  draftRows,
  forecastFaults,
  newPlayersIn,
  refuseDuplicate,
  refuseFaulty,
  usedFaults,
  withPlatformNames,
} from '../../../operator/transfers/draft-batch.ts'
import { openBookIfThere, openBookOf } from '../../../world/clients/book-location.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import { parameterFault, refuseFaults } from '../../arguments/validate.ts'
import type { CommandContext } from '../../context/context.ts'
import { decidingPerson } from '../../context/deciding-person.ts'
import { targetFlags } from '../../context/suggested-command.ts'
import { knownNames } from '../../framework/completion.ts'
import { batchRetryOptions, defaultShare } from '../../framework/rate-share-flags.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import { readBytes } from '../../terminal/read-input.ts'
import { approvalRules } from './approval-settings.ts'
import { approvalStep, batchCommand } from './batch-checks.ts'
import { printBatch, rowReport } from './batch-view.ts'

/** Number of players that are looked up in parallel. */
const concurrency = 8

/** Parsed flags of `wallet plan`. */
interface CreateFlags {
  readonly dir?: string | undefined
  readonly currency?: string | undefined
  readonly 'allow-duplicates'?: boolean
  readonly id?: string | undefined
  readonly as?: string | undefined
  readonly create?: boolean
  readonly again?: boolean
  readonly note?: string | undefined
  readonly rate?: number | undefined
  readonly 'rate-share': number
  readonly 'passphrase-file'?: string | undefined
}

/** A batch of this run, stored or, in a dry run, only validated. */
interface CreatedBatch {
  readonly report: BatchReport
  readonly rows: readonly BatchItem[]
  readonly newPlayers: readonly string[]
}

/** Creates a batch from the transfers of a file. Nothing is sent. */
export async function createBatch(context: CommandContext, path: string, flags: CreateFlags) {
  refuseFaults([
    flags.currency === undefined ? undefined : currencyFault(flags.currency),
    noteFault(flags.note),
    idFault(flags.id),
  ])
  const name = path === '-' ? 'stdin' : basename(path)
  const bytes = await fileBytes(context, path)
  const file = await transfersFrom(bytes, {
    name,
    // The parser accepts only these values.
    dir: flags.dir as 'in' | 'out' | undefined,
    currency: flags.currency,
    repeats: flags['allow-duplicates'] === true,
  })
  if (file.rows.length === 0) refuseFaulty(file, file.faults)
  const { clients, book } = await opened(context, file)
  const by = await decidingPerson(context, book, flags['passphrase-file'])
  const planId = flags.id ?? realAmbient().id()
  const typedRows = draftRows(file, planId)
  const sourceSha256 = sha256Hex(bytes)
  if (book && file.faults.length === 0) {
    if (flags.id !== undefined) await refuseUsedId(book, flags.id)
    // Every ID of a repeated file is used; the useful message is that the file is already in a batch.
    await refuseDuplicate(book, { sourceSha256, rows: typedRows, again: flags.again === true })
  }
  const players = await checkedPlayers(context, { clients, book }, file, flags)
  const rows = withPlatformNames(typedRows, players)
  const { companyCode, environment, target } = clients.casinoAccess
  const draft: BatchDraft = {
    ...{ planId, companyCode, environment, target, source: name, sourceSha256, by, rows },
    note: flags.note ?? null,
    creates: flags.create === true,
  }
  const head = await storedBatch(context, book, draft, flags)
  const report = batchReport(head, [], { done: 0, refused: 0, unknown: 0 }, approvalRules(context.settings))
  const batch: CreatedBatch = { report, rows, newPlayers: newPlayersIn(rows, players) }
  return context.isDryRun
    ? printValidated(context, batch, { path, file, flags })
    : await printCreated(context, book, batch)
}

async function fileBytes(context: CommandContext, path: string): Promise<Uint8Array> {
  try {
    return await readBytes(path)
  } catch (error) {
    if (error instanceof Problem && /^[0-9A-Z]{26}$/i.test(path))
      throw new Problem(
        error.code,
        `${error.message}. To show a batch: ${batchCommand(context, 'wallet plans', path)}`,
        error.detail,
      )
    throw error
  }
}

/** A dry run reads an existing book but does not create one. */
async function bookFor(context: CommandContext, { casinoAccess }: Clients): Promise<Book | undefined> {
  const open = context.isDryRun ? openBookIfThere : openBookOf
  const book = await open(context.settings, context.profile, casinoAccess)
  if (book) context.closeLater(() => book.close())
  return book
}

interface Opened {
  readonly clients: Clients
  readonly book: Book | undefined
}

/** Opens the platform and the book. If that fails, errors of the file are still reported. */
async function opened(context: CommandContext, file: TransferFile): Promise<Opened> {
  try {
    const clients = await context.services.casino()
    return { clients, book: await bookFor(context, clients) }
  } catch (error) {
    if (isProblem(error)) refuseFaulty(file, file.faults, error)
    throw error
  }
}

/**
 * Looks up all players, rejects at once all rows that are invalid, used or would fail now, and warns about unusual ones. If
 * the platform cannot be asked, the errors known so far are reported.
 */
async function checkedPlayers(
  context: CommandContext,
  { clients, book }: Opened,
  file: TransferFile,
  flags: CreateFlags,
): Promise<ReadonlyMap<string, KnownPlayer>> {
  const known = [...file.faults, ...(book ? await usedFaults(book, file) : [])]
  const players = await lookUpPlayers(context, clients, file, flags).catch((error) => {
    if (isProblem(error)) refuseFaulty(file, known, error)
    throw error
  })
  const rejected = forecastFaults(file, players, {
    creates: flags.create === true,
    knownNames: knownNames(context.settings.paths, 'users'),
  })
  refuseFaulty(file, [...known, ...rejected])
  for (const warning of batchWarnings(file.rows, players)) context.warn(warning)
  return players
}

async function lookUpPlayers(
  context: CommandContext,
  { casinoTransport, casinoAccess }: Clients,
  { rows }: TransferFile,
  flags: CreateFlags,
): Promise<ReadonlyMap<string, KnownPlayer>> {
  const retryOptions = batchRetryOptions(context.settings, (text) => context.note(text), context.stop)
  const share = { environment: casinoAccess.environment, rateShare: flags['rate-share'], rate: flags.rate }
  const transport = await withinShare(casinoTransport, share, retryOptions)
  const names = rows.map(({ username }) => username)
  const total = new Set(names.map(foldUsername)).size
  const progress = context.progress('Looking up players', total)
  try {
    const players = await playersNamed(transport, names, {
      ...{ retryOptions, concurrency, stop: context.stop },
      onPlayer: (done) => progress.update(done),
    })
    progress.end(`${grouped(players.size)} of ${grouped(total)} found`)
    return players
  } catch (error) {
    progress.end('stopped; no batch was created')
    throw error
  }
}

/** Stores the batch, or returns its row unstored in a dry run. */
async function storedBatch(context: CommandContext, book: Book | undefined, draft: BatchDraft, { again }: CreateFlags) {
  if (context.isDryRun || book === undefined) return batchRowOf(draft, Date.now())
  return storeBatch(book, draft, { again: again === true })
}

async function printCreated(
  context: CommandContext,
  book: Book | undefined,
  { report, rows, newPlayers }: CreatedBatch,
) {
  const { planId, needsAnother } = report
  const { command: approve, text } = await approvalStep(context, book, report)
  const apply = batchCommand(context, 'wallet apply', planId)
  printBatch(context, report)
  if (newPlayers.length > 0) context.footnote(`New players: ${named(newPlayers)}.`)
  context.footnote(
    `Nothing is sent yet.${needsAnother ? ' A second person must approve it.' : ''}\n${text}\nTo apply it: ${apply}`,
  )
  return { ...report, transfers: rows.map(notSentRow), newPlayers, dryRun: false, next: [approve, apply] }
}

/** Prints a dry run. Leaves out the ID and everything derived from it, because the real batch will have another one. */
function printValidated(
  context: CommandContext,
  { report, rows, newPlayers }: CreatedBatch,
  { path, file, flags }: { path: string; file: TransferFile; flags: CreateFlags },
) {
  const { dir, currency, create, again, id, note, as, rate, 'rate-share': share } = flags
  const allowDuplicates = flags['allow-duplicates'] || undefined
  const repeated = {
    ...{ dir, currency, id, note, as, rate: rate?.toString() },
    'rate-share': share === defaultShare ? undefined : `${share}`,
    ...{ create: create || undefined, 'allow-duplicates': allowDuplicates, again: again || undefined },
  }
  const next = typedCommand('wallet plan', [path], { ...repeated, ...targetFlags(context.settings) })
  printBatch(context, report, { isDryRun: true })
  if (newPlayers.length > 0) context.footnote(`New players: ${named(newPlayers)}.`)
  context.footnote(`Valid; no batch was created and nothing was sent. To create it:\n  ${next}`)
  const fileTxnIds = new Set(file.rows.flatMap(({ txnId }) => txnId ?? []))
  const isKnown = (txnId: string) => id !== undefined || fileTxnIds.has(txnId)
  return {
    ...report,
    ...{ planId: null, madeAt: null, digest: id === undefined ? null : report.digest },
    transfers: rows.map((row) => ({ ...notSentRow(row), txnId: isKnown(row.txnId) ? row.txnId : null })),
    newPlayers,
    dryRun: true,
    next: [next],
  }
}

const notSentRow = (row: BatchItem) =>
  rowReport(row, undefined, { outcome: 'left', code: null, message: null, balance: null, attempts: 0 })

function idFault(id: string | undefined) {
  const message = '--id must have 1 to 40 letters, digits or _ . -, and start with a letter or digit'
  return parameterFault('id', id !== undefined && !planIdPattern.test(id), message)
}

function noteFault(note: string | undefined) {
  const isLong = note !== undefined && (note.length > 200 || /\p{Cc}/u.test(note))
  return parameterFault('note', isLong, '--note must be one line of at most 200 characters')
}
