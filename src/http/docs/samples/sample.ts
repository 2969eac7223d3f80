/** Inputs of the code samples: the requests of each one and their values. */

/** A part of a value that is only known when a sample runs. */
export class Placeholder {
  readonly source:
    | { readonly kind: 'response'; readonly variable: string; readonly path: readonly (string | number)[] }
    | { readonly kind: 'environment'; readonly name: string }
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'unique'; readonly prefix: string }
  /** Value of this kind for the reference's examples. */
  readonly example: string | number

  constructor(source: Placeholder['source'], example: string | number) {
    this.source = source
    this.example = example
  }
}

/** Returns a field of an earlier response. The path may contain indexes of lists. */
export const fromResponse = (variable: string, path: readonly (string | number)[], example: string | number) =>
  new Placeholder({ kind: 'response', variable, path }, example)

/** Returns a value of the environment. */
export const fromEnvironment = (name: string, example: string) =>
  new Placeholder({ kind: 'environment', name }, example)

/** Returns a variable that a step of the sample has set. */
export const fromVariable = (name: string, example: string | number) =>
  new Placeholder({ kind: 'variable', name }, example)

/** Returns a text that differs in each run, such as an idempotency key. */
export const unique = (prefix: string) => new Placeholder({ kind: 'unique', prefix }, `${prefix}-7f3a9c21`)

/** A text with placeholders in it. */
export type SampleText = readonly (string | Placeholder)[]

/** A JSON value, possibly with placeholders. */
export type SampleValue =
  | string
  | number
  | boolean
  | null
  | Placeholder
  | readonly SampleValue[]
  | { readonly [name: string]: SampleValue }

export interface SampleInput {
  readonly params?: Readonly<Record<string, string | Placeholder>>
  readonly query?: Readonly<Record<string, string | number | Placeholder>>
  /** Fields of a JSON body, or the text of any other. */
  readonly body?: { readonly [name: string]: SampleValue } | string
}

/** Values that a sample computes. */
export type Computed =
  | { readonly kind: 'unix-time' }
  /** The current code of the secret in an environment variable. */
  | { readonly kind: 'totp'; readonly environment: string }
  /** The hex HMAC-SHA256 of a text, keyed with SECRET. */
  | { readonly kind: 'hmac'; readonly text: SampleText }

/** A step of a sample before its own request. */
export type Step =
  /** Calls an endpoint or a route by its name. `as` is the variable with its response. */
  | ({ readonly call: string; readonly as?: string } & SampleInput)
  /** Adds a header to all requests that follow. */
  | { readonly header: string; readonly value: SampleText }
  | { readonly set: string; readonly to: Computed }
  /** Ends the sample with a message if a list in a response is empty. */
  | { readonly unlessEmpty: string; readonly list: string; readonly message: string }

/** The sample of one endpoint: its own input, and the objects that must exist first. */
export interface Sample extends SampleInput {
  readonly first?: readonly Step[]
  /** True if the endpoint streams events: the sample prints the data of the first one. */
  readonly isStream?: true
  /** Link to a file, which the sample downloads instead of a call. */
  readonly link?: Placeholder
}

/** A signature with everything it was computed from. */
export interface SignatureVector {
  readonly title: string
  readonly description: string
  /** Parts in the order of the computation: name and value. */
  readonly parts: readonly (readonly [string, string])[]
  /** The exact signed text. */
  readonly text: string
  readonly secret: string
  readonly algorithm: 'sha256' | 'sha512'
  readonly signature: string
}

/** Everything about an API that its samples need and its contract does not contain. */
export interface ApiSamples {
  /** Environment variables that the samples read, each with where its value comes from. */
  readonly environment: Readonly<Record<string, string>>
  /** Fields of the ready file with these values, for the reference's commands. */
  readonly readyFile: Readonly<Record<string, string>>
  /** Header with API_KEY. If absent, each request is signed with SECRET (1-tenant-api, Authentication). */
  readonly keyHeader?: string
  /** Field of a response that contains the requested value. */
  readonly envelope?: string
  /** Steps that precede the samples of a kind of access. */
  readonly before?: Readonly<Record<string, readonly Step[]>>
  /** Endpoints that are refused intentionally: their samples print the refusal. */
  readonly refused?: readonly string[]
  readonly endpoints: Readonly<Record<string, Sample>>
  /** Values of fields for the examples of responses, by name. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly vectors: readonly SignatureVector[]
}
