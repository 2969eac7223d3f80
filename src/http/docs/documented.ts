import type { Contract } from '../contract/contract.ts'
import type { ApiSamples } from './samples/sample.ts'

/** A contract with its code samples, and its name in `/docs/<name>`. */
export interface Documented {
  readonly name: string
  readonly contract: Contract
  readonly samples?: ApiSamples
}
