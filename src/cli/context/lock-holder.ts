import { hostname } from 'node:os'
import type { Me } from '../../operator/book/lock.ts'
import type { CommandContext } from './context.ts'

/** Identifies this run to others that wait for the lock. */
export function lockHolder({ words }: CommandContext): Me {
  return { pid: process.pid, host: hostname(), command: words }
}
