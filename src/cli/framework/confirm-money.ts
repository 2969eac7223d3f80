import { Problem } from '../../kit/problem.ts'
import type { NamedProfile } from '../../world/config/profile-schema.ts'
import { isLive } from '../../world/config/profiles.ts'
import type { Prompts } from '../terminal/prompts.ts'
import type { Total } from './flags.ts'

/** Money about to move. */
export interface MoneyMove extends Total {
  /** What happens, as an order: `Withdraw 100 USD from amy`. */
  readonly order: string
  /** Who is typed in again; none where the move has many. */
  readonly player?: string
}

interface Given {
  readonly yes?: boolean | undefined
  readonly 'confirm-total'?: Total | undefined
}

/**
 * Real money is asked about again: amount, currency and player typed a second time, or `--yes` together with
 * `--confirm-total`. `--yes` alone does not do, since it also stands in scripts that were written for the sandbox.
 */
export async function confirmMoney(
  prompts: Prompts,
  { profile }: NamedProfile,
  move: MoneyMove,
  given: Given,
): Promise<void> {
  if (!isLive(profile)) return
  const total = `${move.amount}:${move.currency}`
  const flag = `--yes --confirm-total ${total}`
  const said = given['confirm-total']
  if (given.yes && said !== undefined) {
    if (isSame(said, move)) return
    throw refused(`--confirm-total says ${said.amount}:${said.currency}, the total is ${total}`)
  }
  const amount = await prompts.text({ message: `${move.order} on a live profile. The amount again:`, flag })
  const currency = await prompts.text({ message: 'The currency again:', flag })
  if (!isSame({ amount, currency }, move)) throw refused(`That is not ${move.amount} ${move.currency}`)
  if (move.player === undefined) return
  const player = await prompts.text({ message: 'The player again:', flag })
  if (player.toLowerCase() !== move.player.toLowerCase()) throw refused('That is not the player')
}

interface GivenTotals {
  readonly yes?: boolean | undefined
  readonly 'confirm-total'?: readonly Total[] | undefined
}

/**
 * The same for what moves many currencies at once: every total is said again. Totals that are given are held against the
 * real ones on any profile, so that a script tried in a sandbox is tried.
 */
export async function confirmTotals(
  prompts: Prompts,
  { profile }: NamedProfile,
  { order, totals }: { readonly order: string; readonly totals: readonly Total[] },
  given: GivenTotals,
): Promise<void> {
  const said = given['confirm-total'] ?? []
  const flag = `--yes ${totals.map(({ amount, currency }) => `--confirm-total ${amount}:${currency}`).join(' ')}`
  for (const total of said)
    if (!totals.some((each) => isSame(each, total)))
      throw refused(`--confirm-total says ${total.amount}:${total.currency}, the totals are ${listed(totals)}`)
  const unsaid = totals.filter((total) => !said.some((each) => isSame(each, total)))
  if (given.yes && said.length > 0) {
    if (unsaid.length === 0) return
    throw refused(`--confirm-total leaves ${listed(unsaid)} out`)
  }
  if (!isLive(profile)) return
  for (const total of totals) {
    const amount = await prompts.text({
      message: `${order} on a live profile. The total of ${total.currency} again:`,
      flag,
    })
    if (!isSame({ amount, currency: total.currency }, total))
      throw refused(`That is not ${total.amount} ${total.currency}`)
  }
}

const listed = (totals: readonly Total[]): string =>
  totals.map(({ amount, currency }) => `${amount}:${currency}`).join(' and ')

/** For what is dangerous without moving money: a public comment, a table closed, a state edited. */
export async function confirmDanger(prompts: Prompts, order: string, given: Pick<Given, 'yes'>): Promise<void> {
  if (given.yes) return
  if (!(await prompts.confirm({ message: `${order}?`, flag: '--yes' })))
    throw refused('Not confirmed; nothing was done')
}

const isSame = (a: Total, b: Total): boolean =>
  plain(a.amount) === plain(b.amount) && a.currency.toUpperCase() === b.currency.toUpperCase()

/** One spelling of a decimal text: no zeros that say nothing. */
function plain(amount: string): string {
  const [whole = '', part = ''] = amount.trim().split('.')
  const tail = part.replace(/0+$/, '')
  return `${whole.replace(/^0+(?=\d)/, '')}${tail === '' ? '' : `.${tail}`}`
}

const refused = (message: string): Problem => new Problem('CONFIRMATION_REFUSED', message)
