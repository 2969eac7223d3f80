import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class SchedulePrint extends CountroomCommand {
  static override summary = 'Print a crontab, or write systemd units, for the nightly jobs'
  static override description = [
    'The jobs: sync the bets, reconcile yesterday with a report per day, find restated days, rebuild missing callbacks (with a gateway in the profile), list breaks older than 48 hours, back up the book, and verify it once a week. Each names its profile and folder, and has absolute paths, because schedulers have a short PATH.',
    'Times are in the time zone of this machine. Choose a time after the end of the tenant\'s day: "yesterday" is in the time zone of the tenant. The reconciliation starts one hour after the sync, which stops fetching after 50 minutes.',
    'systemd does not treat the exit codes 9 and 11 as failures: they are results for a person. Nothing is installed or enabled.',
  ].join('\n\n')
  static override examples = [
    { command: 'countroom schedule print --cron --profile house', description: 'Print a crontab' },
    {
      command: 'countroom schedule print --systemd /etc/systemd/system --folder /srv/house --profile house',
      description: 'Write a service and a timer for each job',
    },
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override files = ['--systemd: countroom-PROFILE-JOB.service and .timer']
  static override completes = { systemd: 'files', folder: 'files', metrics: 'files' }
  static override flags = {
    systemd: Flags.string({ summary: 'Folder to write units to', helpValue: 'DIR', exclusive: ['cron'] }),
    cron: Flags.boolean({ summary: 'Print a crontab' }),
    at: Flags.string({
      summary: 'Time of the first job, in the time zone of this machine',
      default: '04:10',
      helpValue: 'HH:MM',
    }),
    folder: Flags.string({ summary: 'Folder for bets, reports and backups', default: '.', helpValue: 'DIR' }),
    user: Flags.string({
      summary: 'User that runs the units (default: the user of this machine)',
      helpValue: 'NAME',
      dependsOn: ['systemd'],
    }),
    metrics: Flags.string({ summary: 'Folder for a Prometheus file per job', helpValue: 'DIR' }),
    force: Flags.boolean({ summary: 'Overwrite existing units' }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      profile: Type.String(),
      crontab: Type.Union([Type.String(), Type.Null()]),
      files: Type.Array(Type.String(), { description: 'Units that were written.' }),
      jobs: Type.Array(
        Type.Object({
          name: Type.String(),
          at: Type.String({ description: 'HH:MM by the clock of this machine.' }),
          isWeekly: Type.Boolean({ description: 'True for a job that runs on Sundays only.' }),
          command: Type.String(),
        }),
      ),
    })

  override async run() {
    const { flags } = await this.parse(SchedulePrint)
    const { printSchedule } = await import('../../src/cli/topics/schedule/print.ts')
    return printSchedule(this, flags, this.program.root)
  }
}
