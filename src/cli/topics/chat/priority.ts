import { priorityNames } from '../../../domain/tickets/priority.ts'
import { Problem } from '../../../kit/problem.ts'

/** Parses a priority by name or number. */
export function priorityFrom(input: string): number {
  const names: readonly string[] = priorityNames
  const index = names.indexOf(input.toLowerCase())
  if (index >= 0) return index + 1
  if (/^[1-4]$/.test(input)) return Number(input)
  throw new Problem('INVALID_USAGE', `The priority must be low, normal, high or urgent (1 to 4); received ${input}`)
}
