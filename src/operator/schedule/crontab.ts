import { nightlyJobs, type ScheduleOptions } from './jobs.ts'

export interface CrontabOptions extends ScheduleOptions {
  readonly environment: Readonly<Record<string, string>>
  /** Quotes a word for a shell. */
  readonly quoted: (word: string) => string
}

/** Returns the lines of a crontab for the nightly jobs. */
export function crontabText(options: CrontabOptions): string {
  const { program, folder, environment, quoted } = options
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`)
  const lines = nightlyJobs(options).map(({ words, minute, isWeekly }) => {
    const command = `cd ${quoted(folder)} && ${[...variables, ...[...program, ...words].map(quoted)].join(' ')}`
    // cron ends the command at an unescaped percent sign.
    const escaped = command.replaceAll('%', '\\%')
    return `${minute % 60} ${Math.floor(minute / 60)} * * ${isWeekly ? '0' : '*'}  ${escaped}`
  })
  return `# m h dom mon dow  command\n${lines.join('\n')}\n`
}
