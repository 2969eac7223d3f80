import { aboveLimits } from '../../../domain/wallet/approval.ts'
import { Problem } from '../../../kit/problem.ts'
import { quoted } from '../../../kit/shell-quote.ts'
import type { TransferInput } from '../../../operator/transfers/journal.ts'
import type { Transferred } from '../../../operator/transfers/transfer.ts'
import { isLive } from '../../../world/config/profiles.ts'
import type { CommandContext } from '../../context/context.ts'
import { targetFlags } from '../../context/suggested-command.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import { limitsIn } from './approval-settings.ts'

/** Transfers that are not carried out, each with the command that is safe to run next. */

/** Describes a transfer in the imperative. */
export function transferText({ dir, amount, currency }: TransferInput, player: string): string {
  const money = `${amount} ${currency}`
  return dir === 'in' ? `Deposit ${money} to ${player}` : `Withdraw ${money} from ${player}`
}

/** Rejects amounts above the limit: they need a second person, and so a batch of one row. */
export function refuseAboveLimit({ settings }: CommandContext, input: TransferInput): void {
  const { username, dir, amount, currency } = input
  if (aboveLimits([{ amount, currency }], limitsIn(settings)).length === 0) return
  const { approvalAbove } = settings.settings
  const row = `username,dir,amount,currency\\n${[username, dir, amount, currency].join(',')}\\n`
  throw new Problem(
    'APPROVAL_NEEDED',
    `${transferText(input, username)}: the amount exceeds approvalAbove (${approvalAbove}), so a second person must approve it. Nothing was sent. To create a batch with it: printf %b ${quoted(row)} | countroom wallet plan -`,
    { username, dir, amount, currency, approvalAbove },
  )
}

/** Creates the problem of a transfer that was rejected, not sent, or whose outcome is unknown. */
export function transferProblem(
  context: CommandContext,
  end: Exclude<Transferred, { kind: 'done' }>,
  input: TransferInput,
  create: boolean,
): Problem {
  const { problem, kind, row } = end
  const { txnId, username, dir, amount, currency } = input
  const about = { txnId, username, dir, amount, currency, attempts: row.attempts }
  if (kind === 'refused') {
    return new Problem(problem.code, problem.message, { ...problem.detail, ...about }, { cause: problem })
  }
  const again = commandAgain(context, input, create)
  if (kind === 'unsent') {
    const message = `${problem.message}. Nothing was carried out. To continue this transfer: ${again}`
    return new Problem(problem.code, message, { ...problem.detail, ...about, next: [again] }, { cause: problem })
  }
  return new Problem(
    'MONEY_UNKNOWN',
    `Unknown outcome: ${transferText(input, username)}, txnId ${txnId}. To find out and finish it: ${again}. Never send it with another transfer ID`,
    { ...about, reason: problem.code, next: [again, lookUpCommand(context, input)] },
    { cause: problem },
  )
}

/** Returns the command that sends the same transfer again. */
function commandAgain(
  { settings, profile }: CommandContext,
  { txnId, username, amount, currency, dir }: TransferInput,
  create: boolean,
): string {
  return typedCommand(dir === 'in' ? 'wallet deposit' : 'wallet withdraw', [username, amount, currency], {
    txn: txnId,
    create: create || undefined,
    ...targetFlags(settings),
    ...(isLive(profile.profile) ? { yes: true, 'confirm-total': `${amount}:${currency}` } : {}),
  })
}

/** Returns the command that looks up a transfer and saves its state in the book. */
export function lookUpCommand({ settings }: CommandContext, { txnId, username }: TransferInput): string {
  return typedCommand('wallet transfer', [txnId], { user: username, ...targetFlags(settings) })
}
