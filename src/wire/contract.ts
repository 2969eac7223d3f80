import type { Static, TObject, TSchema } from 'typebox'
import { Problem } from '../kit/problem.ts'

/** One thing that may be asked of an API: where, by whom, in what shape, and how it answers or refuses. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the contract's prefix, parameters as `:name`. */
  readonly path: string
  /** One line for the reference; an order, as in a list of contents. */
  readonly summary: string
  /** What a caller must know beyond the shapes. */
  readonly description?: string
  /** Who may ask. Chooses the type of the caller that the handler is given. */
  readonly access: string
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TObject
  /** The status of success. */
  readonly status: number
  /** What `data` is in success, before the envelope. */
  readonly reply: TSchema
  /** The codes this endpoint may end in beyond the contract's `common` ones. */
  readonly refusals: readonly string[]
  /** The code for a malformed field of query or body, by name, where it is not `usual.invalid`. */
  readonly malformed?: Readonly<Record<string, string>>
  /** The code for an absent field of query or body, by name, where it is not `usual.invalid`. */
  readonly absent?: Readonly<Record<string, string>>
}

/** The manner in which one API wraps what it says. */
export interface Envelope {
  /** Puts a successful reply into the API's form. */
  wrap(data: unknown): unknown
  /** The schema of a wrapped reply, from the schema of the reply itself. */
  schema(reply: TSchema): TSchema
  /** Puts a refusal into the API's form. */
  refuse(refusal: { code: string; message: string; status: number; detail: Readonly<Record<string, unknown>> }): unknown
  /** The schema of a refusal, for the reference. */
  readonly refusal: TSchema
  /** The reverse of `wrap` and `refuse`, at the client; `undefined` when the body is in neither form. */
  read(
    status: number,
    body: unknown,
  ): { data: unknown } | { code: string; message: string; detail: Record<string, unknown> } | undefined
}

/** The codes an API uses for what every API meets. */
export interface UsualCodes<Code extends string = string> {
  /** A field that does not fit its shape. */
  readonly invalid: Code
  /** A body that is not JSON, or not an object. */
  readonly json: Code
  /** No such method and path, or a path parameter that does not fit its shape. */
  readonly missing: Code
  /** A body over the limit. */
  readonly large: Code
  /** Anything unforeseen. Its text goes to the log only. */
  readonly internal: Code
}

/** A whole API: the only source of its shapes, codes and manners, at the server as at the client. */
export interface Contract {
  readonly title: string
  readonly version: string
  /** The API is served under each of these; the client uses the first. */
  readonly prefixes: readonly string[]
  readonly envelope: Envelope
  /** Every code with its HTTP status. */
  readonly problems: Readonly<Record<string, number>>
  readonly usual: UsualCodes
  /** The codes any endpoint may end in. */
  readonly common: readonly string[]
  /** The largest body that is read, in bytes. */
  readonly bodyLimit: number
  readonly endpoints: Readonly<Record<string, Endpoint>>
}

/** The codes a contract lists. */
export type CodeOf<C extends Contract> = keyof C['problems'] & string

type Part<E, K extends 'params' | 'query' | 'body'> = E extends { readonly [P in K]: infer S extends TSchema }
  ? { [P in K]: Static<S> }
  : unknown

/** What a call of an endpoint carries: its params, query and body, each only where the endpoint has one. */
export type Input<E extends Endpoint> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>

/** What a call of an endpoint answers. */
export type Reply<E extends Endpoint> = Static<E['reply']>

/** What a handler may know of the request beyond its input. */
export interface Sender {
  /** The address the request came from. */
  readonly address: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** One function per endpoint. `Callers` maps each kind of access to what the gate found out about who asks. */
export type Handlers<C extends Contract, Callers extends Record<string, unknown>> = {
  readonly [K in keyof C['endpoints']]: (
    call: { caller: Callers[C['endpoints'][K]['access']]; sender: Sender } & Input<C['endpoints'][K]>,
  ) => Promise<Reply<C['endpoints'][K]>>
}

/** One method per endpoint; each answers with the reply or throws the refusal as a Problem. */
export type Client<C extends Contract> = {
  readonly [K in keyof C['endpoints']]: (input: Input<C['endpoints'][K]>) => Promise<Reply<C['endpoints'][K]>>
}

/** A contract's own way to refuse: only the codes it lists compile. */
export function refusals<const C extends Contract>(_contract: C) {
  return (code: CodeOf<C>, message: string, detail: Record<string, unknown> = {}): Problem =>
    new Problem(code, message, detail)
}
