import { Histogram } from '../../kit/histogram.ts'

/** The Prometheus text format, version 0.0.4. */

export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8'

export type Labels = Readonly<Record<string, string | number>>

/** A metric with its values, one for each set of labels. */
export type Metric = { readonly name: string; readonly help: string } & (
  | {
      readonly type: 'counter' | 'gauge'
      readonly values: readonly { readonly labels?: Labels; readonly value: number }[]
    }
  | { readonly type: 'histogram'; readonly values: readonly { readonly labels?: Labels; readonly value: Histogram }[] }
)

/** Writes metrics. A metric without values is omitted. */
export function prometheusText(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ values }) => values.length > 0)
    .map(
      (metric) =>
        `# HELP ${metric.name} ${escaped(metric.help)}\n# TYPE ${metric.name} ${metric.type}\n${linesOf(metric)}`,
    )
    .join('')
}

function linesOf(metric: Metric): string {
  const { name } = metric
  if (metric.type !== 'histogram') return metric.values.map(({ labels, value }) => sample(name, labels, value)).join('')
  return metric.values
    .map(({ labels, value }) => {
      let sum = 0
      const buckets = value.counts.map((count, at) => {
        sum += count
        return sample(`${name}_bucket`, { ...labels, le: Histogram.bounds[at] ?? '+Inf' }, sum)
      })
      return [
        ...buckets,
        sample(`${name}_sum`, labels, value.sumSeconds),
        sample(`${name}_count`, labels, value.count),
      ].join('')
    })
    .join('')
}

function sample(name: string, labels: Labels | undefined, value: number): string {
  const pairs = Object.entries(labels ?? {}).map(
    ([label, text]) => `${label}="${escaped(String(text)).replaceAll('"', '\\"')}"`,
  )
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
