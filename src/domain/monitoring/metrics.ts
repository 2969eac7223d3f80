/** Metrics of jobs in the text format of Prometheus, for the textfile collector of node_exporter. */

/** Figures of one job after a run. Unknown ones are omitted. */
export interface JobFigures {
  /** Seconds since 1970 of the last run that exited with 0. */
  readonly lastSuccess?: number | undefined
  readonly exitCode: number
  /** Seconds since the book was complete. */
  readonly lag?: number | undefined
  /** Number of revisions in the book. */
  readonly rows?: number | undefined
  readonly breaksOpen?: number | undefined
}

export interface JobLabels {
  readonly profile: string
  readonly job: string
}

const metrics = {
  countroom_last_success_timestamp_seconds: {
    help: 'Time of the last run that exited with 0.',
    value: ({ lastSuccess }: JobFigures) => lastSuccess,
  },
  countroom_last_run_exit_code: { help: 'Exit code of the last run.', value: ({ exitCode }: JobFigures) => exitCode },
  countroom_lag_seconds: {
    help: 'Time since the book was complete, when the last run ended.',
    value: ({ lag }: JobFigures) => lag,
  },
  countroom_rows_total: { help: 'Revisions of slips in the book.', value: ({ rows }: JobFigures) => rows },
  countroom_breaks_open: { help: 'Open breaks in the book.', value: ({ breaksOpen }: JobFigures) => breaksOpen },
} as const

type MetricName = keyof typeof metrics

/** A line of a metrics file. */
interface Sample {
  readonly name: string
  readonly labels: string
  readonly value: string
}

const line = /^([a-zA-Z_:][a-zA-Z0-9_:]*)\{((?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)*)\} (\S+)$/

function samplesIn(text: string): Sample[] {
  return text.split('\n').flatMap((each) => {
    const [, name, labels, value] = line.exec(each) ?? []
    return name === undefined || labels === undefined || value === undefined ? [] : [{ name, labels, value }]
  })
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const labelText = ({ profile, job }: JobLabels): string => `profile="${escaped(profile)}",job="${escaped(job)}"`

/** Returns the time of a job's last success in a metrics file, if it is there. */
export function lastSuccessIn(text: string, labels: JobLabels): number | undefined {
  const name: MetricName = 'countroom_last_success_timestamp_seconds'
  const found = samplesIn(text).find((sample) => sample.name === name && sample.labels === labelText(labels))
  const value = Number(found?.value)
  return found && Number.isFinite(value) ? value : undefined
}

/** Returns the text of a metrics file with the figures of a job. Other jobs in the file keep theirs. */
export function withFigures(text: string, labels: JobLabels, figures: JobFigures): string {
  const own = labelText(labels)
  const kept = samplesIn(text).filter((sample) => sample.labels !== own && Object.hasOwn(metrics, sample.name))
  const blocks = Object.entries(metrics).flatMap(([name, { help, value }]) => {
    const ownValue = value(figures)
    const samples = [
      ...kept.filter((sample) => sample.name === name),
      ...(ownValue === undefined ? [] : [{ name, labels: own, value: String(ownValue) }]),
    ].sort((a, b) => (a.labels < b.labels ? -1 : 1))
    if (samples.length === 0) return []
    const lines = samples.map((sample) => `${name}{${sample.labels}} ${sample.value}`)
    return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines]
  })
  return `${blocks.join('\n')}\n`
}
