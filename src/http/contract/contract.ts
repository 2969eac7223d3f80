import type { Static, TObject, TSchema } from 'typebox'
import { Problem } from '../../kit/problem.ts'
import type { Written } from './preserialized.ts'

/** An endpoint of an API: its path, access, schemas and error codes. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the contract's prefix, with parameters as `:name`. */
  readonly path: string
  /** Additional paths with the same handler, for existing clients: a trailing slash, for example. */
  readonly also?: readonly string[]
  /** One imperative line for the reference, as in a table of contents. */
  readonly summary: string
  /** Details beyond the schemas. */
  readonly description?: string
  /** Kind of access. Selects the caller type of the handler. */
  readonly access: string
  readonly params?: TObject
  readonly query?: TObject
  /**
   * Headers with a meaning for this endpoint in addition to those of `security`. For the reference; the handler reads
   * them itself.
   */
  readonly headers?: TObject
  readonly body?: TObject
  /** True if a missing body is the same as `{}`. Otherwise an empty body is `standardCodes.json`. */
  readonly bodyOptional?: boolean
  /** Status of success. */
  readonly status: number
  /** Other statuses of success with their descriptions. 204 and 304 have no body; the others have `reply`. */
  readonly alternatives?: Readonly<Record<number, string>>
  /** Schema of a successful response, before the envelope. */
  readonly reply: TSchema
  /** Headers of successful responses that have a meaning for this endpoint. For the reference. */
  readonly replyHeaders?: TObject
  /** Error codes of this endpoint in addition to the contract's `common` ones. */
  readonly refusals: readonly string[]
  /** Error codes of malformed query or body fields, by name, if not `standardCodes.invalid`. */
  readonly malformed?: Readonly<Record<string, string>>
  /** Error codes of absent query or body fields, by name, if not `standardCodes.invalid`. */
  readonly absent?: Readonly<Record<string, string>>
}

/** A refusal before the contract's envelope is applied. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly status: number
  readonly detail: Readonly<Record<string, unknown>>
  readonly requestId: string
}

/** Envelope of an API's responses. */
export interface Envelope {
  /** Wraps a successful response. */
  wrap(data: unknown): unknown
  /** Returns the schema of a wrapped response. */
  schema(reply: TSchema): TSchema
  /** Wraps a refusal. */
  refuse(refusal: Refusal): unknown
  /** Schema of a refusal, for the reference. */
  readonly refusal: TSchema
  /** Reverses `wrap` and `refuse` in the client; `undefined` for a body in neither form. */
  read(
    status: number,
    body: unknown,
  ): { data: unknown } | { code: string; message: string; detail: Record<string, unknown> } | undefined
}

/** An API's codes for the errors that every API has. */
export interface StandardCodes<Code extends string = string> {
  /** A field that does not match its schema. */
  readonly invalid: Code
  /** A body that is not JSON, or not an object. */
  readonly json: Code
  /** An unknown method and path, or an invalid path parameter. */
  readonly missing: Code
  /** An existing path with a wrong method; `missing` if the API has no such code. */
  readonly method?: Code
  /** A body over the limit. */
  readonly large: Code
  /** An unexpected error. Its text is only logged. */
  readonly internal: Code
}

/** A whole API: the only source of its schemas, codes and conventions, in server and client. */
export interface Contract {
  readonly title: string
  readonly version: string
  /** Introduction for the reference. Blank lines separate paragraphs. */
  readonly description?: string
  /** Description of authentication for the reference. Blank lines separate paragraphs. */
  readonly security?: string
  /** Credentials of this API by name, as OpenAPI security schemes. */
  readonly credentials?: Readonly<Record<string, Credential>>
  /** Credentials of each kind of `access`: alternatives, each a list of credentials sent together. `[]` is none. */
  readonly accepts?: Readonly<Record<string, readonly (readonly string[])[]>>
  /** Other base paths of the same API with their descriptions, such as a sandbox. */
  readonly environments?: Readonly<Record<string, string>>
  /** Descriptions of endpoint groups, by the first word of their paths. */
  readonly groups?: Readonly<Record<string, string>>
  /** Path prefixes of the API; the client uses the first. */
  readonly prefixes: readonly string[]
  readonly envelope: Envelope
  /** HTTP status of every error code. */
  readonly problems: Readonly<Record<string, number>>
  readonly standardCodes: StandardCodes
  /** Error codes of all endpoints. */
  readonly common: readonly string[]
  /** Maximum body size in bytes. */
  readonly bodyLimit: number
  /** True if authentication precedes the check of the body size; elsewhere authentication needs the body. */
  readonly keyBeforeSize?: boolean
  /**
   * Error codes of path parameters that cannot exist, by name, if an endpoint lists one and it is not `standardCodes.missing`.
   */
  readonly unknown?: Readonly<Record<string, string>>
  /** True if null in an optional body field counts as absent, if the field has no meaning for it. */
  readonly nullIsAbsent?: boolean
  /**
   * True if a query key with an empty value counts as absent. `text` limits that to fields that are neither integers
   * nor booleans.
   */
  readonly blankIsAbsent?: boolean | 'text'
  /** True if bodies may also be `application/x-www-form-urlencoded`; every field is then a string. */
  readonly forms?: boolean
  /** Paths below which unknown endpoints have a code of their own instead of `standardCodes.missing`. */
  readonly unsupported?: Readonly<Record<string, { readonly code: string; readonly message: string }>>
  readonly endpoints: Readonly<Record<string, Endpoint>>
  /** Streams and files below the same prefix, by name, for the reference. */
  readonly rawRoutes?: Readonly<Record<string, RawRoute>>
  /** Meaning of each code, for the reference. */
  readonly meanings?: Readonly<Record<string, string>>
  /** Requests that the service sends to its callers' receivers, by name, for the reference. */
  readonly callbacks?: Readonly<Record<string, Callback>>
}

