import type { Static, TSchema } from 'typebox'
import type { Envelope } from './contract.ts'
import { projector } from './project.ts'

/**
 * A response that is already JSON. Data that is written once and read often is projected to its schema when it is
 * stored, not each time it is sent. A page of 1,000 records is then a concatenation.
 */
export class Written<Data> {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Parses the text, for callers in this process. */
  read(): Data {
    return JSON.parse(this.text)
  }
}

/**
 * Projects values to a schema and serializes them, for preserialized responses. A value that does not match is our bug.
 */
export function writing<S extends TSchema>(schema: S): (value: Static<S>) => string {
  const cut = projector(schema)
  return (value) => {
    const projected = cut(value)
    if (!projected.matches)
      throw new Error(`the value to serialize does not match its schema at ${projected.at || 'its top level'}`)
    return JSON.stringify(projected.value)
  }
}

/** Returns a page whose items are already JSON from `writing`; the other fields follow them. */
export function writtenPage<Page extends { readonly items: readonly unknown[] }>(
  items: readonly string[],
  otherFields: Omit<Page, 'items'>,
): Written<Page> {
  const rest = JSON.stringify(otherFields).slice(1, -1)
  return new Written(`{"items":[${items.join(',')}]${rest === '' ? '' : `,${rest}`}}`)
}

/**
 * Wraps a preserialized response in an API's envelope: the envelope is serialized around a marker, which the text
 * replaces.
 */
export function wrapWritten(envelope: Envelope, { text }: Written<unknown>): string {
  const [before = '', after = ''] = JSON.stringify(envelope.wrap(mark)).split(JSON.stringify(mark))
  return before + text + after
}

const mark = 'the written reply'
