import { foldUsername } from '../../domain/players/player.ts'
import type { DetectedBreak } from '../../domain/reconcile/breaks.ts'
import { minuteText } from '../../kit/moment.ts'
import { countText } from '../../kit/text/count-text.ts'
import type { WalletReasonCode, WalletResult } from './schema.ts'

/** Messages of the wallet reconciliation. */

const reasonTexts: Readonly<Record<WalletReasonCode, (rest: string | null) => string>> = {
  BOOK_EMPTY: () => 'the book is empty; run first: countroom bets sync --out bets',
  BOOK_AHEAD: () =>
    'the platform does not have the record that the book read last; it was restored from an earlier backup, or is another environment',
  BOOK_BEHIND: () => 'the book is too far behind the platform; run first: countroom bets sync --out bets',
  BOOK_BEGINS_LATER: () =>
    'the book starts after the player was created, so there is no previous balance; the balance is recorded, and the next run proves the change since then',
  BOOK_HAS_GAP: () => 'the book has lost records, so there is no previous balance; the balance is recorded',
  RETENTION: () =>
    'the player is older than the bets the platform keeps, so there is no previous balance; the balance is recorded, and the next run proves the change since then',
  JOURNAL_BEGINS_LATER: (rest) =>
    `the player was created before the journal of this book, and ${rest ?? 'an amount'} is not in it; the balance is recorded, and the next run proves the change since then. If journal and ledgers are complete, --whole proves it from the beginning`,
  PLAYING: () => 'the player keeps betting while the balance is read',
  STAKES_HELD: () => 'the missing amount may be held for open rounds; a run one hour from now or later can decide',
  TIMING: () => 'records or transfers of the same instant may be counted on one side only; the next run can decide',
  TRANSFER_OPEN: () =>
    'the outcome of a transfer is unknown; list them with "countroom wallet journal --state unknown"',
  ADJUSTMENT_UNSIGNED: () => 'the platform does not return the sign of an adjustment; reconcile a ledger that has it',
  RECORD_UNREADABLE: () => 'the book has an unreadable record',
  PLAYER_NOT_FOUND: () => 'the platform does not have the player',
}

export function walletReason(
  code: WalletReasonCode,
  username: string,
  rest: string | null = null,
): WalletResult['reasons'][number] {
  return { code, message: `${username}: ${reasonTexts[code](rest)}` }
}

/** Returns one line about a player. */
export function walletText(result: WalletResult): string {
  const { player, currency, verdict, since, balance, difference, counts, held } = result
  const from = since === null ? '' : since.from === 'beginning' ? 'the beginning' : minuteText(since.at)
  if (verdict === 'balanced') {
    const stakes = held !== null && held !== '0' ? `, ${held} of it held for rounds` : ''
    return `${player}: ${balance} ${currency}, reconciled since ${from} (${countText(counts.transfers, 'transfer')}, ${countText(counts.revisions, 'revision')})${stakes}`
  }
  if (verdict === 'differences')
    return `${player}: ${balance} ${currency} is ${offText(difference ?? '0')} expected since ${from}`
  return result.reasons.map(({ message }) => message).join('; ')
}

function offText(difference: string): string {
  return difference.startsWith('-') ? `${difference.slice(1)} less than` : `${difference} more than`
}

export function walletBreak(result: WalletResult, subject: string): DetectedBreak {
  return {
    kind: 'wallet',
    subject,
    date: null,
    player: foldUsername(result.player),
    currency: result.currency,
    amount: result.difference,
    message: walletText(result),
    fingerprint: `${result.difference}`,
    detail: result,
  }
}

/** Returns the next steps, most useful first. */
export function walletNext(results: readonly WalletResult[]): string[] {
  const codes = new Set(results.flatMap(({ reasons }) => reasons.map(({ code }) => code)))
  const leads = new Set(
    results.flatMap((each) => (each.verdict === 'differences' ? each.leads.map(({ code }) => code) : [])),
  )
  const steps: string[] = []
  const add = (isNeeded: boolean, step: string) => {
    if (isNeeded) steps.push(step)
  }
  add(
    codes.has('BOOK_AHEAD') || codes.has('RECORD_UNREADABLE'),
    'Sync the platform into a new book and folder: countroom bets sync --out bets-new --book book-new.db',
  )
  add(
    codes.has('BOOK_EMPTY') || codes.has('BOOK_BEHIND'),
    'Sync the records, then run this again: countroom bets sync --out bets',
  )
  add(leads.has('TRANSFER_NOT_AT_PLATFORM'), 'Ask the platform about the transfers that it confirmed but no longer has')
  add(
    leads.has('UNKNOWN_MOVEMENT') || codes.has('JOURNAL_BEGINS_LATER'),
    'Reconcile the transfers and manual adjustments of other systems with "reconcile transfers", then run this again',
  )
  const [breakId] = results.flatMap((each) => (each.leads.length > 0 && each.breakId !== null ? [each.breakId] : []))
  add(leads.size > 0 && breakId !== undefined, `Analyze the difference: countroom reconcile explain ${breakId}`)
  add(
    codes.has('BOOK_BEGINS_LATER') ||
      codes.has('BOOK_HAS_GAP') ||
      codes.has('RETENTION') ||
      codes.has('PLAYING') ||
      codes.has('STAKES_HELD') ||
      codes.has('TIMING'),
    'Run this again later; it proves the change between the two readings',
  )
  return steps
}