/** A request that the service sends to a caller's receiver. Any 2xx acknowledges it. */
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

/** One status of a route that transfers bytes or events. */
export interface RawResponse {
  readonly description: string
  readonly type?: string
  readonly schema?: TSchema
  readonly headers?: TObject
}

/** A route that transfers bytes or events instead of JSON. Refusals have the contract's own form. */
export interface RawRoute extends Pick<Endpoint, 'path' | 'summary' | 'description' | 'access' | 'params' | 'query'> {
  readonly method: 'GET' | 'PUT'
  readonly headers?: TObject
  /** Media type of the request body, if any. */
  readonly sends?: string
  /** Statuses with their meaning, their headers, and the media type and schema of their bodies, if any. */
  readonly responses: Readonly<Record<number, RawResponse>>
  readonly refusals: readonly string[]
}

/** Error codes of a contract. */
export type CodeOf<C extends Contract> = keyof C['problems'] & string

type Part<E, K extends 'params' | 'query' | 'body'> = E extends { readonly [P in K]: infer S extends TSchema }
  ? { [P in K]: Static<S> }
  : unknown

/** Input of an endpoint: its params, query and body, where it has them. */
export type Input<E extends Endpoint> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>

/** Response data of an endpoint. */
export type Reply<E extends Endpoint> = Static<E['reply']>

/** Metadata of a request for handlers. */
export interface Sender {
  /** IP address of the client. */
  readonly address: string
  /** Names in lower case; repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Id of this request in the log and in `x-request-id` of its response. */
  readonly requestId: string
  /** Prefix of the request's path. */
  readonly prefix: string
  /** Base of the URLs in the response, if not the service's usual one. */
  readonly publicUrl?: string | undefined
}

/** A request before its body is parsed. */
export interface AuthenticateRequest extends Sender {
  /** As in the request line. */
  readonly method: string
  /** Path and query exactly as sent, as the signature covers them. */
  readonly url: string
  readonly body: Uint8Array
  /**
   * True if the body is over the limit. Then `body` is empty, and the request is refused after authentication at the
   * latest.
   */
  readonly isTooLarge: boolean
  /** Requested endpoint; `undefined` for an unknown method and path, which only authenticated callers learn. */
  readonly endpoint: Endpoint | undefined
  /** Decoded path parameters, not yet validated. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** Response headers for any outcome: authentication adds its own, such as remaining rates. */
  readonly responseHeaders: Record<string, string>
}

/** Authenticates the caller or throws a refusal. `Callers` maps each kind of access to its caller type. */
export type Authenticate<Callers> = (request: AuthenticateRequest) => Promise<Callers[keyof Callers]>

/** A response with a status or headers of its own. */
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

/** Creates a response with a status or headers other than the endpoint's. With 204 and 304 the data is not sent. */
export function answer<Data>(
  data: Data,
  options: { status?: number; headers?: Readonly<Record<string, string>> },
): Answer<Data> {
  return new Answer(data, options.status, options.headers ?? {})
}

/** One handler per endpoint. `Callers` maps each kind of access to its caller type. */
export type Handlers<C extends Contract, Callers> = {
  readonly [K in keyof C['endpoints']]: (
    call: {
      caller: Callers[C['endpoints'][K]['access'] & keyof Callers]
      sender: Sender
    } & Input<C['endpoints'][K]>,
  ) => Promise<Outcome<Reply<C['endpoints'][K]>>>
}

/** Result of a handler: the data, a response with status or headers, or preserialized JSON. */
export type Outcome<Data> = Data | Answer<Data> | Written<Data>

/** Options of one call. */
export interface CallOptions {
  /** Headers of this call only, such as an `idempotency-key`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** One method per endpoint; each returns the response data or throws the refusal as a Problem. */
export type Client<C extends Contract> = {
  readonly [K in keyof C['endpoints']]: (
    input: Input<C['endpoints'][K]>,
    options?: CallOptions,
  ) => Promise<Reply<C['endpoints'][K]>>
}

/** Returns a contract's refusal function: only its own codes compile. */
export function refusals<const C extends Contract>(_contract: C) {
  return (code: CodeOf<C>, message: string, detail: Record<string, unknown> = {}): Problem =>
    new Problem(code, message, detail)
}
