import { Problem } from '../../kit/problem.ts'
import type { NamedProfile } from '../../world/config/profile-schema.ts'
import { isLive } from '../../world/config/profiles.ts'
import type { Total } from '../framework/flags.ts'
import type { Prompts } from '../terminal/prompts.ts'

/** A transfer of money to confirm. */
export interface MoneyMove extends Total {
  /** Description in the imperative: `Withdraw 100 USD from amy`. */
  readonly action: string
  /** Player to type again. Absent if the transfer has many. */
  readonly player?: string
}

interface ConfirmationFlags {
  readonly yes?: boolean | undefined
  readonly 'confirm-total'?: Total | undefined
}

/**
 * Confirms a transfer of real money: the user types amount, currency and player again, or passes `--yes` with
 * `--confirm-total`. `--yes` alone is not enough, because scripts written for the sandbox have it too.
 */
export async function confirmMoney(
  prompts: Prompts,
  { profile }: NamedProfile,
  move: MoneyMove,
  flags: ConfirmationFlags,
): Promise<void> {
  if (!isLive(profile)) return
  const total = `${move.amount}:${move.currency}`
  const flag = `--yes --confirm-total ${total}`
  const confirmedTotal = flags['confirm-total']
  if (flags.yes && confirmedTotal !== undefined) {
    if (isSame(confirmedTotal, move)) return
    throw refused(`--confirm-total is ${confirmedTotal.amount}:${confirmedTotal.currency}, but the total is ${total}`)
  }
  const subject = `${move.action} on a live profile`
  const amount = await prompts.text({ message: `${subject}. Type the amount again:`, subject, flag })
  const currency = await prompts.text({ message: 'Type the currency again:', flag })
  if (!isSame({ amount, currency }, move))
    throw refused(`The confirmation does not match ${move.amount} ${move.currency}; nothing was sent`)
  if (move.player === undefined) return
  const player = await prompts.text({ message: 'Type the player again:', flag })
  if (player.toLowerCase() !== move.player.toLowerCase())
    throw refused('The confirmation does not match the player; nothing was sent')
}

interface GivenTotals {
  readonly yes?: boolean | undefined
  readonly 'confirm-total'?: readonly Total[] | undefined
}

/**
 * Confirms transfers in several currencies: every total is typed again. Given totals are compared with the real ones on
 * any profile, so that a script can be tested in a sandbox.
 */
export async function confirmTotals(
  prompts: Prompts,
  { profile }: NamedProfile,
  { action, totals }: { readonly action: string; readonly totals: readonly Total[] },
  flags: GivenTotals,
): Promise<void> {
  const confirmedTotals = flags['confirm-total'] ?? []
  const flag = `--yes ${totals.map(({ amount, currency }) => `--confirm-total ${amount}:${currency}`).join(' ')}`
  for (const total of confirmedTotals)
    if (!totals.some((each) => isSame(each, total)))
      throw refused(`--confirm-total is ${total.amount}:${total.currency}, but the totals are ${listed(totals)}`)
  const unconfirmed = totals.filter((total) => !confirmedTotals.some((each) => isSame(each, total)))
  if (flags.yes && confirmedTotals.length > 0) {
    if (unconfirmed.length === 0) return
    throw refused(`Missing --confirm-total for ${listed(unconfirmed)}`)
  }
  if (!isLive(profile)) return
  const subject = `${action} on a live profile`
  for (const total of totals) {
    const amount = await prompts.text({
      message: `${subject}. Type the total of ${total.currency} again:`,
      subject,
      flag,
    })
    if (!isSame({ amount, currency: total.currency }, total))
      throw refused(`The confirmation does not match ${total.amount} ${total.currency}; nothing was sent`)
  }
}

const listed = (totals: readonly Total[]): string =>
  totals.map(({ amount, currency }) => `${amount}:${currency}`).join(' and ')

/** Confirms a dangerous action that moves no money: a public comment, a disabled table, a changed state. */
export async function confirmDanger(
  prompts: Prompts,
  action: string,
  flags: Pick<ConfirmationFlags, 'yes'>,
): Promise<void> {
  if (flags.yes) return
  if (!(await prompts.confirm({ message: `${action}?`, flag: '--yes' })))
    throw refused('Not confirmed; nothing was done')
}

const isSame = (a: Total, b: Total): boolean =>
  plain(a.amount) === plain(b.amount) && a.currency.toUpperCase() === b.currency.toUpperCase()

/** Normalizes a decimal text: no leading and trailing zeros. */
function plain(amount: string): string {
  const [whole = '', part = ''] = amount.trim().split('.')
  const tail = part.replace(/0+$/, '')
  return `${whole.replace(/^0+(?=\d)/, '')}${tail === '' ? '' : `.${tail}`}`
}

const refused = (message: string): Problem => new Problem('CONFIRMATION_REFUSED', message)
