/** Jobs of a back office that run without a person, and when. */

/** A job of the schedule. */
export interface ScheduledJob {
  /** Part of the names of its units. */
  readonly name: string
  /** One line for `systemctl status`. */
  readonly description: string
  /** Words after `countroom`. */
  readonly words: readonly string[]
  /** Minutes after midnight, by the clock of the machine. */
  readonly minute: number
  readonly isWeekly: boolean
  /** Exit codes that are results and not failures of the job. */
  readonly results: readonly number[]
  /** Name of the job that must not be running. */
  readonly after: string | null
  /** True if the job makes requests. */
  readonly isOnline: boolean
}

export interface ScheduleOptions {
  readonly profile: string
  /** Minutes after midnight of the first job. */
  readonly minute: number
  /** True if the profile has a payment gateway. */
  readonly hasGateway: boolean
  /** Folder of Prometheus files; null for none. */
  readonly metrics: string | null
  /** Program and script, as absolute paths. */
  readonly program: readonly string[]
  /** Folder of bets, reports and backups, as an absolute path. */
  readonly folder: string
}

const minutesPerDay = 1440

/** Differences found, and missing data, are results: a person looks at them in the morning. */
const results = [9, 11]

/** Returns the nightly jobs in order. Reports and backups get a new name per day, so that no night fails because of the one before. */
export function nightlyJobs({ profile, minute, hasGateway, metrics }: ScheduleOptions): ScheduledJob[] {
  const job = (
    name: string,
    offset: number,
    description: string,
    words: readonly string[],
    rest: Partial<ScheduledJob> = {},
  ): ScheduledJob => ({
    ...{ name, description, minute: (minute + offset) % minutesPerDay, isWeekly: false, results, after: 'sync' },
    isOnline: true,
    ...rest,
    words: [
      ...words,
      ...(metrics === null ? [] : ['--metrics', `${metrics}/countroom-${profile}-${name}.prom`]),
      ...['--profile', profile, '--quiet'],
    ],
  })
  const daily = ['reconcile', 'daily', '--report', 'reports/', '--csv', 'reports/']
  const breaks = ['reconcile', 'breaks', 'list', '--fail-if-older', '48h']
  return [
    job('sync', 0, 'sync the bets', ['bets', 'sync', '--out', 'bets', '--deadline', '50m', '--wait', '5m'], {
      after: null,
      results: [9],
    }),
    job('daily', 60, 'reconcile yesterday', daily),
    job('restated', 65, 'find restated days', ['reconcile', 'restated']),
    ...(hasGateway ? [job('heal', 70, 'rebuild missing callbacks', ['ipn', 'heal'], { results: [11] })] : []),
    job('breaks', 75, 'list old breaks', breaks, { isOnline: false }),
    job('backup', 80, 'back up the book', ['book', 'backup', 'backups/'], { results: [], isOnline: false }),
    job('verify', 90, 'verify the book', ['book', 'verify', '--out', 'bets', '--wait', '30m'], {
      ...{ results: [], isOnline: false, isWeekly: true },
    }),
  ]
}

/** Formats minutes after midnight. */
export function clockText(minute: number): string {
  const two = (count: number) => String(count).padStart(2, '0')
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}
