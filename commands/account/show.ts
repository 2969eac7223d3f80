import { CountroomCommand } from '../../src/cli/framework/command.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { minuteText } from '../../src/kit/moment.ts'
import { countText } from '../../src/kit/text/count-text.ts'
import type { Account } from '../../src/services/casino/api/schemas/index.ts'

/** Labels of the plan states. */
const meanings: Readonly<Record<Account['state'], string>> = {
  FREE: 'FREE (demo plan)',
  PAID: 'PAID',
  GRACE: 'GRACE (credit used up; top up before the grace period ends)',
  DOWNGRADED: 'DOWNGRADED (limits of the demo plan apply; a top-up restores the plan)',
  SUSPENDED: 'SUSPENDED',
  CLOSED: 'CLOSED',
}

/** Days of credit below which the command warns. */
const fewDays = 7

const columns: readonly (Column | string)[] = [
  'plan',
  {
    key: 'state',
    show: (state) => meanings[state as Account['state']],
    tint: (state) => (state === 'PAID' ? 'green' : state === 'FREE' ? undefined : 'red'),
  },
  {
    key: 'balanceUsd',
    title: 'credit',
    show: (usd) => `USD ${usd}`,
    tint: (usd) => (String(usd).startsWith('-') ? 'red' : undefined),
  },
  { key: 'tables' },
  { key: 'streamGbMonth', title: 'streaming', show: (gb) => `${gb} GB this month (UTC)` },
  { key: 'avgDailyUsd7d', title: 'average cost', show: (usd) => `USD ${usd} a day over the last 7 days` },
  {
    key: 'daysLeft',
    title: 'days left',
    show: (days) => (days === null ? 'unknown: nothing was charged yet' : countText(Number(days), 'day')),
  },
  {
    key: 'graceUntil',
    title: 'grace until',
    show: (at) => (at === null ? 'not in grace period' : minuteText(String(at))),
  },
]

export default class AccountShow extends CountroomCommand {
  static override summary = 'Show the plan, its state and how long the prepaid credit lasts'
  static override description = "To top up the credit, use the platform's Console."
  static override examples = ['countroom account show', 'countroom account show --json']
  static override exits = ['permission', 'temporary'] as const
  static override data = ({ casino }: Shapes) => casino.Account

  override async run() {
    await this.parse(AccountShow)
    const { casino } = await this.services.casino()
    const account = await casino.account({})
    const quota = account.tablesQuota === null ? '(no quota)' : `of ${account.tablesQuota}`
    this.fields({ ...account, tables: `${account.tablesUsed} enabled ${quota}` }, columns)
    if (account.state === 'GRACE')
      this.warn(
        `The credit is used up. Top up before ${account.graceUntil === null ? 'the grace period ends' : minuteText(account.graceUntil)}; after that the limits of the demo plan apply`,
      )
    else if (account.daysLeft !== null && account.daysLeft < fewDays)
      this.warn(`The credit lasts ${countText(account.daysLeft, 'more day')}`)
    return account
  }
}
