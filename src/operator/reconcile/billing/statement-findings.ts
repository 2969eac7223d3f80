import { statementFaults } from '../../../domain/account/statement-check.ts'
import type { Statement } from '../../../services/casino/api/schemas/index.ts'
import { findingText } from './messages.ts'
import { figuresOf } from './reconcile.ts'

/** Returns a message for every fault in a series of statements, newest first. */
export function statementFindings(newestFirst: readonly Statement[]): { period: string; message: string }[] {
  return statementFaults(newestFirst.map(figuresOf)).map((fault) => ({
    period: fault.period,
    message: findingText(fault),
  }))
}
