import type { BookCheck } from './schema.ts'

/** Counting stops here, because further faults rarely add information. */
const maxFaults = 1000

/** Collects the faults of one check. */
export class Faults {
  checked = 0
  readonly #name: BookCheck['name']
  #count = 0
  #first: string | null = null
  #unknown: string | null = null

  constructor(name: BookCheck['name']) {
    this.#name = name
  }

  /** True once the maximum is reached. */
  get areEnough(): boolean {
    return this.#count >= maxFaults
  }

  add(text: string): void {
    this.#first ??= text
    this.#count += 1
  }

  /** Notes that a part could not be checked. */
  cannotCheck(text: string): void {
    this.#unknown ??= text
  }

  result(): BookCheck {
    const status = this.#count > 0 ? 'fail' : this.#unknown === null ? 'pass' : 'unknown'
    return {
      name: this.#name,
      status,
      checked: this.checked,
      faults: this.#count,
      first: this.#first ?? this.#unknown,
    }
  }
}
