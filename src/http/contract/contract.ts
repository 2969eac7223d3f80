import type { Static, TObject, TSchema } from 'typebox'
import { Problem } from '../../kit/problem.ts'
import type { Written } from './preserialized.ts'

/** One thing that may be asked of an API: where, by whom, in what shape, and how it answers or refuses. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the contract's prefix, parameters as `:name`. */
  readonly path: string
  /** Further spellings of the path that are answered alike, where clients in the wild use them: a trailing slash, for one. */
  readonly also?: readonly string[]
  /** One line for the reference; an order, as in a list of contents. */
  readonly summary: string
  /** What a caller must know beyond the shapes. */
  readonly description?: string
  /** Who may ask. Chooses the type of the caller that the handler is given. */
  readonly access: string
  readonly params?: TObject
  readonly query?: TObject
  /** Headers that mean something to this endpoint beside those of `security`: for the reference; the handler reads them itself. */
  readonly headers?: TObject
  readonly body?: TObject
  /** Whether no body at all is as good as `{}`. Otherwise an empty body is `usual.json`. */
  readonly bodyOptional?: boolean
  /** The status of success. */
  readonly status: number
  /** Other statuses of success, with a description of each. 204 and 304 have no body; the others have `reply`. */
  readonly alternatives?: Readonly<Record<number, string>>
  /** What `data` is in success, before the envelope. */
  readonly reply: TSchema
  /** The codes this endpoint may end in beyond the contract's `common` ones. */
  readonly refusals: readonly string[]
  /** The code for a malformed field of query or body, by name, where it is not `usual.invalid`. */
  readonly malformed?: Readonly<Record<string, string>>
  /** The code for an absent field of query or body, by name, where it is not `usual.invalid`. */
  readonly absent?: Readonly<Record<string, string>>
}

/** A refusal on its way out, before the contract's manner is put on it. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly status: number
  readonly detail: Readonly<Record<string, unknown>>
  readonly requestId: string
}

/** The manner in which one API wraps what it says. */
export interface Envelope {
  /** Puts a successful reply into the API's form. */
  wrap(data: unknown): unknown
  /** The schema of a wrapped reply, from the schema of the reply itself. */
  schema(reply: TSchema): TSchema
  /** Puts a refusal into the API's form. */
  refuse(refusal: Refusal): unknown
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
  /** A path that exists, asked with another method; `missing` where the API knows no such code. */
  readonly method?: Code
  /** A body over the limit. */
  readonly large: Code
  /** Anything unforeseen. Its text goes to the log only. */
  readonly internal: Code
}

/** A whole API: the only source of its shapes, codes and manners, at the server as at the client. */
export interface Contract {
  readonly title: string
  readonly version: string
  /** What a newcomer should know first, for the reference. Blank lines part paragraphs. */
  readonly description?: string
  /** How a caller proves who it is, for the reference. Blank lines part paragraphs. */
  readonly security?: string
  /** The credentials of this API, by name, as OpenAPI security schemes. */
  readonly credentials?: Readonly<Record<string, Credential>>
  /** Which credentials each kind of `access` takes: alternatives, each a list of credentials that are sent together. `[]` is none. */
  readonly accepts?: Readonly<Record<string, readonly (readonly string[])[]>>
  /** Other base paths under which the same API is served, with a description of each: a sandbox. */
  readonly environments?: Readonly<Record<string, string>>
  /** Descriptions of the groups of endpoints, by the first word of their paths. */
  readonly groups?: Readonly<Record<string, string>>
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
  /** Whether who asks is told before how large a body may be; elsewhere the gate needs the bytes, and is not asked without. */
  readonly keyBeforeSize?: boolean
  /** The code for a path parameter that no such thing can have, by name, where an endpoint lists it and it is not `usual.missing`. */
  readonly unknown?: Readonly<Record<string, string>>
  /** Whether null in an optional field of a body counts as not given, where the field has no meaning for it. */
  readonly nullIsAbsent?: boolean
  /** Whether a query key with nothing after its `=` counts as not given. */
  readonly blankIsAbsent?: boolean | 'text'
  /** Whether bodies may also come as `application/x-www-form-urlencoded`; every field is then a text. */
  readonly forms?: boolean
  /** Paths below which everything that is no endpoint is refused with a code of its own instead of `usual.missing`, by path. */
  readonly unsupported?: Readonly<Record<string, { readonly code: string; readonly message: string }>>
  readonly endpoints: Readonly<Record<string, Endpoint>>
  /** Streams and files served below the same prefix, by name, for the reference. */
  readonly rawRoutes?: Readonly<Record<string, RawRoute>>
  /** What each code means, for the reference. */
  readonly meanings?: Readonly<Record<string, string>>
  /** What the service itself sends to its callers' receivers, by name, for the reference. */
  readonly callbacks?: Readonly<Record<string, Callback>>
}

