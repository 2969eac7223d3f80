import { setFlagsFromString } from 'node:v8'

/**
 * Limits V8's young generation; call it before serving. V8 doubles that space, up to 128 MiB, during connection bursts
 * and shrinks it late. With 10,000 open streams it was more than half of the memory.
 */
export function keepYoungSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * Limits the memory of this process, for jobs that share a machine: the heap may grow by a quarter of what is in use before
 * it is collected. By default V8 keeps hundreds of megabytes of garbage on a large machine.
 */
export function keepHeapSmall(): void {
  keepYoungSpaceSmall()
  // A small young generation is collected faster than other threads wake up to help.
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--heap-growing-percent=25')
}
