/**
 * An expected refusal: somebody asked for what cannot be had, and is told why.
 *
 * Not for bugs (those are assertions) and not for outcomes (those are values). The codes belong to
 * the APIs' contracts; nothing in here knows them.
 */
export class Problem extends Error {
  readonly code: string
  readonly detail: Readonly<Record<string, unknown>>

  /** `message` is a sentence for a person; `detail` carries particulars for programs. Secrets go in neither. */
  constructor(code: string, message: string, detail: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Problem'
    this.code = code
    this.detail = detail
  }
}

/** Whether something caught is a refusal, perhaps of one certain code. */
export function isProblem(error: unknown, code?: string): error is Problem {
  return error instanceof Problem && (code === undefined || error.code === code)
}
