import type { InputFault } from '../../domain/wallet/transfer-faults.ts'
import { Problem } from '../../kit/problem.ts'

/** Throws one problem for all faults, with the code of the first. Does nothing without faults. */
export function refuseFaults(faults: readonly (InputFault | undefined)[]): void {
  const problems = faults.filter((fault) => fault !== undefined)
  const [first] = problems
  if (first === undefined) return
  throw new Problem(first.code, problems.map(({ message }) => message).join('. '), { problems, remoteCode: null })
}

/** Returns a fault of another field. */
export function parameterFault(field: string, isWrong: boolean, message: string): InputFault | undefined {
  return isWrong ? { field, code: 'INVALID_PARAMETER', message } : undefined
}
