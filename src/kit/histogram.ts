/** A distribution of durations in fixed buckets, as cheap as an addition. */
export class Histogram {
  /** Upper bounds of the buckets in seconds; the last bucket has none. */
  static readonly bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

  readonly counts: number[] = new Array(Histogram.bounds.length + 1).fill(0)
  sumSeconds = 0
  count = 0

  observeMs(ms: number): void {
    const seconds = ms / 1000
    let at = 0
    while (at < Histogram.bounds.length && seconds > (Histogram.bounds[at] ?? 0)) at++
    this.counts[at] = (this.counts[at] ?? 0) + 1
    this.sumSeconds += seconds
    this.count += 1
  }
}
