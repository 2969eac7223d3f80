/**
 * Compares the operator's ledger of transfers with the platform's and our journal, one transfer at a time. Rules only:
 * reading the sides happens elsewhere.
 */
import { formatUnits, playerScale } from '../money.ts'
import { foldUsername } from '../players/player.ts'

export const ledgerDirs = ['in', 'out', 'adjust'] as const
export type LedgerDir = (typeof ledgerDirs)[number]

/** A transfer in the operator's ledger. */
export interface LedgerTransfer {
  readonly txnId: string
  readonly username: string
  readonly dir: LedgerDir
  /** Positive units; negative for an adjustment that took money away. */
  readonly amount: bigint
  readonly currency: string
  /** Epoch milliseconds; null if the ledger does not say. */
  readonly at: number | null
  /** Line in the file; null if it is not from a file. */
  readonly line: number | null
}

/** The same transfer on the platform. */
export interface PlatformTransfer {
  readonly username: string
  readonly dir: LedgerDir
  /** Positive, for adjustments too. */
  readonly amount: bigint
  /** Currency of the player, which a record does not contain; null if unknown. */
  readonly currency: string | null
}

/** The same transfer in our journal. */
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

/** Returns how the platform's transfer differs from the ledger's; undefined if they agree. */
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

/** Returns how our journal's transfer differs, or that it failed there. An open journal entry says nothing. */
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
    ledger: transferText(ledger),
    other: `${transferText({ username, dir, amount, currency })}, ${state}`,
  }
}

/**
 * Returns the result for a transfer that the platform does not have. A recent one, or one first looked up now whose
 * time is unknown, may still be under way.
 */
export function resultOfMissing(
  { madeAt, firstLookupAt }: { readonly madeAt: number | null; readonly firstLookupAt: number },
  { now, freshMs }: { readonly now: number; readonly freshMs: number },
): 'missing-at-platform' | 'undecided' {
  return now - (madeAt ?? firstLookupAt) >= freshMs ? 'missing-at-platform' : 'undecided'
}

/** Returns the change of the balance; null for an adjustment of unknown sign. */
export function changeOf(
  { dir, amount }: { dir: LedgerDir; amount: bigint },
  adjustment: bigint | null,
): bigint | null {
  if (dir === 'adjust') return adjustment === null ? null : adjustment < 0n ? -amount : amount
  return dir === 'in' ? amount : -amount
}

export function transferText(transfer: { username: string; dir: LedgerDir; amount: bigint; currency: string }): string {
  const words = { in: 'deposit', out: 'withdrawal', adjust: 'adjustment' } as const
  return `${words[transfer.dir]} of ${text(transfer.amount)} ${transfer.currency} of ${transfer.username}`
}

const text = (units: bigint) => formatUnits(units, playerScale)

export const transferVerdicts = ['balanced', 'cannot-conclude', 'differences'] as const

/** Returns the verdict. A difference wins over every doubt; without one, any doubt makes it inconclusive. */
export function transfersVerdict(results: Iterable<TransferResult>, doubts: number): (typeof transferVerdicts)[number] {
  let isOpen = doubts > 0
  for (const result of results) {
    if (result !== 'matched' && result !== 'undecided') return 'differences'
    if (result === 'undecided') isOpen = true
  }
  return isOpen ? 'cannot-conclude' : 'balanced'
}
