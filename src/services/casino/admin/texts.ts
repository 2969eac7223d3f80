import { isWithinLength } from '../../../domain/text-limits.ts'
import { refuse } from '../api/contract.ts'

/** Returns a free text, or refuses it with INVALID_PARAMETER when it is empty or too long. */
export function checkedText(field: string, text: string, maxLength: number): string {
  if (!isWithinLength(text, maxLength))
    throw refuse('INVALID_PARAMETER', `${field} must be 1 to ${maxLength} characters long`, { field })
  return text
}
