/**
 * An expected refusal with a code. Bugs are assertions and outcomes are values instead. The codes belong to the APIs'
 * contracts; this file knows none of them.
 */
export class Problem extends Error {
  readonly code: string
  readonly detail: Readonly<Record<string, unknown>>

  /** `message` is a sentence for people; `detail` has fields for programs. Neither may contain secrets. */
  constructor(code: string, message: string, detail: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Problem'
    this.code = code
    this.detail = detail
  }
}

/** Returns whether a caught value is a Problem, optionally with this code. */
export function isProblem(error: unknown, code?: string): error is Problem {
  return error instanceof Problem && (code === undefined || error.code === code)
}

/** Ends a run of a request, which then runs again from its beginning. Not a Problem: no handler may answer with it. */
export class RequestRestart extends Error {}
