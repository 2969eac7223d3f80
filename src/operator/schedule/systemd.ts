import { clockText, nightlyJobs, type ScheduledJob, type ScheduleOptions } from './jobs.ts'

/** Units of systemd for the nightly jobs: a service and a timer for each. */

export interface UnitOptions extends ScheduleOptions {
  /** User that runs the jobs. */
  readonly user: string
  /** Folders that the jobs write to in addition to their own. */
  readonly writable: readonly string[]
  /** Variables that name the user's folders. */
  readonly environment: Readonly<Record<string, string>>
}

export interface UnitFile {
  readonly name: string
  readonly text: string
}

export function systemdUnits(options: UnitOptions): UnitFile[] {
  return nightlyJobs(options).flatMap((job) => [
    { name: `${unitName(options, job.name)}.service`, text: serviceText(options, job) },
    { name: `${unitName(options, job.name)}.timer`, text: timerText(options, job) },
  ])
}

/** Characters that a unit name may not have are replaced. */
const unitName = ({ profile }: UnitOptions, job: string): string =>
  `countroom-${profile.replaceAll(/[^A-Za-z0-9_.-]/g, '_')}-${job}`

function serviceText(options: UnitOptions, job: ScheduledJob): string {
  const { program, folder, user, writable, environment } = options
  const waits = [
    ...(job.isOnline ? ['network-online.target'] : []),
    ...(job.after === null ? [] : [`${unitName(options, job.after)}.service`]),
  ]
  return section({
    Unit: [
      ['Description', `countroom: ${job.description} (${escaped(options.profile)})`],
      ...(job.isOnline ? [['Wants', 'network-online.target'] as const] : []),
      ...(waits.length > 0 ? [['After', waits.join(' ')] as const] : []),
    ],
    Service: [
      ['Type', 'oneshot'],
      ['User', user],
      ['WorkingDirectory', escaped(folder)],
      ...Object.entries(environment).map(([name, value]) => ['Environment', quoted(`${name}=${value}`)] as const),
      ['ExecStart', [...program, ...job.words].map(quoted).join(' ')],
      ...(job.results.length > 0 ? [['SuccessExitStatus', job.results.join(' ')] as const] : []),
      ['TimeoutStartSec', '2h'],
      ['NoNewPrivileges', 'yes'],
      ['PrivateTmp', 'yes'],
      ['ProtectSystem', 'strict'],
      ...[folder, ...writable].map((path) => ['ReadWritePaths', quoted(`-${path}`)] as const),
    ],
  })
}

function timerText(options: UnitOptions, { name, description, minute, isWeekly }: ScheduledJob): string {
  return section({
    Unit: [['Description', `countroom: ${description} (${escaped(options.profile)}), at ${clockText(minute)}`]],
    Timer: [
      ['OnCalendar', `${isWeekly ? 'Sun ' : ''}*-*-* ${clockText(minute)}:00`],
      // Runs the job later if the machine was off at its time.
      ['Persistent', 'true'],
      ['Unit', `${unitName(options, name)}.service`],
    ],
    Install: [['WantedBy', 'timers.target']],
  })
}

function section(sections: Readonly<Record<string, readonly (readonly [string, string])[]>>): string {
  return `${Object.entries(sections)
    .map(([name, lines]) => [`[${name}]`, ...lines.map(([key, value]) => `${key}=${value}`)].join('\n'))
    .join('\n\n')}\n`
}

/** Escapes the specifiers of systemd. */
const escaped = (text: string): string => text.replaceAll('%', '%%')

/** Quotes a word of a command line for systemd, which expands `%` and `$` also inside of quotes. */
function quoted(word: string): string {
  const plain = escaped(word).replaceAll('$', '$$$$')
  if (/^[A-Za-z0-9_.,:@%+=/$-]+$/.test(plain)) return plain
  return `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
