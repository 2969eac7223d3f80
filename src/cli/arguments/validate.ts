import type { Fault } from '../../domain/wallet/transfer-faults.ts'
import { Problem } from '../../kit/problem.ts'

export { amountFault, currencyFault, type Fault, txnFault, usernameFault } from '../../domain/wallet/transfer-faults.ts'

/** Throws one problem for all faults, with the code of the first. Does nothing without faults. */
export function refuseFaults(faults: readonly (Fault | undefined)[]): void {
  const found = faults.filter((fault) => fault !== undefined)
  const [first] = found
  if (first === undefined) return
  throw new Problem(first.code, found.map(({ message }) => message).join('. '), { problems: found, remoteCode: null })
}

/** Returns a fault of another field. */
export function parameterFault(field: string, isWrong: boolean, message: string): Fault | undefined {
  return isWrong ? { field, code: 'INVALID_PARAMETER', message } : undefined
}
