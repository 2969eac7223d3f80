import { existsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { Problem } from '../../../kit/problem.ts'
import { quoted } from '../../../kit/shell-quote.ts'
import { crontabText } from '../../../operator/schedule/crontab.ts'
import { nightlyJobs, type ScheduleOptions } from '../../../operator/schedule/jobs.ts'
import { systemdUnits } from '../../../operator/schedule/systemd.ts'
import { flagOf, settingKinds, settingNames } from '../../../world/config/config.ts'
import type { CommandContext } from '../../context/context.ts'
import { writeOut } from '../../terminal/out-file.ts'

interface ScheduleFlags {
  readonly systemd: string | undefined
  readonly cron: boolean
  readonly at: string
  readonly folder: string
  readonly user: string | undefined
  readonly metrics: string | undefined
  readonly force: boolean
}

/** Writes the units of the nightly jobs, or prints their crontab. `root` is the folder of the program. */
export async function printSchedule(context: CommandContext, flags: ScheduleFlags, root: string) {
  if ((flags.systemd === undefined) === !flags.cron)
    throw new Problem('INVALID_USAGE', 'Pass either --systemd DIR or --cron')
  const { settings, profile } = context
  const options: ScheduleOptions = {
    profile: profile.name,
    minute: minuteOf(flags.at),
    hasGateway: profile.profile.kind === 'remote' && profile.profile.gateway !== undefined,
    metrics: flags.metrics === undefined ? null : resolve(flags.metrics),
    program: [process.execPath, join(root, 'bin', 'run.js')],
    folder: existingFolder('--folder', flags.folder),
  }
  warnOfEnvironment(context)
  const environment = userFolders(settings.env)
  const jobs = nightlyJobs(options).map(({ name, words, minute, isWeekly }) => ({
    ...{ name, command: ['countroom', ...words].map(quoted).join(' ') },
    at: `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
    isWeekly,
  }))
  if (flags.systemd === undefined) {
    const crontab = crontabText({ ...options, environment, quoted })
    context.text(() => crontab)
    return { profile: profile.name, crontab, files: [], jobs }
  }
  const folder = existingFolder('--systemd', flags.systemd)
  const { state, cache, data, config } = settings.paths
  const user = flags.user ?? userInfo().username
  const writable = [state, cache, data, config, ...(options.metrics === null ? [] : [options.metrics])]
  const units = systemdUnits({ ...options, user, environment, writable }).map(({ name, text }) => ({
    ...{ name, text, path: join(folder, name) },
  }))
  refuseExisting(units, flags.force)
  for (const { path, text } of units) writeOut(path, text)
  context.table(
    units.map(({ path }) => ({ file: path })),
    ['file'],
  )
  const timers = units.filter(({ name }) => name.endsWith('.timer')).map(({ name }) => name)
  context.footnote(`Check: systemd-analyze verify ${join(folder, `countroom-${profile.name}-*`)}`)
  context.footnote(`Enable: systemctl daemon-reload && systemctl enable --now ${timers.join(' ')}`)
  return { profile: profile.name, crontab: null, files: units.map(({ path }) => path), jobs }
}

function minuteOf(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hours === undefined || minutes === undefined)
    throw new Problem('INVALID_USAGE', `--at must be a time such as 04:10; received ${text}`)
  return Number(hours) * 60 + Number(minutes)
}

function existingFolder(flag: string, name: string): string {
  const path = resolve(name)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  throw new Problem('INVALID_USAGE', `${flag} ${path} is not a folder. Create it first: mkdir -p ${quoted(path)}`, {
    folder: path,
  })
}

function refuseExisting(units: readonly { readonly path: string }[], force: boolean): void {
  const there = units.filter(({ path }) => existsSync(path)).map(({ path }) => path)
  if (force || there.length === 0) return
  throw new Problem('FILE_EXISTS', `${there[0]} already exists. To overwrite it, add --force`, { files: there })
}

/** Jobs do not have the variables of this shell, and every user can read units, so that secrets cannot be written to them. */
function warnOfEnvironment(context: CommandContext): void {
  const { sources } = context.settings
  for (const name of settingNames)
    if (sources[name].from === 'environment' && name !== 'profile')
      context.warn(
        `${settingKinds[name].env} is set in this shell, but the jobs will not have it. Set it for them too: countroom config set ${name} "$${settingKinds[name].env}" (or the flag --${flagOf(name)})`,
      )
}

/** Returns the variables that name folders of this user other than the usual ones. */
function userFolders(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const names = ['COUNTROOM_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME']
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name]
      return value === undefined || value === '' ? [] : [[name, value] as const]
    }),
  )
}
