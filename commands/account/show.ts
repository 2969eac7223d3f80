import { CountroomCommand } from '../../src/cli/framework/command.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import type { Account } from '../../src/services/casino/api/schemas/index.ts'

/** What each state means for the tables, in a few words. */
const meanings: Readonly<Record<Account['state'], string>> = {
  FREE: 'FREE (the demo plan)',
  PAID: 'PAID',
  GRACE: 'GRACE (the credit ran out: top up before the grace ends)',
  DOWNGRADED: 'DOWNGRADED (on the limits of the demo plan: a top-up restores it)',
  SUSPENDED: 'SUSPENDED',
  CLOSED: 'CLOSED',
}

/** Below so many days of credit it is time to act. */
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
  { key: 'streamGbMonth', title: 'streamed', show: (gb) => `${gb} GB this month (UTC)` },
  { key: 'avgDailyUsd7d', title: 'costs', show: (usd) => `USD ${usd} a day, over the last 7 days` },
  {
    key: 'daysLeft',
    title: 'lasts',
    show: (days) => (days === null ? 'cannot be told yet: nothing was charged' : `${days} days`),
  },
  { key: 'graceUntil', title: 'grace until', show: (at) => (at === null ? 'not in grace' : String(at)) },
]

export default class AccountShow extends CountroomCommand {
  static override summary = 'Show the plan, its state, and how long the prepaid credit lasts'
  static override description = 'Topping up is done in the Console of the platform, not here.'
  static override examples = ['countroom account show', 'countroom account show --json']
  static override exits = ['permission', 'temporary'] as const
  static override data = async () => (await import('../../src/services/casino/api/schemas/index.ts')).Account

  override async run() {
    await this.parse(AccountShow)
    const { casino } = await this.clients()
    const account = await casino.account({})
    const quota = account.tablesQuota === null ? '(no quota)' : `of ${account.tablesQuota}`
    this.fields({ ...account, tables: `${account.tablesUsed} enabled ${quota}` }, columns)
    if (account.state === 'GRACE')
      this.warn(`The credit ran out: without a top-up the plan ends at ${account.graceUntil}`)
    else if (account.daysLeft !== null && account.daysLeft < fewDays)
      this.warn(`The credit lasts for ${account.daysLeft} more days`)
    return account
  }
}
