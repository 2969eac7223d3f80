/**
 * The operator's own ledger of transfers against the platform's and our journal, one transfer at a time. Rules only: where
 * the sides come from is decided elsewhere.
 */
import { formatUnits, playerScale } from '../money.ts'
import { foldUsername } from '../players/player.ts'

export const ledgerDirs = ['in', 'out', 'adjust'] as const
export type LedgerDir = (typeof ledgerDirs)[number]

/** A transfer as the operator's ledger has it. */
export interface LedgerTransfer {
  readonly txnId: string
  readonly username: string
  readonly dir: LedgerDir
  /** Units above zero; below zero for an adjustment that took money away. */
  readonly amount: bigint
  readonly currency: string
  /** Epoch milliseconds; null where the ledger does not say. */
  readonly at: number | null
  /** Where it stands in the file; null for one that is not from a file. */
  readonly line: number | null
}

/** The same transfer as the platform has it. */
export interface PlatformTransfer {
  readonly username: string
  readonly dir: LedgerDir
  /** Above zero, for adjustments too. */
  readonly amount: bigint
  /** Of the player: a record does not say it. Null where that is not known. */
  readonly currency: string | null
}

/** The same transfer as our journal has it. */
export interface JournalTransfer {
  readonly username: string
  readonly dir: 'in' | 'out'
  readonly amount: bigint
  readonly currency: string
  readonly state: 'new' | 'unknown' | 'done' | 'refused'
}

export const transferResults = [
  'matched',
  'different',
  'missing-at-platform',
  'missing-in-ledger',
  'gone-from-ledger',
  'undecided',
] as const
export type TransferResult = (typeof transferResults)[number]

export interface TransferDifference {
  readonly field: 'player' | 'dir' | 'amount' | 'currency' | 'journal'
  readonly ledger: string
  readonly other: string
}

/** In what a transfer is another one at the platform; nothing where both sides say the same. */
export function differencesOf(ledger: LedgerTransfer, platform: PlatformTransfer): TransferDifference[] {
  const amount = ledger.amount < 0n ? -ledger.amount : ledger.amount
  const { currency } = platform
  return [
    ...(foldUsername(ledger.username) === foldUsername(platform.username)
      ? []
      : [{ field: 'player' as const, ledger: ledger.username, other: platform.username }]),
    ...(ledger.dir === platform.dir ? [] : [{ field: 'dir' as const, ledger: ledger.dir, other: platform.dir }]),
    ...(amount === platform.amount
      ? []
      : [{ field: 'amount' as const, ledger: text(amount), other: text(platform.amount) }]),
    ...(currency === null || currency.toUpperCase() === ledger.currency.toUpperCase()
      ? []
      : [{ field: 'currency' as const, ledger: ledger.currency, other: currency }]),
  ]
}

/** In what our journal speaks of another transfer, or says that it never came about. Where it is open it says nothing. */
export function journalDifference(
  ledger: LedgerTransfer,
  journal: JournalTransfer | undefined,
): TransferDifference | undefined {
  if (!journal) return undefined
  const isSame =
    foldUsername(ledger.username) === foldUsername(journal.username) &&
    ledger.dir === journal.dir &&
    ledger.amount === journal.amount &&
    ledger.currency.toUpperCase() === journal.currency.toUpperCase()
  if (isSame && journal.state !== 'refused') return undefined
  const { username, dir, amount, currency, state } = journal
  return {
    field: 'journal',
    ledger: orderText(ledger),
    other: `${orderText({ username, dir, amount, currency })}, ${state}`,
  }
}

/**
 * What a transfer that the platform does not know is. One that was made only just now, or asked about for the first time
 * where nobody says when it was made, may be still under way there.
 */
export function resultOfMissing(
  { madeAt, firstAskedAt }: { readonly madeAt: number | null; readonly firstAskedAt: number },
  { now, freshMs }: { readonly now: number; readonly freshMs: number },
): 'missing-at-platform' | 'undecided' {
  return now - (madeAt ?? firstAskedAt) >= freshMs ? 'missing-at-platform' : 'undecided'
}

/** What a transfer did to the balance; null for an adjustment whose sign nobody told. */
export function changeOf(
  { dir, amount }: { dir: LedgerDir; amount: bigint },
  adjustment: bigint | null,
): bigint | null {
  if (dir === 'adjust') return adjustment === null ? null : adjustment < 0n ? -amount : amount
  return dir === 'in' ? amount : -amount
}

export function orderText(order: { username: string; dir: LedgerDir; amount: bigint; currency: string }): string {
  const words = { in: 'deposit', out: 'withdrawal', adjust: 'adjustment' } as const
  return `${words[order.dir]} of ${text(order.amount)} ${order.currency} of ${order.username}`
}

const text = (units: bigint) => formatUnits(units, playerScale)

export const transferVerdicts = ['balanced', 'cannot-conclude', 'differences'] as const

/** A difference comes first: it does not go away. What is undecided forbids to say that all is well. */
export function transfersVerdict(results: Iterable<TransferResult>, doubts: number): (typeof transferVerdicts)[number] {
  let isOpen = doubts > 0
  for (const result of results) {
    if (result !== 'matched' && result !== 'undecided') return 'differences'
    if (result === 'undecided') isOpen = true
  }
  return isOpen ? 'cannot-conclude' : 'balanced'
}