/** A request that the service makes to a receiver of its caller's. Any 2xx is a good answer. */
export interface Callback {
  readonly summary: string
  readonly description?: string
  readonly headers?: TObject
  readonly body: TObject
}

/** A security scheme of OpenAPI 3.1. */
export type Credential =
  | {
      readonly type: 'apiKey'
      readonly in: 'header' | 'query' | 'cookie'
      readonly name: string
      readonly description: string
    }
  | {
      readonly type: 'http'
      readonly scheme: 'bearer'
      readonly bearerFormat?: string
      readonly description: string
    }

/** A route that moves bytes or events instead of JSON calls. Refusals have the contract's own form. */
export interface RawRoute extends Pick<Endpoint, 'path' | 'summary' | 'description' | 'access' | 'params' | 'query'> {
  readonly method: 'GET' | 'PUT'
  readonly headers?: TObject
  /** The media type of the request body, where there is one. */
  readonly sends?: string
  /** Statuses of success: what each means, and the media type and schema of its body, where it has one. */
  readonly responses: Readonly<
    Record<number, { readonly description: string; readonly type?: string; readonly schema?: TSchema }>
  >
  readonly refusals: readonly string[]
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
  /** Names in lower case; a header sent twice is one text, joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The name of this request in the log and in the `x-request-id` of its answer. */
  readonly requestId: string
  /** Which of the prefixes the request came in by. */
  readonly prefix: string
  /** The base of the URLs that this request is answered with, where it is not the service's usual one. */
  readonly publicUrl?: string | undefined
}

/** Everything that can be known of a request before its body is read into. */
export interface GateRequest extends Sender {
  /** In the spelling of the request line. */
  readonly method: string
  /** Path and query exactly as sent: what a signature is over. */
  readonly url: string
  readonly body: Uint8Array
  /** Whether the body is over the limit: then nothing of it is here, and the call ends at the gate or right behind it. */
  readonly isTooLarge: boolean
  /** What is asked for; `undefined` when there is no such method and path, which only a known caller is told. */
  readonly endpoint: Endpoint | undefined
  /** The parameters of its path, decoded and not yet judged: what is meant, however the path spells it. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** Headers of the answer, whatever it comes to: a gate adds what it has to say, such as how much of a rate is left. */
  readonly said: Record<string, string>
}

/** Names the caller, or throws the refusal. `Callers` maps each kind of access to what its callers are. */
export type Gate<Callers> = (request: GateRequest) => Promise<Callers[keyof Callers]>

/** A reply that says more than its data: another status than the endpoint's usual one, or headers of its own. */
export class Answer<Data> {
  readonly data: Data
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(data: Data, status: number | undefined, headers: Readonly<Record<string, string>>) {
    this.data = data
    this.status = status
    this.headers = headers
  }
}

/** The reply to give where the endpoint's own status or the usual headers do not fit. With 204 and 304 the data stays here. */
export function answer<Data>(
  data: Data,
  options: { status?: number; headers?: Readonly<Record<string, string>> },
): Answer<Data> {
  return new Answer(data, options.status, options.headers ?? {})
}

/** One function per endpoint. `Callers` maps each kind of access to what the gate found out about who asks. */
export type Handlers<C extends Contract, Callers> = {
  readonly [K in keyof C['endpoints']]: (
    call: {
      caller: Callers[C['endpoints'][K]['access'] & keyof Callers]
      sender: Sender
    } & Input<C['endpoints'][K]>,
  ) => Promise<Outcome<Reply<C['endpoints'][K]>>>
}

/** What a handler gives back: the reply alone, with a status or headers of its own, or already written. */
export type Outcome<Data> = Data | Answer<Data> | Written<Data>

/** What one call may bring beyond its input. */
export interface CallOptions {
  /** Headers of this call alone, such as an `idempotency-key`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** One method per endpoint; each answers with the reply or throws the refusal as a Problem. */
export type Client<C extends Contract> = {
  readonly [K in keyof C['endpoints']]: (
    input: Input<C['endpoints'][K]>,
    options?: CallOptions,
  ) => Promise<Reply<C['endpoints'][K]>>
}

/** A contract's own way to refuse: only the codes it lists compile. */
export function refusals<const C extends Contract>(_contract: C) {
  return (code: CodeOf<C>, message: string, detail: Record<string, unknown> = {}): Problem =>
    new Problem(code, message, detail)
}
