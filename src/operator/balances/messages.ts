import { foldUsername } from '../../domain/players/player.ts'
import type { FoundBreak } from '../../domain/reconcile/breaks.ts'
import type { WalletReasonCode, WalletResult } from './schema.ts'

/** What a proof of balances says in sentences. */

const reasonTexts: Readonly<Record<WalletReasonCode, (rest: string | null) => string>> = {
  BOOK_EMPTY: () => 'nothing was ever pulled into this book: "countroom bets sync" comes first',
  BOOK_AHEAD: () =>
    'the platform does not have the record that the book read last: it was restored from an earlier backup, or is another environment',
  BOOK_BEHIND: () => 'the book is too far behind the platform: "countroom bets sync" comes first',
  BOOK_BEGINS_LATER: () =>
    'the book begins after the player did, so nothing goes before this balance; it is noted, and the next run proves what moved since',
  BOOK_HAS_GAP: () => 'records were lost to the book for good, so nothing goes before this balance; it is noted',
  RETENTION: () =>
    'the platform does not keep bets for as long as the player has been there, so nothing goes before this balance; it is noted, and the next run proves what moved since',
  JOURNAL_BEGINS_LATER: (rest) =>
    `the player came into being before this book's journal, and ${rest ?? 'an amount'} is not in it; the balance is noted, and the next run proves what moved since. With every transfer there ever was in the journal and in ledgers, --whole proves it from the beginning`,
  PLAYING: () => 'the player goes on playing while it is read',
  STAKES_HELD: () =>
    'what is missing may be held for rounds that are not over: the next run an hour from now or later knows what they held',
  TIMING: () => 'records or transfers of the very moment may be counted on one side only: the next run knows',
  TRANSFER_OPEN: () =>
    'a transfer of ours may be carried out or not: "countroom wallet journal --state unknown" shows it',
  ADJUSTMENT_UNSIGNED: () => 'the platform does not say which way an adjustment went: a ledger with its sign does',
  RECORD_UNREADABLE: () => 'the book holds a record that cannot be read',
  PLAYER_NOT_FOUND: () => 'the platform does not know the player',
}

export function walletReason(
  code: WalletReasonCode,
  username: string,
  rest: string | null = null,
): WalletResult['reasons'][number] {
  return { code, message: `${username}: ${reasonTexts[code](rest)}` }
}

/** One line about a player. */
export function walletText(result: WalletResult): string {
  const { player, currency, verdict, since, balance, difference, counts, held } = result
  const from = since === null ? '' : since.from === 'beginning' ? 'the beginning' : `${minuteOf(since.at)}`
  if (verdict === 'balanced') {
    const stakes = held !== null && held !== '0' ? `, ${held} of it held for rounds` : ''
    return `${player}: ${balance} ${currency}, all of it accounted for since ${from} (${counts.transfers} transfers, ${counts.revisions} revisions)${stakes}`
  }
  if (verdict === 'differences')
    return `${player}: ${balance} ${currency} is ${offText(difference ?? '0')} what is accounted for since ${from}`
  return result.reasons.map(({ message }) => message).join('; ')
}

function offText(difference: string): string {
  return difference.startsWith('-') ? `${difference.slice(1)} less than` : `${difference} more than`
}

const minuteOf = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`

export function walletBreak(result: WalletResult, subject: string): FoundBreak {
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

/** What to do about it, most useful first. */
export function walletNext(results: readonly WalletResult[]): string[] {
  const codes = new Set(results.flatMap(({ reasons }) => reasons.map(({ code }) => code)))
  const leads = new Set(
    results.flatMap((each) => (each.verdict === 'differences' ? each.leads.map(({ code }) => code) : [])),
  )
  const steps: string[] = []
  const add = (isWanted: boolean, step: string) => {
    if (isWanted) steps.push(step)
  }
  add(
    codes.has('BOOK_AHEAD'),
    'Read the platform into a book and folder of its own: "countroom bets sync" names the command',
  )
  add(
    codes.has('BOOK_EMPTY') || codes.has('BOOK_BEHIND'),
    'Pull the records with countroom bets sync, then run this again',
  )
  add(
    leads.has('TRANSFER_NOT_AT_PLATFORM'),
    'Ask the platform about the transfers that it said were done and does not know',
  )
  add(
    leads.has('UNKNOWN_MOVEMENT') || codes.has('JOURNAL_BEGINS_LATER'),
    'Give the transfers of other systems, and adjustments made by hand, to countroom reconcile transfers; then run this again',
  )
  add(leads.size > 0, 'See what lies behind a difference with countroom reconcile explain BREAK')
  add(
    codes.has('BOOK_BEGINS_LATER') ||
      codes.has('BOOK_HAS_GAP') ||
      codes.has('RETENTION') ||
      codes.has('PLAYING') ||
      codes.has('STAKES_HELD') ||
      codes.has('TIMING'),
    'Run this again later: it proves what moved between the two readings',
  )
  return steps
}
